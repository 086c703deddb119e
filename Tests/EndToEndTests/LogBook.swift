// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Synchronization

/// Every line that the library logs in this process: all levels, nothing masked but secrets.
enum LogBook {
    private static let lines = Mutex<[String]>([])

    private static let isOpen: Void = {
        MSALGlobalConfig.loggerConfig.logLevel = .verbose
        MSALGlobalConfig.loggerConfig.logMaskingLevel = .settingsMaskSecretsOnly
        MSALGlobalConfig.loggerConfig.setLogCallback { _, line, _ in
            if let line { lines.withLock { $0.append(line) } }
        }
    }()

    /// Begins to collect, if that has not happened.
    static func open() { isOpen }

    /// What was logged up to now.
    static var text: String {
        LogWriter.shared.flush()
        return lines.withLock { $0.joined(separator: "\n") }
    }
}
