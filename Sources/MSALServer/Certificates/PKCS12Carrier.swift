// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import MSALBase
import NIOSSL
import SwiftASN1

/// Lets the TLS library decrypt the certificates of a PKCS#12 file, whose ciphers are often as old as triple DES.
///
/// NIOSSL ends the process if a file has no key, or no certificate for its key. So this type makes a key and a
/// certificate that belong together, and puts the encrypted parts into a file with them. NIOSSL then returns the
/// content without these two.
struct PKCS12Carrier {
    private let bytes: [UInt8]
    private let own: [UInt8]

    init(sealed: [ASN1Node], check: PKCS12Check?, spelling: PKCS12Password) throws {
        let key = P256.Signing.PrivateKey()
        let certificate = try Self.certificate(of: key)
        own = certificate
        let bags = try Self.bytes { coder in
            try coder.appendConstructedNode(identifier: .sequence) { coder in
                try Self.bag([1, 2, 840, 113_549, 1, 12, 10, 1, 1], into: &coder) { coder in
                    coder.serializeRawBytes(key.derRepresentation)  // PKCS#8.
                }
                try Self.bag([1, 2, 840, 113_549, 1, 12, 10, 1, 3], into: &coder) { coder in
                    try Self.bag([1, 2, 840, 113_549, 1, 9, 22, 1], into: &coder) { coder in
                        try coder.serialize(ASN1OctetString(contentBytes: certificate[...]))
                    }
                }
            }
        }
        let content = try Self.bytes { coder in
            try coder.appendConstructedNode(identifier: .sequence) { coder in
                for part in sealed { coder.serializeRawBytes(part.encodedBytes) }
                try Self.bag(PKCS12Parts.data, into: &coder) { coder in
                    try coder.serialize(ASN1OctetString(contentBytes: bags[...]))
                }
            }
        }
        bytes = try Self.bytes { coder in
            try coder.appendConstructedNode(identifier: .sequence) { coder in
                try coder.serialize(3)  // The version.
                try Self.bag(PKCS12Parts.data, into: &coder) { coder in
                    try coder.serialize(ASN1OctetString(contentBytes: content[...]))
                }
                try (check ?? .fresh).serialize(for: content, password: spelling, into: &coder)
            }
        }
    }

    /// The certificates in the encrypted parts.
    ///
    /// - Throws: `.invalidCertificate` because of `.unsupportedEncryption`, which includes a key in these parts.
    func certificates(password: Secret) throws(MSALTokenError) -> [[UInt8]] {
        do {
            let bundle = try NIOSSLPKCS12Bundle(buffer: bytes, passphrase: Array(password.exposed.utf8))
            return try bundle.certificateChain.map { try $0.toDERBytes() }.filter { $0 != own }
        } catch {
            throw ClientCertificateError.error(.unsupportedEncryption)
        }
    }

    /// A sequence of an identifier and `[0] EXPLICIT`, which most structures of PKCS#12 are.
    private static func bag(
        _ identifier: ASN1ObjectIdentifier,
        into coder: inout DER.Serializer,
        content: (inout DER.Serializer) throws -> Void
    ) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(identifier)
            let tag = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
            try coder.appendConstructedNode(identifier: tag, content)
        }
    }

    private static func bytes(_ write: (inout DER.Serializer) throws -> Void) throws -> [UInt8] {
        var coder = DER.Serializer()
        try write(&coder)
        return coder.serializedBytes
    }

    /// A certificate that carries a key and is good for nothing else (RFC 5280 §4.1). Its signature is never checked.
    private static func certificate(of key: P256.Signing.PrivateKey) throws -> [UInt8] {
        let signature: ASN1ObjectIdentifier = [1, 2, 840, 10045, 4, 3, 2]
        return try bytes { coder in
            try coder.appendConstructedNode(identifier: .sequence) { coder in
                try coder.appendConstructedNode(identifier: .sequence) { coder in
                    try coder.serialize(1)  // The serial number. Without extensions, the version is the first one.
                    try coder.appendConstructedNode(identifier: .sequence) { try $0.serialize(signature) }
                    coder.appendConstructedNode(identifier: .sequence) { _ in }  // The issuer.
                    try coder.appendConstructedNode(identifier: .sequence) { coder in
                        let time = try UTCTime(year: 2020, month: 1, day: 1, hours: 0, minutes: 0, seconds: 0)
                        try coder.serialize(time)
                        try coder.serialize(time)
                    }
                    coder.appendConstructedNode(identifier: .sequence) { _ in }  // The subject.
                    coder.serializeRawBytes(key.publicKey.derRepresentation)
                }
                try coder.appendConstructedNode(identifier: .sequence) { try $0.serialize(signature) }
                try coder.serialize(ASN1BitString(bytes: [0]))
            }
        }
    }
}
