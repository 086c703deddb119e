// Licensed under the MIT License. See LICENSE.

import MSALBase
import SwiftASN1

/// The keys and certificates in a PKCS#12 file, also called PFX (RFC 7292).
struct PKCS12File {
    private(set) var keys: [[UInt8]] = []
    private(set) var certificates: [[UInt8]] = []

    /// Reads a file. A file without a check of integrity is read, too.
    ///
    /// - Throws: `.invalidCertificate` because of `.password`, `.unsupportedEncryption` or `.malformed`.
    init(bytes: [UInt8], password: Secret) throws(MSALTokenError) {
        do {
            let file = try PKCS12Parts(bytes)
            var spelling = PKCS12Password(password, isAbsent: false)
            if let check = file.check {
                guard let fitting = check.spelling(of: password, for: file.content) else {
                    throw ClientCertificateError.error(.password)
                }
                spelling = fitting
            }
            var sealed: [ASN1Node] = []
            for part in file.parts {
                switch try part.first?.objectIdentifier {
                case PKCS12Parts.data:
                    try open(try part.wrapped.octets, password: password)
                case PKCS12Parts.encryptedData:
                    sealed.append(part)
                default:
                    throw ClientCertificateError.error(.unsupportedEncryption)  // Encrypted with a public key.
                }
            }
            guard !sealed.isEmpty else { return }
            let carrier = try PKCS12Carrier(sealed: sealed, check: file.check, spelling: spelling)
            certificates += try carrier.certificates(password: password)
        } catch let error as MSALTokenError {
            throw error
        } catch {
            throw ClientCertificateError.error(.malformed)
        }
    }

    /// Reads the bags of a part that is not encrypted as a whole (RFC 7292 §4.2).
    private mutating func open(_ contents: ArraySlice<UInt8>, password: Secret) throws {
        for bag in try BER.parse(contents).children {
            let value = try bag.wrapped
            switch try bag.first?.objectIdentifier {
            case Self.keyBag:
                keys.append(Array(value.encodedBytes))
            case Self.shroudedKeyBag:
                keys.append(try EncryptedKey(der: Array(value.encodedBytes)).decrypted(password: password))
            case Self.certificateBag where try value.first?.objectIdentifier == Self.x509:
                certificates.append(Array(try value.wrapped.octets))
            default:
                continue  // Revocation lists and secrets.
            }
        }
    }

    private static let keyBag: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 12, 10, 1, 1]
    private static let shroudedKeyBag: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 12, 10, 1, 2]
    private static let certificateBag: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 12, 10, 1, 3]
    private static let x509: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 9, 22, 1]
}

/// The outer structure of a PKCS#12 file (RFC 7292 §4).
struct PKCS12Parts {
    /// The bytes that the integrity check covers.
    let content: ArraySlice<UInt8>
    /// The ContentInfos inside.
    let parts: [ASN1Node]
    /// `nil` if the file has no check, or one of another kind (RFC 9579). A wrong password then shows later.
    let check: PKCS12Check?

    static let data: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 7, 1]
    static let encryptedData: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 7, 6]

    init(_ bytes: [UInt8]) throws {
        let fields = try BER.parse(bytes).children
        guard fields.count >= 2, try fields[1].first?.objectIdentifier == Self.data else {
            throw ASN1Error.invalidASN1Object(reason: "The file is not a password-protected PKCS#12 file.")
        }
        content = try fields[1].wrapped.octets
        parts = try BER.parse(content).children
        check = fields.count > 2 ? try PKCS12Check(fields[2]) : nil
    }
}

extension ASN1Node {
    /// The nodes inside; none for a primitive one.
    var children: [ASN1Node] { if case .constructed(let nodes) = content { Array(nodes) } else { [] } }

    var first: ASN1Node? { children.first }

    /// The node in `[0] EXPLICIT`, which is the second one of this sequence.
    var wrapped: ASN1Node {
        get throws {
            let children = children
            guard
                children.count > 1,
                children[1].identifier == ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific),
                let content = children[1].first
            else { throw ASN1Error.invalidASN1Object(reason: "A content is missing.") }
            return content
        }
    }

    var objectIdentifier: ASN1ObjectIdentifier { get throws { try ASN1ObjectIdentifier(berEncoded: self) } }

    /// The bytes of an OCTET STRING, which may be in pieces.
    var octets: ArraySlice<UInt8> { get throws { try ASN1OctetString(berEncoded: self).bytes } }
}
