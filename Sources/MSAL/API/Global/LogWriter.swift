// Licensed under the MIT License. See LICENSE.

private import Dispatch
private import Foundation
package import MSALBase
private import Synchronization

/// Brings log lines to the app's callback, if it set one: level, masking, layout and order.
package final class LogWriter: Sendable {
    /// Takes a line, with whether personal data may be in it.
    package typealias Receiver = @Sendable (_ level: MSALLogLevel, _ line: String, _ containsPersonalData: Bool) -> Void

    /// The writer of this process. Once it has a receiver, it takes the core's lines too.
    package static let shared = LogWriter()

    private struct Settings {
        var level = MSALLogLevel.info
        var masking = MSALLogMaskingLevel.settingsMaskAllPII
        var receiver: Receiver?
    }

    private let settings = Mutex(Settings())
    /// The most detailed level that the receiver gets; 0 if there is no receiver. It is not part of the settings,
    /// because every call reads it and should not wait for their lock.
    private let heard = Atomic(0)
    private let time: any TimeSource
    // Lines arrive one after another, in order, and never on the thread that wrote them.
    private let queue = DispatchQueue(label: "msal.log")

    package init(time: any TimeSource = SystemTime()) {
        self.time = time
    }

    /// The most detailed level that is passed on; `info` by default.
    package var level: MSALLogLevel {
        get { settings.withLock { $0.level } }
        set { change { $0.level = newValue } }
    }

    /// The masking of lines; everything is hidden by default.
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

    /// Sets the receiver, which can be done once.
    ///
    /// - Returns: Whether this was the first time. A later receiver is ignored with an error line.
    @discardableResult
    package func setReceiver(_ receiver: @escaping Receiver) -> Bool {
        let isFirst = settings.withLock { settings in
            guard settings.receiver == nil else { return false }
            settings.receiver = receiver
            return true
        }
        change { _ in }
        guard isFirst else {
            write(.error, message: "The log callback is set already; the new one is ignored.")
            return false
        }
        if self === LogWriter.shared {
            Log.install { level, line in
                LogWriter.shared.write(MSALLogLevel(level), message: "\(line: line)")
            }
        }
        return true
    }

    /// Writes a line, if there is a receiver and the level asks for it. Otherwise `message` is never evaluated.
    ///
    /// Unless the caller passes another `correlationID`, the line has that of the calling task's request.
    package func write(
        _ level: MSALLogLevel,
        message: @autoclosure () -> LogMessage,
        correlationID: UUID? = Log.correlationID
    ) {
        guard level != .nothing, level.rawValue <= heard.load(ordering: .relaxed) else { return }
        let settings = settings.withLock { $0 }
        guard let receiver = settings.receiver else { return }
        let line = LogWriter.line(
            // A user name or a scope may be a server's text. That text must not begin a second line.
            message().text(settings.masking).visibleLine,
            at: time.now,
            correlationID: correlationID,
            thread: UInt64(pthread_self())
        )
        let containsPersonalData = settings.masking == .settingsMaskSecretsOnly
        queue.async { receiver(level, line, containsPersonalData) }
    }

    /// Returns when every line written so far has been handed over.
    package func flush() {
        queue.sync {}
    }

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
