// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import MSALBase
import UserFiles

/// The bearer token of the control API.
enum ControlToken {
    private static let name = "control-token"
    /// 256 random bits in base64url have 43 characters; others may use fewer kinds of characters, or hexadecimal ones.
    private static let shortest = 32
    private static let longest = 1_024

    /// The token that the state folder keeps. It is made at the first start.
    static func kept(in state: PrivateFolder) throws -> Secret {
        try state.locked {
            if let stored = try state.read(name), stored.count >= 43 { return Secret(stored) }
            let token = Secret.random()
            try state.write(token.exposed, to: name)
            return token
        }
    }

    /// The token in a file of the user; white space at its ends is not part of it.
    ///
    /// - Throws: `PrivateFolder.Failure` for a file that is missing, another user's, readable for others, or holds
    ///   something else. Its text says what to do, and repeats nothing of the file.
    static func read(from file: URL) throws -> Secret {
        let path = file.path
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw failure("cannot read the control token: \(path): \(PrivateFolder.lastError)")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard let opened = OpenFile(descriptor: descriptor), opened.isRegular else {
            throw failure("\(path) is not a file; write the control token into one")
        }
        // Another user who owns it could read and change it, whatever its mode, and would control the emulator.
        guard [geteuid(), 0].contains(opened.owner) else {
            throw failure(
                "the control token in \(path) belongs to the user with the number \(opened.owner); run  "
                    + "chown \(geteuid()) '\(path)'"
            )
        }
        guard opened.mode & 0o077 == 0 else {
            throw failure("others may read the control token; run  chmod 600 '\(path)'")
        }
        let bytes: Data
        do {
            bytes = try handle.read(upToCount: longest + 1) ?? Data()
        } catch {
            throw failure("cannot read the control token: \(path): \(error.systemReason)")
        }
        let token = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard token.unicodeScalars.allSatisfy({ (0x21...0x7E).contains($0.value) }) else {
            throw failure("\(path) must hold one control token of printable ASCII characters without spaces; \(remedy)")
        }
        guard (shortest...longest).contains(token.count) else {
            throw failure("the control token in \(path) must have \(shortest) to \(longest) characters; \(remedy)")
        }
        return Secret(token)
    }

    private static let remedy = "openssl rand -hex 32  makes one"

    private static func failure(_ text: String) -> PrivateFolder.Failure {
        PrivateFolder.Failure(description: text)
    }
}
