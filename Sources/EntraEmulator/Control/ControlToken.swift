// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import MSALBase
import UserFiles

/// The bearer token of the control API.
enum ControlToken {
    private static let name = "control-token"
    /// 256 random bits in base64url have 43 characters. Other tokens may use a smaller alphabet, such as hexadecimal.
    private static let shortest = 32
    private static let longest = 1_024

    /// The token in the state folder. It is created at the first start.
    static func kept(in state: PrivateFolder) throws -> Secret {
        try state.locked {
            if let stored = try state.read(name), stored.count >= 43 { return Secret(stored) }
            let token = Secret.random()
            try state.write(token.exposed, to: name)
            return token
        }
    }

    /// Reads the token from a file of the user; leading and trailing white space is ignored.
    ///
    /// - Throws: `PrivateFolder.Failure` if the file is missing, belongs to another user, is readable by others, or
    ///   does not contain a token. The message says what to do, and never quotes the content of the file.
    static func read(from file: URL) throws -> Secret {
        let path = file.path
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw failure("cannot read the control token from \(path): \(PrivateFolder.lastError)")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard let opened = OpenFile(descriptor: descriptor), opened.isRegular else {
            throw failure("\(path) is not a regular file; write the control token to a file")
        }
        // Another owner could read and change it, whatever its mode, and thereby control the emulator.
        guard [geteuid(), 0].contains(opened.owner) else {
            throw failure(
                "the control token in \(path) belongs to the user with ID \(opened.owner); run  "
                    + "chown \(geteuid()) '\(path)'"
            )
        }
        guard opened.mode & 0o077 == 0 else {
            throw failure("other users can read the control token; run  chmod 600 '\(path)'")
        }
        let bytes: Data
        do {
            bytes = try handle.read(upToCount: longest + 1) ?? Data()
        } catch {
            throw failure("cannot read the control token from \(path): \(error.systemReason)")
        }
        let token = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard token.unicodeScalars.allSatisfy({ (0x21...0x7E).contains($0.value) }) else {
            throw failure(
                "\(path) must contain a single control token of printable ASCII characters without spaces; \(remedy)"
            )
        }
        guard (shortest...longest).contains(token.count) else {
            throw failure("the control token in \(path) must have \(shortest) to \(longest) characters; \(remedy)")
        }
        return Secret(token)
    }

    private static let remedy = "create one with  openssl rand -hex 32"

    private static func failure(_ text: String) -> PrivateFolder.Failure {
        PrivateFolder.Failure(description: text)
    }
}
