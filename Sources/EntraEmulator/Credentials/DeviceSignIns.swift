// Licensed under the MIT License. See LICENSE.

import Crypto
package import Foundation
import MSALBase
import Synchronization

/// A user's sign-in to a device: the service's record of a primary refresh token.
package struct DeviceSignIn: Sendable, Identifiable {
    package let id: UUID
    /// The object ID of the home tenant.
    package let userID: String
    package let authenticatedAt: Date
    package var hasSecondFactor: Bool
    /// The authentication contexts that the user has satisfied.
    package var authenticationContexts: [String] = []
    /// The primary refresh token.
    fileprivate let token = Secret.random()
    /// The key that the device shares with the service.
    fileprivate let key = SymmetricKey(size: .bits256)

    init(userID: String, authenticatedAt: Date, hasSecondFactor: Bool) {
        id = .random()
        self.userID = userID
        self.authenticatedAt = authenticatedAt
        self.hasSecondFactor = hasSecondFactor
    }
}

/// The sign-ins of devices, and the credentials that devices derive from them ([MS-OAPXBC], "OAuth 2.0 Protocol
/// Extensions for Broker Clients"). They are kept in memory, so a restart of the emulator ends them.
///
/// A credential is a JSON Web Token that contains the primary refresh token. The device signs it with the session key
/// (HS256). In the header or cookie `x-ms-RefreshTokenCredential`, it signs the user in to the browser. With the claim
/// `client_id`, it requests tokens for an app. Simplified: the device signs with the session key itself, not with a
/// derived key.
final class DeviceSignIns: Sendable {
    /// The header field and the cookie of a browser.
    static let credentialName = "x-ms-RefreshTokenCredential"
    /// The parameter of a nonce for the next credential.
    static let nonceParameter = "sso_nonce"

    /// The result of a check.
    enum Check {
        case valid(DeviceSignIn, clientID: String?)
        /// The credential has expired, or its nonce was already used.
        case stale
        case worthless
    }

    private struct State {
        var signIns: [UUID: DeviceSignIn] = [:]
        /// The unused nonces, each with its expiry.
        var nonces: [String: Date] = [:]
    }

    private let state = Mutex(State())
    /// In seconds. A nonce is valid for this long. A credential without a nonce is valid for this long before and after
    /// it was created.
    private static let lifetime: TimeInterval = 300
    private static let nonceLimit = 1_000

    // MARK: Sign-ins

    func add(_ signIn: DeviceSignIn) { state.withLock { $0.signIns[signIn.id] = signIn } }

    /// Ends a sign-in, so that its credentials are no longer accepted.
    func end(_ id: UUID) { state.withLock { $0.signIns[id] = nil } }

    func removeAll() { state.withLock { $0 = State() } }

    // MARK: Credentials

    /// Creates a nonce for a credential that can be used once.
    func nonce(at now: Date) -> String {
        let nonce = Secret.random().exposed
        state.withLock { state in
            state.nonces.makeRoom(for: Self.nonceLimit, at: now) { $0 }
            state.nonces[nonce] = now.addingTimeInterval(Self.lifetime)
        }
        return nonce
    }

    /// Creates the credential for a browser, or for an app's token request; `nil` if the sign-in has ended.
    func credential(of id: UUID, nonce: String? = nil, clientID: String? = nil, at now: Date) throws -> Secret? {
        guard let signIn = state.withLock({ $0.signIns[id] }) else { return nil }
        var claims: [String: JSONValue] = ["refresh_token": .string(signIn.token.exposed), "is_primary": "true"]
        if let nonce {
            claims["request_nonce"] = .string(nonce)
        } else {
            claims["iat"] = .int(Int(now.timeIntervalSince1970))
        }
        claims["client_id"] = clientID.map { .string($0) }
        let header: JSONValue = [
            "alg": "HS256", "typ": "JWT", "ctx": .string(Data([UInt8].random(count: 24)).base64EncodedString()),
        ]
        let text = SigningKeys.text(header, claims: claims)
        let code = HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: signIn.key)
        return Secret("\(text).\(Data(code).base64URL)")
    }

    /// Checks a credential and consumes its nonce.
    func check(_ credential: Secret, at now: Date) -> Check {
        guard let token = SignedToken(credential), let primary = token.claims["refresh_token"]?.string else {
            return .worthless
        }
        let wanted = Secret(primary)
        return state.withLock { state in
            guard let signIn = state.signIns.values.first(where: { $0.token == wanted }), token.isSigned(by: signIn.key)
            else { return .worthless }
            let isFresh: Bool
            if let nonce = token.claims["request_nonce"]?.string {
                isFresh = state.nonces.removeValue(forKey: nonce).map { $0 > now } ?? false
            } else {
                isFresh = token.time("iat").map { abs(now.timeIntervalSince1970 - $0) <= Self.lifetime } ?? false
            }
            return isFresh ? .valid(signIn, clientID: token.claims["client_id"]?.string) : .stale
        }
    }
}
