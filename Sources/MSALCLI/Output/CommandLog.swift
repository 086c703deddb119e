// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import MSAL

/// Writes the library's log lines to standard error, if the user asked for them by `--debug` or `MSAL_LOG`.
///
/// The lines contain no secrets, and user names are masked. Ids are masked too, except in the paths of API requests.
enum CommandLog {
    private static let levels: [String: MSALLogLevel] = [
        "error": .error, "warning": .warning, "info": .info, "verbose": .verbose,
    ]
    /// The level that the user asked for; `nil` for no log.
    private static let requestedLevel = CommandLine.arguments.contains("--debug") ? "verbose" : variable
    private static let variable = ProcessInfo.processInfo.environment["MSAL_LOG"].flatMap { $0.isEmpty ? nil : $0 }

    /// Whether the user asked for log lines.
    static let isWanted = requestedLevel != nil

    /// The lowest level of log lines of `MSALServer`, by its name in swift-log.
    static let serviceLevelName = requestedLevel == "verbose" ? "debug" : requestedLevel ?? "critical"

    /// Whether the log has lines even if there is no problem.
    static let isVerbose = requestedLevel == "info" || requestedLevel == "verbose"

    /// Starts writing log lines, if the user asked for them.
    ///
    /// - Throws: `Failure` with the status `usage`, if MSAL_LOG names no level.
    static func begin() throws(Failure) {
        guard let requestedLevel else { return }
        guard levels[requestedLevel] != nil else {
            throw .usage("MSAL_LOG takes error, warning, info or verbose, not \(requestedLevel).")
        }
        started
    }

    private static let started: Void = {
        let logger = MSALGlobalConfig.loggerConfig
        logger.logLevel = requestedLevel.flatMap { levels[$0] } ?? .nothing
        logger.setLogCallback { _, line, _ in
            guard let line else { return }
            // A line with a spinner may be on the screen.
            if !isVerbose, Terminal.errors.isInteractive { Terminal.errors.clearLine() }
            Terminal.errors.write("\(short(line))")
        }
        // The library writes lines on its own queue. Without this call, the command would end before they are written.
        atexit { MSALGlobalConfig.loggerConfig.flush() }
    }()

    /// A line without the parts that are the same in all lines: time, message and correlation ID.
    static func short(_ line: String) -> String {
        guard let head = line.firstRange(of: "["), let tail = line[head.upperBound...].firstRange(of: "] ") else {
            return line
        }
        let words = line[head.upperBound..<tail.lowerBound].components(separatedBy: " - ")
        let time = words[0].split(separator: " ").dropFirst().first ?? ""
        let id = words.count > 1 ? " (\(words[1]))" : ""
        return "\(time) \(line[tail.upperBound...])\(id)"
    }
}
