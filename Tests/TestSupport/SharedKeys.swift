// Licensed under the MIT License. See LICENSE.

package import CryptoExtras
package import Foundation
package import MSALCore
import Synchronization

/// RSA keys of 2048 bits that the tests of a process share. In a debug build it takes longer to create a key than to run
/// most tests.
///
/// A test that needs different keys uses different names. A test about key creation creates its own.
package enum SharedKeys {
    private static let keys = Mutex<[String: _RSA.Signing.PrivateKey]>([:])

    /// The key with this name, which is created by the first call.
    package static func rsa(_ name: String) throws -> _RSA.Signing.PrivateKey {
        try keys.withLock { keys in
            if let made = keys[name] { return made }
            let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            keys[name] = key
            return key
        }
    }

    /// The same key in PEM.
    package static func pem(_ name: String) throws -> String { try rsa(name).pemRepresentation }

    /// The same key, for tokens that are bound to it.
    package static func proof(_ name: String) throws -> ProofKey { try ProofKey(pem: pem(name)) }

    /// Creates a state folder for an emulator, with the key that signs its tokens. The emulator creates everything else when
    /// it starts. All emulators with such a folder have the same key.
    package static func makeEmulatorState(at folder: URL) throws {
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let file = folder.appending(path: "signing-key.pem")
        try Data(pem("emulator").utf8).write(to: file)
        let path = file.path(percentEncoded: false)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }
}
