// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Synchronization

/// Every line that the library logs in this process: all levels, with only secrets masked.
///
/// The library has one logger per process, so only a test that runs in a separate process opens the log book.
enum LogBook {
    private static let lines = Mutex<[String]>([])

    /// Starts to collect lines.
    static func open() {
        MSALGlobalConfig.loggerConfig.logLevel = .verbose
        MSALGlobalConfig.loggerConfig.logMaskingLevel = .settingsMaskSecretsOnly
        MSALGlobalConfig.loggerConfig.setLogCallback { _, line, _ in
            if let line { lines.withLock { $0.append(line) } }
        }
    }

    /// The lines that were logged since the log book was opened.
    static var text: String {
        LogWriter.shared.flush()
        return lines.withLock { $0.joined(separator: "\n") }
    }
}
