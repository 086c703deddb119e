// Licensed under the MIT License. See LICENSE.

import MSALBase
package import MSALCore
package import SealedStore

/// The failure of a call of the client. The kinds are closed, so a new one does not compile until the API maps it.
package struct AuthError: Error, Sendable {
    /// The kinds of failures. Each case says what the app should do.
    package enum Kind: Sendable {
        /// The developer passed something unusable. Correct the call.
        case invalidParameter
        /// The situation is not supported, or a response lacks what the library needs; see the message.
        case unexpected
        /// The redirect URI cannot be used; correct it in the configuration and the app registration.
        case invalidRedirectURI
        /// No installed desktop entry handles the redirect URI's scheme; install one, or use `http://localhost`.
        case redirectSchemeNotRegistered
        /// Only the user can help. Call the interactive method.
        case interactionRequired
        /// The authorization endpoint returned an error; see ``AuthError/oauth``.
        case authorizationRefused(OAuthError)
        /// The token endpoint returned an error; see ``AuthError/oauth``.
        case tokenRefused(OAuthError)
        /// The service granted fewer scopes than the app asked for. The tokens are stored. Use the result, or explain
        /// and ask again.
        case declinedScopes(granted: [String], declined: [String], result: TokenResult)
        /// An app protection policy of the tenant forbids the token.
        case protectionPolicyRequired(username: String?, homeAccountID: String?)
        /// The user or the app canceled. There is nothing to report.
        case canceled
        /// Another interactive session of this process is open; wait for it or cancel it.
        case sessionAlreadyRunning
        /// The redirect does not belong to this sign-in; start again. Someone may have tampered with it.
        case invalidState
        /// The service's response is malformed or its ID token failed a check; the message names the check.
        case invalidResponse
        /// The service does not know the authority. Correct it, or list it among the known authorities.
        case authorityValidationFailed
        /// The response has an HTTP status and no OAuth error. Try again later.
        case http(status: Int, headers: [String: String])
        /// No response came; check the network, the proxy and the certificate authorities.
        case transport(TransportError)
        /// Several accounts are signed in; choose one.
        case ambiguousAccount
        /// The call needs an account, and the app gave none.
        case accountRequired
        /// The call is for registered devices, and this one is not registered.
        case deviceNotRegistered
        /// Another user signed in than the one that the app asked for. Nothing of the response was used. Ask again, or
        /// without an account.
        case mismatchedUser
        /// The identity broker failed; see ``BrokerFault``.
        case broker(BrokerFault)
        /// The token store could not be used; the message says why.
        case store(StoreError)
    }

    /// The faults of an identity broker for which there is no other kind.
    package enum BrokerFault: Sendable, Hashable {
        /// There is no broker, or it cannot do this, or the app must not use it. Go on without the broker.
        case notAvailable
        /// The broker did not respond, or went away meanwhile. Try again.
        case notResponding
        /// The broker is busy, or the service behind it is. Try again later.
        case busy
        /// The broker's response is invalid. It was discarded.
        case damagedResponse
        /// The broker failed for another reason. The message quotes the broker.
        case failed
    }

    package var kind: Kind
    /// One or two sentences in one line: what went wrong, and what to do. They may quote the service.
    package var message: String { didSet { message = message.visibleLine } }
    /// The id of the request. The service repeats it in its logs. Quote it when you ask for help.
    var correlationID: UUID?
    /// Whether the error repeats an earlier failure: no request was sent.
    package var isThrottled = false
    /// Whether the failure is specific to this sign-in mode, so that the next mode may be tried.
    var allowsNextMode = false
    /// The numbers in the message of a response without an OAuth error.
    var wordCodes: [Int] = []
    /// The version of the identity broker that failed; `nil` if no broker failed, or if the broker does not say.
    var brokerVersion: String?
    var durations: CallDurations?
    private var cause: Cause?

    /// The `AADSTS…` numbers that the service returned, with an OAuth error or without one.
    var serviceCodes: [Int] { oauth?.codes ?? wordCodes }

    /// The error that caused this one.
    var underlying: AuthError? { cause?.error }

    package init(_ kind: Kind, message: String, underlying: AuthError? = nil) {
        self.kind = kind
        self.message = message.visibleLine
        cause = underlying.map(Cause.init)
    }

    /// The service's own error, as this error or the error beneath it has it.
    package var oauth: OAuthError? { kind.traits.oauth ?? underlying?.oauth }

    /// Whether the service, not the request, is at fault: an outage allows the fallbacks of a silent request.
    var isServiceUnavailable: Bool { kind.traits.isServiceUnavailable }

    /// Whether the caller may get a token that is still usable instead of this failure.
    var allowsFallback: Bool { kind.traits.allowsFallback }

    /// This error. It names the user as well if the token endpoint says that a protection policy stands in the way.
    func namingProtectedAccount(_ homeAccountID: String?) -> AuthError {
        guard case .tokenRefused(let oauth) = kind, oauth.isNamed("unauthorized_client"),
            oauth.hasSuberror("protection_policy_required")
        else { return self }
        return AuthError(
            .protectionPolicyRequired(username: oauth.displayableID, homeAccountID: homeAccountID),
            message: message,
            underlying: self
        )
    }

    /// This error with the request's correlation ID, unless it has one, and its durations, if they are known.
    func correlated(_ id: UUID, durations: CallDurations? = nil) -> AuthError {
        var copy = self
        copy.durations = durations ?? self.durations
        copy.correlationID = oauth?.correlationID ?? correlationID ?? id
        return copy
    }
}

extension AuthError {
    /// The cause is in a box, because a value cannot hold a value of its own type.
    private final class Cause: Sendable {
        let error: AuthError
        init(_ error: AuthError) { self.error = error }
    }
}

extension AuthError.Kind {
    /// The properties of the kinds, on which the client's rules depend.
    fileprivate struct Traits {
        var oauth: OAuthError?
        var isServiceUnavailable = false
        var allowsFallback = true
    }

    /// The properties of each kind. No other table has them.
    fileprivate var traits: Traits {
        switch self {
        case .authorizationRefused(let error), .tokenRefused(let error): Traits(oauth: error)
        case .http(let status, _): Traits(isServiceUnavailable: status >= 500)
        case .transport, .broker(.busy): Traits(isServiceUnavailable: true)
        case .canceled, .protectionPolicyRequired, .declinedScopes: Traits(allowsFallback: false)
        case .invalidParameter, .unexpected, .invalidRedirectURI, .redirectSchemeNotRegistered, .interactionRequired,
            .sessionAlreadyRunning, .invalidState, .invalidResponse, .authorityValidationFailed, .ambiguousAccount,
            .accountRequired, .deviceNotRegistered, .mismatchedUser, .broker, .store:
            Traits()
        }
    }
}
