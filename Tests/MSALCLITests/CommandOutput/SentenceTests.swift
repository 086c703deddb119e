// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import Testing

/// The message for an error of Foundation about a file.
struct SentenceTests {
    private func error(at path: String, because code: POSIXError.Code) -> NSError {
        let information: [String: Any] = [NSFilePathErrorKey: path, NSUnderlyingErrorKey: POSIXError(code)]
        return NSError(domain: NSCocoaErrorDomain, code: 642, userInfo: information)
    }

    @Test func `the file and the system's reason are named`() {
        #expect(error(at: "/a/b", because: .EROFS).sentence == "cannot use /a/b: Read-only file system")
    }

    @Test func `a temporary file is reported with the variable that selects another folder`() {
        let file = FileManager.default.temporaryDirectory.appending(path: "b").path(percentEncoded: false)

        let sentence = error(at: file, because: .ENOSPC).sentence

        #expect(
            sentence
                == "cannot use \(file): No space left on device. Set TMPDIR to a writable folder"
        )
    }

    @Test func `an error of the system is reported by its reason only`() {
        #expect(POSIXError(.EIO).systemReason == "Input/output error")
    }
}
