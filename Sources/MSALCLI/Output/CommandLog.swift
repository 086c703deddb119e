// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import MSAL

/// The library's log lines on standard error, where somebody asked for them: `--debug`, or `MSAL_LOG`.
///
/// Nothing secret is in them, and user names and ids are masked.
enum CommandLog {
    private static let levels: [String: MSALLogLevel] = [
        "error": .error, "warning": .warning, "info": .info, "verbose": .verbose,
    ]
    /// What the user asked for; `nil` for nothing.
    private static let wish = CommandLine.arguments.contains("--debug") ? "verbose" : variable
    private static let variable = ProcessInfo.processInfo.environment["MSAL_LOG"].flatMap { $0.isEmpty ? nil : $0 }

    /// Whether somebody asked for lines.
    static let isWanted = wish != nil

    /// The least level of the lines for services, by the name that swift-log has for it.
    static let serviceLevelName = wish == "verbose" ? "debug" : wish ?? "critical"

    /// Whether lines are written although nothing is wrong.
    static let isTalkative = wish == "info" || wish == "verbose"

    /// Begins to write lines, if somebody asked for them.
    ///
    /// - Throws: `Failure` with the status `usage`, if MSAL_LOG names no level.
    static func begin() throws(Failure) {
        guard let wish else { return }
        guard levels[wish] != nil else {
            throw .usage("MSAL_LOG takes error, warning, info or verbose, not \(wish).")
        }
        started
    }

    private static let started: Void = {
        let logger = MSALGlobalConfig.loggerConfig
        logger.logLevel = wish.flatMap { levels[$0] } ?? .nothing
        logger.setLogCallback { _, line, _ in
            guard let line else { return }
            // A line that turns may stand there.
            if !isTalkative, Terminal.errors.isInteractive { Terminal.errors.clearLine() }
            Terminal.errors.write("\(short(line))")
        }
        // Lines come on a queue of the library, and the command ends without waiting for it otherwise.
        atexit { MSALGlobalConfig.loggerConfig.flush() }
    }()

    /// A line without what is the same in all of them: time, message and correlation id.
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
