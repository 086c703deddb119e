// Licensed under the MIT License. See LICENSE.

import MSAL
import Synchronization
import TestSupport
import Testing

struct MSALLoggerConfigTests {
    private let log = LogWriter(time: ManualTime())

    @Test func `a second callback is rejected, and the first one gets a log line`() {
        let config = MSALLoggerConfig(log: log)
        let (first, second) = (Lines(), Lines())

        config.setLogCallback { level, line, _ in first.add(level, line) }
        config.setLogCallback { level, line, _ in second.add(level, line) }
        log.write(.error, message: "A failure.")
        log.flush()

        #expect(first.all.count == 2)
        #expect(first.all.first?.hasSuffix("The log callback has already been set; the new one is ignored.") == true)
        #expect(first.all.last?.hasSuffix("A failure.") == true)
        #expect(second.all.isEmpty)
    }

    @Test func `the callback of the configuration calls the one that is set`() {
        let config = MSALLoggerConfig(log: log)
        let (first, second) = (Lines(), Lines())

        config.callback()(.error, "nobody listens", false)
        config.setLogCallback { level, line, _ in first.add(level, line) }
        config.setLogCallback { level, line, _ in second.add(level, line) }
        log.flush()
        config.callback()(.error, "for the first", false)

        #expect(first.all.last == "for the first")
        #expect(second.all.isEmpty)
    }

    @Test(arguments: [MSALLogMaskingLevel.settingsMaskAllPII, .settingsMaskEUIIOnly, .settingsMaskSecretsOnly])
    func `a setting can be read back`(_ level: MSALLogMaskingLevel) {
        let config = MSALLoggerConfig(log: log)

        config.logMaskingLevel = level
        config.logLevel = .verbose

        #expect(config.logMaskingLevel == level)
        #expect(config.logLevel == .verbose)
    }

    /// The lines that one callback received.
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])

        var all: [String] { lines.withLock { $0 } }

        func add(_ level: MSALLogLevel, _ line: String?) {
            #expect(level == .error)
            lines.withLock { $0.append(line ?? "") }
        }
    }
}
