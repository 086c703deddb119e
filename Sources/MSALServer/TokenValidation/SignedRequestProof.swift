// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import MSALBase
import MSALCore

/// An access token inside a signed request (draft-ietf-oauth-signed-http-request-03 §3), taken apart and not verified.
package struct SignedRequestProof: Sendable {
    /// The token inside, which is checked as any other.
    package let accessToken: String
    private let token: CompactToken

    /// The time for which a proof is good before and after its own time, in seconds.
    static let window: Double = 300

    /// - Throws: `.invalidProof`; `.tokenTooLarge`.
    package init(_ text: String) throws(MSALTokenRejection) {
        do throws(MSALTokenRejection) {
            token = try CompactToken(text)
        } catch {
            throw error.code == .tokenTooLarge ? error : MSALTokenRejection(.invalidProof)
        }
        guard let accessToken = token.payload["at"]?.string else { throw MSALTokenRejection(.invalidProof) }
        self.accessToken = accessToken
    }

    /// The nonce, which belongs to this request alone.
    var nonce: String? { token.payload["nonce"]?.string }

    /// Whether the key with this thumbprint signed the proof, and the proof is for this request and for now.
    ///
    /// - Parameters:
    ///   - thumbprint: The key that the access token is bound to (RFC 7638).
    ///   - request: The request that arrived.
    ///   - now: Seconds since 1970.
    /// - Returns: Whether all of it holds.
    func holds(keyThumbprint thumbprint: String, for request: MSALRequestFacts, at now: Double) -> Bool {
        isSigned(byKey: thumbprint) && isTimely(at: now) && names(request) && covers(request)
    }

    private func isSigned(byKey thumbprint: String) -> Bool {
        guard
            token.header["alg"] == .string(JSONWebSignature.Algorithm.rs256.rawValue), token.header["crit"] == nil,
            let member = token.payload["cnf"]?.object?["jwk"], let key = JSONWebKey(member),
            let modulus = member.object?["n"]?.string, let exponent = member.object?["e"]?.string,
            constantTimeEqual(ProofOfPossession.keyID(modulus: modulus, exponent: exponent), to: thumbprint)
        else { return false }
        return JSONWebSignature.isValid(token.signature, of: token.signedPart, by: .rs256, with: key)
    }

    private func isTimely(at now: Double) -> Bool {
        switch token.payload["ts"] {
        case .integer(let time): abs(now - Double(time)) <= Self.window
        case .number(let time): abs(now - time) <= Self.window
        default: false
        }
    }

    /// Method, host and path are always compared.
    private func names(_ request: MSALRequestFacts) -> Bool {
        guard
            let method = token.payload["m"]?.string, let host = token.payload["u"]?.string,
            let path = token.payload["p"]?.string
        else { return false }
        return method.lowercasedASCII.isExactly(request.method.lowercasedASCII)
            && Self.withoutUsualPort(host).isExactly(Self.withoutUsualPort(request.host))
            && path.isExactly(request.path)
    }

    private static func withoutUsualPort(_ host: String) -> String {
        let host = host.lowercasedASCII
        return host.hasSuffix(":443") ? String(host.dropLast(4)) : host
    }

    /// Query, fields and body are compared where the proof has them.
    private func covers(_ request: MSALRequestFacts) -> Bool {
        if let query = token.payload["q"] {
            guard let list = HashedList(query), list.matches(list.query(of: request), separator: "&") else {
                return false
            }
        }
        if let fields = token.payload["h"] {
            guard let list = HashedList(fields), list.matches(list.fields(of: request), separator: "\n") else {
                return false
            }
        }
        if let hash = token.payload["b"] {
            guard let body = request.body, let hash = hash.string,
                hash.isExactly(Base64URL.encode(SHA256.hash(data: body)))
            else { return false }
        }
        return true
    }
}

/// Names in an order, with the hash of what they name.
private struct HashedList {
    private let names: [String]
    private let hash: String

    /// Reads a list of two: the names, and the hash. The result is `nil` for something else.
    init?(_ value: JSONValue) {
        guard
            let parts = value.array, parts.count == 2, let names = parts[0].array, let hash = parts[1].string,
            names.allSatisfy({ $0.string != nil })
        else { return nil }
        self.names = names.compactMap(\.string)
        self.hash = hash
    }

    func matches(_ texts: [String]?, separator: String) -> Bool {
        guard let texts else { return false }
        return hash.isExactly(Base64URL.encode(SHA256.hash(data: Data(texts.joined(separator: separator).utf8))))
    }

    /// The named parameters, as they stand in the query. The result is `nil` if the query has one twice, or one that
    /// the proof does not name: another party could have added it.
    func query(of request: MSALRequestFacts) -> [String]? {
        let pairs = (request.query ?? "").utf8.split(separator: UInt8(ascii: "&"))
        let byName = Dictionary(pairs.map { (Array($0.prefix { $0 != UInt8(ascii: "=") }), $0) }) { first, _ in first }
        let names = names.map { Array($0.utf8) }
        guard byName.count == pairs.count, Set(byName.keys) == Set(names) else { return nil }
        return names.compactMap { byName[$0].map { String(Substring($0)) } }
    }

    /// The named fields. The result is `nil` if one is missing or stands twice.
    func fields(of request: MSALRequestFacts) -> [String]? {
        var texts: [String] = []
        for name in names {
            let values = request.values(of: name)
            guard values.count == 1 else { return nil }
            texts.append("\(name.lowercasedASCII): \(values[0])")
        }
        return texts
    }
}
