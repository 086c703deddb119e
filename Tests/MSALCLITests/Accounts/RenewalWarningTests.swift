// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import Testing

@testable import MSALCLI

struct RenewalWarningTests {
    @Test(arguments: [
        (OutputFormat.text, false, true), (.text, true, false), (.json, false, false), (.raw, false, false),
    ])
    func `users are warned of a token that was not stored, programs read a member`(
        _ output: OutputFormat,
        _ isPersisted: Bool,
        _ warns: Bool
    ) async throws {
        let pipe = Pipe()

        await output.warn(
            isPersisted: isPersisted,
            on: Terminal(descriptor: pipe.fileHandleForWriting.fileDescriptor),
            cause: "The disk is full."
        )
        try pipe.fileHandleForWriting.close()

        let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(text.contains("The disk is full.") == warns)
        #expect(text.contains("Run: msal cache doctor") == warns)
    }
}
