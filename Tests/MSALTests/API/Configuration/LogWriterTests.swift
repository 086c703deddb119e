// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import Synchronization
import TestSupport
import Testing

@testable import MSAL

struct LogWriterTests {
    private let writer = LogWriter(time: ManualTime())

    @Test func `a line carries the id of the request to which it belongs`() throws {
        let id = try #require(UUID(uuidString: "00000000-0000-0000-0000-00000000000A"))

        let written = written {
            Log.$correlationID.withValue(id) { writer.write(.error, message: "of a request") }
            writer.write(.error, message: "of none")
        }

        #expect(written.map { $0.contains(id.uuidString) } == [true, false])
    }

    @Test(arguments: [
        (MSALLogLevel.nothing, []), (.error, ["error"]), (.warning, ["error", "warning"]),
        (.info, ["error", "warning", "info"]), (.verbose, ["error", "warning", "info", "verbose"]),
    ])
    func `a level passes its own lines and more severe ones`(_ level: MSALLogLevel, _ expected: [String]) {
        writer.level = level

        let written = written {
            writer.write(.error, message: "error")
            writer.write(.warning, message: "warning")
            writer.write(.info, message: "info")
            writer.write(.verbose, message: "verbose")
        }

        #expect(written.map { $0.split(separator: " ").last.map(String.init) } == expected)
    }

    @Test(arguments: [MSALLogMaskingLevel.settingsMaskAllPII, .settingsMaskEUIIOnly, .settingsMaskSecretsOnly])
    func `a value from a server does not add a second line`(_ masking: MSALLogMaskingLevel) throws {
        writer.masking = masking

        let written = written {
            writer.write(.error, message: "The account is \(username: "m@x\nERROR forged\u{1B}[2K").")
            writer.write(.error, message: "The account is \(username: "m\nERROR forged").")
            writer.write(.error, message: "The scopes are \(list: ["a\r\nERROR forged", "b\u{2028}c"]).")
            writer.write(.error, message: "The id is \(trackable: "1.2\nERROR forged").")
            writer.write(
                .error,
                message: "\(error: "MSALErrorDomain", code: -50000, description: "No.\nERROR forged")"
            )
        }

        #expect(written.count == 5)
        #expect(!written.contains { $0.hasControlCharacters || $0.contains("\u{2028}") })
        let name = try #require(written.first)
        #expect(name.hasSuffix("x ERROR forged<U+001B>[2K."))
    }

    /// What the writer passes on while `body` runs.
    private func written(_ body: () -> Void) -> [String] {
        let lines = Mutex<[String]>([])
        writer.setReceiver { _, line, _ in lines.withLock { $0.append(line) } }
        body()
        writer.flush()
        return lines.withLock { $0 }
    }
}
