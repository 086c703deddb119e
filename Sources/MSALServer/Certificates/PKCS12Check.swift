// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import MSALBase
import SwiftASN1

/// A password in the form that PKCS#12 hashes: UTF-16 with the high byte first, and a zero at its end (RFC 7292 §B.1).
struct PKCS12Password {
    let bytes: [UInt8]

    /// Some programs write an empty password as no bytes at all. `isAbsent` stands for that.
    init(_ password: Secret, isAbsent: Bool) {
        let units = isAbsent ? [] : Array(password.exposed.utf16) + [0]
        bytes = units.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    }
}

/// The check of integrity of a PKCS#12 file: an HMAC whose key comes from the password (RFC 7292 §4, §B).
struct PKCS12Check {
    private let algorithm: ASN1ObjectIdentifier
    private let salt: [UInt8]
    private let rounds: Int
    private let expected: [UInt8]

    /// Reads the MacData of a file. The result is `nil` for a check of another kind.
    init?(_ node: ASN1Node) throws {
        let fields = node.children
        guard fields.count >= 2, let info = fields[0].first, fields[0].children.count == 2 else {
            throw ASN1Error.invalidASN1Object(reason: "The check of integrity is malformed.")
        }
        algorithm = try RSANumbers.identifier(of: info)
        expected = Array(try fields[0].children[1].octets)
        salt = Array(try fields[1].octets)
        rounds = fields.count > 2 ? try Int(berEncoded: fields[2]) : 1
        guard Self.hashes.contains(algorithm), (1...5_000_000).contains(rounds) else { return nil }
    }

    /// The form of `password` with which `content` passes the check; `nil` if the password is wrong.
    func spelling(of password: Secret, for content: ArraySlice<UInt8>) -> PKCS12Password? {
        var spellings = [PKCS12Password(password, isAbsent: false)]
        if password.exposed.isEmpty { spellings.append(PKCS12Password(password, isAbsent: true)) }
        return spellings.first { code(of: content, password: $0) == expected }
    }

    /// The MacData of another content under the same password.
    func serialize(for content: [UInt8], password: PKCS12Password, into coder: inout DER.Serializer) throws {
        let code = code(of: content[...], password: password)
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.appendConstructedNode(identifier: .sequence) { coder in
                try coder.appendConstructedNode(identifier: .sequence) { try $0.serialize(algorithm) }
                try coder.serialize(ASN1OctetString(contentBytes: code[...]))
            }
            try coder.serialize(ASN1OctetString(contentBytes: salt[...]))
            try coder.serialize(rounds)
        }
    }

    /// A check for contents that have none.
    static let fresh = PKCS12Check(algorithm: sha256, salt: [0], rounds: 1, expected: [])

    private init(algorithm: ASN1ObjectIdentifier, salt: [UInt8], rounds: Int, expected: [UInt8]) {
        (self.algorithm, self.salt, self.rounds, self.expected) = (algorithm, salt, rounds, expected)
    }

    private static let sha1: ASN1ObjectIdentifier = [1, 3, 14, 3, 2, 26]
    private static let sha256: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 1]
    private static let sha384: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 2]
    private static let sha512: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 3]
    private static let hashes: Set<ASN1ObjectIdentifier> = [sha1, sha256, sha384, sha512]

    private func code(of content: ArraySlice<UInt8>, password: PKCS12Password) -> [UInt8] {
        switch algorithm {
        case Self.sha1: code(of: content, password: password, with: Insecure.SHA1.self)
        case Self.sha384: code(of: content, password: password, with: SHA384.self)
        case Self.sha512: code(of: content, password: password, with: SHA512.self)
        default: code(of: content, password: password, with: SHA256.self)
        }
    }

    private func code<Hash: HashFunction>(
        of content: ArraySlice<UInt8>,
        password: PKCS12Password,
        with hash: Hash.Type
    ) -> [UInt8] {
        // RFC 7292 §B.2. The key of the HMAC has the length of the hash. So the first block is enough.
        let block = Hash.blockByteCount
        var digest = Hash()
        digest.update(data: [UInt8](repeating: 3, count: block))  // The purpose: a check of integrity.
        for text in [salt, password.bytes] where !text.isEmpty {
            let length = (text.count + block - 1) / block * block
            digest.update(data: (0..<length).map { text[$0 % text.count] })
        }
        var key = Array(digest.finalize())
        for _ in 1..<rounds { key = Array(Hash.hash(data: key)) }
        return Array(HMAC<Hash>.authenticationCode(for: content, using: SymmetricKey(data: key)))
    }
}
