// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Synchronization

/// Every line that the library logs in this process: all levels, nothing masked but secrets.
///
/// The library has one logger for a process, so only a test that has a process of its own opens the book.
enum LogBook {
    private static let lines = Mutex<[String]>([])

    /// Begins to collect.
    static func open() {
        MSALGlobalConfig.loggerConfig.logLevel = .verbose
        MSALGlobalConfig.loggerConfig.logMaskingLevel = .settingsMaskSecretsOnly
        MSALGlobalConfig.loggerConfig.setLogCallback { _, line, _ in
            if let line { lines.withLock { $0.append(line) } }
        }
    }

    /// What was logged since the book was opened.
    static var text: String {
        LogWriter.shared.flush()
        return lines.withLock { $0.joined(separator: "\n") }
    }
}
