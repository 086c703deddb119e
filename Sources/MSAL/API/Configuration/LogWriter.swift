// Licensed under the MIT License. See LICENSE.

private import Dispatch
private import Foundation
package import MSALBase
private import Synchronization

/// Passes log lines to the app's callback, if it has set one, applying level, masking, format, and order.
package final class LogWriter: Sendable {
    /// Receives a line, and whether it may contain personal data.
    package typealias Receiver = @Sendable (_ level: MSALLogLevel, _ line: String, _ containsPersonalData: Bool) -> Void

    /// The writer of this process. Once it has a receiver, it also receives the core's lines.
    package static let shared = LogWriter()

    private struct Settings {
        var level = MSALLogLevel.info
        var masking = MSALLogMaskingLevel.settingsMaskAllPII
        var receiver: Receiver?
    }

    private let settings = Mutex(Settings())
    /// The most detailed level for the receiver; 0 if there is no receiver. It is not part of the settings because
    /// every call reads it and must not wait for their lock.
    private let heard = Atomic(0)
    private let time: any TimeSource
    // Lines are delivered one after another, in order, and never on the thread that wrote them.
    private let queue = DispatchQueue(label: "msal.log")

    package init(time: any TimeSource = SystemTime()) { self.time = time }

    /// The most detailed level to deliver; `info` by default.
    package var level: MSALLogLevel {
        get { settings.withLock { $0.level } }
        set { change { $0.level = newValue } }
    }

    /// The masking of lines; by default, everything is masked.
    var masking: MSALLogMaskingLevel {
        get { settings.withLock { $0.masking } }
        set { settings.withLock { $0.masking = newValue } }
    }

    private func change(_ body: (inout Settings) -> Void) {
        settings.withLock { settings in
            body(&settings)
            heard.store(settings.receiver == nil ? 0 : settings.level.rawValue, ordering: .relaxed)
        }
    }

    /// Sets the receiver, which can be done only once.
    ///
    /// - Returns: Whether this was the first call. A later receiver is ignored, which is logged as an error.
    @discardableResult
    package func setReceiver(_ receiver: @escaping Receiver) -> Bool {
        let isFirst = settings.withLock { settings in
            guard settings.receiver == nil else { return false }
            settings.receiver = receiver
            return true
        }
        change { _ in }
        guard isFirst else {
            write(.error, message: "The log callback has already been set; the new one is ignored.")
            return false
        }
        if self === LogWriter.shared {
            Log.install { level, line in
                LogWriter.shared.write(MSALLogLevel(level), message: "\(line: line)")
            }
        }
        return true
    }

    /// Writes a line, if there is a receiver and the level includes it. Otherwise, `message` is never evaluated.
    ///
    /// By default, the line has the correlation ID of the calling task's request.
    package func write(
        _ level: MSALLogLevel,
        message: @autoclosure () -> LogMessage,
        correlationID: UUID? = Log.correlationID
    ) {
        guard level != .nothing, level.rawValue <= heard.load(ordering: .relaxed) else { return }
        let settings = settings.withLock { $0 }
        guard let receiver = settings.receiver else { return }
        let line = LogWriter.line(
            // A user name or a scope may contain a server's text, which must not begin a second line.
            message().text(settings.masking).visibleLine,
            at: time.now,
            correlationID: correlationID,
            thread: UInt64(pthread_self())
        )
        let containsPersonalData = settings.masking == .settingsMaskSecretsOnly
        queue.async { receiver(level, line, containsPersonalData) }
    }

    /// Returns when every line written so far has been delivered.
    package func flush() { queue.sync {} }

    private static func line(_ message: String, at now: Date, correlationID: UUID?, thread: UInt64) -> String {
        let style = Date.VerbatimFormatStyle(
            format: """
                \(year: .padded(4))-\(month: .twoDigits)-\(day: .twoDigits) \
                \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
                \(second: .twoDigits)
                """,
            locale: Locale(identifier: "en_US_POSIX"),
            timeZone: .gmt,
            calendar: Calendar(identifier: .gregorian)
        )
        let correlation = correlationID.map { " - \($0.uuidString)" } ?? ""
        return
            "TID=\(thread) MSAL \(LibraryVersion.text) Linux [\(now.formatted(style)) UTC\(correlation)] \(message)"
    }
}

extension MSALLogLevel {
    /// The level of a line of the core.
    fileprivate init(_ level: Log.Level) {
        self =
            switch level {
            case .error: .error
            case .warning: .warning
            case .info: .info
            case .verbose: .verbose
            }
    }
}
