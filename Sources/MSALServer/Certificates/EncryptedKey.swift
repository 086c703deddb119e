// Licensed under the MIT License. See LICENSE.

import Crypto
import CryptoExtras
import Foundation
import MSALBase
import NIOSSL
import SwiftASN1

/// A private key that is encrypted with a password (RFC 5958 §3).
struct EncryptedKey {
    private let der: [UInt8]
    private let algorithm: ASN1ObjectIdentifier
    private let parameters: ASN1Node?
    private let data: ArraySlice<UInt8>

    /// Takes an EncryptedPrivateKeyInfo apart.
    init(der: [UInt8]) throws {
        self.der = der
        (algorithm, parameters, data) = try DER.sequence(BER.parse(der), identifier: .sequence) { fields in
            let (algorithm, parameters) = try Self.algorithm(try CertificateFields.next(of: &fields))
            return (algorithm, parameters, try ASN1OctetString(derEncoded: &fields).bytes)
        }
    }

    /// The key in DER.
    ///
    /// - Throws: `.invalidCertificate` because of `.password` or `.unsupportedEncryption`.
    func decrypted(password: Secret) throws(MSALTokenError) -> [UInt8] {
        guard algorithm == Self.pbes2 else { return try olderDecrypted(password: password) }
        do {
            guard let parameters, let scheme = try PBES2(parameters) else {
                throw ClientCertificateError.error(.unsupportedEncryption)
            }
            let key = try KDF.Insecure.PBKDF2.deriveKey(
                from: Data(password.exposed.utf8),
                salt: scheme.salt,
                using: scheme.hash,
                outputByteCount: scheme.keyLength,
                unsafeUncheckedRounds: scheme.rounds
            )
            let plain = try AES._CBC.decrypt(data, using: key, iv: AES._CBC.IV(ivBytes: scheme.vector))
            // With a wrong password, the padding may be right by chance. But the bytes are then no key.
            _ = try DER.parse(Array(plain))
            return Array(plain)
        } catch let error as MSALTokenError {
            throw error
        } catch {
            throw ClientCertificateError.error(.password)
        }
    }

    /// Decrypts a key with the ciphers that older programs use in PKCS#12 files (RFC 7292 §C). The TLS library knows
    /// these ciphers.
    private func olderDecrypted(password: Secret) throws(MSALTokenError) -> [UInt8] {
        guard Self.older.contains(algorithm) else { throw ClientCertificateError.error(.unsupportedEncryption) }
        let bytes = Array(password.exposed.utf8)
        // NIOSSL ends the process if a password has other bytes. It has room for 1023 bytes.
        guard bytes.allSatisfy({ $0 < 0x80 }), bytes.count < 1024 else {
            throw ClientCertificateError.error(
                .unsupportedEncryption,
                detail: "With this legacy encryption, the password must contain only ASCII characters."
            )
        }
        let text =
            "-----BEGIN ENCRYPTED PRIVATE KEY-----\n" + Data(der).base64EncodedString()
            + "\n-----END ENCRYPTED PRIVATE KEY-----\n"
        do {
            return try NIOSSLPrivateKey(bytes: Array(text.utf8), format: .pem) { $0(bytes) }.derBytes
        } catch {
            throw ClientCertificateError.error(.password)
        }
    }

    private static let pbes2: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 5, 13]
    /// SHA-1 with RC4, triple DES and RC2 (RFC 7292 §C).
    private static let older: Set<ASN1ObjectIdentifier> = [
        [1, 2, 840, 113_549, 1, 12, 1, 1], [1, 2, 840, 113_549, 1, 12, 1, 3], [1, 2, 840, 113_549, 1, 12, 1, 6],
    ]

    /// The identifier and the parameters of an algorithm (RFC 5280 §4.1.1.2).
    fileprivate static func algorithm(_ node: ASN1Node) throws -> (ASN1ObjectIdentifier, ASN1Node?) {
        try DER.sequence(node, identifier: .sequence) { fields in
            (try ASN1ObjectIdentifier(derEncoded: &fields), fields.next())
        }
    }
}

/// The parameters of PBES2 with PBKDF2 and AES in CBC mode (RFC 8018 §A.4).
private struct PBES2 {
    let salt: ArraySlice<UInt8>
    let rounds: Int
    let hash: KDF.Insecure.PBKDF2.HashFunction
    let keyLength: Int
    let vector: ArraySlice<UInt8>

    /// The result is `nil` for other functions and ciphers.
    init?(_ parameters: ASN1Node) throws {
        let (derivation, cipher) = try DER.sequence(parameters, identifier: .sequence) { fields in
            (
                try EncryptedKey.algorithm(try CertificateFields.next(of: &fields)),
                try EncryptedKey.algorithm(try CertificateFields.next(of: &fields))
            )
        }
        guard
            derivation.0 == [1, 2, 840, 113_549, 1, 5, 12], let function = derivation.1,
            let keyLength = Self.keyLengths[cipher.0], let vector = cipher.1
        else { return nil }
        let read = try DER.sequence(function, identifier: .sequence) { fields in
            let salt = try ASN1OctetString(derEncoded: &fields).bytes
            let rounds = try Int(derEncoded: &fields)
            var hash = Self.hashes[[1, 2, 840, 113_549, 2, 7]]  // HMAC with SHA-1 is the default.
            while let field = fields.next() {
                // An integer is the length of the key, which the cipher tells, too.
                guard field.identifier == .sequence else { continue }
                hash = Self.hashes[try EncryptedKey.algorithm(field).0]
            }
            return (salt: salt, rounds: rounds, hash: hash)
        }
        // More rounds would keep a processor busy for many seconds.
        guard let hash = read.hash, (1...5_000_000).contains(read.rounds) else { return nil }
        (salt, rounds, self.hash, self.keyLength) = (read.salt, read.rounds, hash, keyLength)
        self.vector = try ASN1OctetString(derEncoded: vector).bytes
    }

    /// AES in CBC mode by the length of its key (RFC 8018 §B.2.5).
    private static let keyLengths: [ASN1ObjectIdentifier: Int] = [
        [2, 16, 840, 1, 101, 3, 4, 1, 2]: 16, [2, 16, 840, 1, 101, 3, 4, 1, 22]: 24,
        [2, 16, 840, 1, 101, 3, 4, 1, 42]: 32,
    ]

    /// HMAC with SHA-1 and SHA-2 (RFC 8018 §B.1).
    private static let hashes: [ASN1ObjectIdentifier: KDF.Insecure.PBKDF2.HashFunction] = [
        [1, 2, 840, 113_549, 2, 7]: .insecureSHA1, [1, 2, 840, 113_549, 2, 9]: .sha256,
        [1, 2, 840, 113_549, 2, 10]: .sha384, [1, 2, 840, 113_549, 2, 11]: .sha512,
    ]
}
