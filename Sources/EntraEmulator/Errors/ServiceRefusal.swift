// Licensed under the MIT License. See LICENSE.

import MSALBase

/// A refusal that a fault has an endpoint answer with, in the words of the service, for tests of what a client makes of it.
///
/// The raw value is the AADSTS number. Most of them can be provoked by a request that deserves them, too.
public enum ServiceRefusal: Int, Sendable, CaseIterable {
    /// The secret is none of the application's.
    case wrongSecret = 7_000_215
    /// The secret's life is over.
    case expiredSecret = 7_000_222
    /// There is no such application in the tenant.
    case unknownApplication = 700_016
    /// The assertion is not good yet, or no longer.
    case assertionOutsideLifetime = 700_024
    /// The certificate that signed the assertion is not registered.
    case unknownAssertionKey = 700_027
    /// There is no such API in the tenant.
    case unknownResource = 500_011
    /// An application's own token was asked for with another scope than `.default`.
    case scopeIsNotDefault = 1_002_012
    /// The user's token in an exchange is not good.
    case invalidUserAssertion = 50_013
    /// Nobody has consented.
    case consentRequired = 65_001
    /// A policy wants a second factor; the response has claims for the caller.
    case secondFactorRequired = 50_076
    /// The client sends the same request over and over.
    case requestLoop = 50_196
    /// The service is busy for a moment.
    case temporarilyUnavailable = 90_033
    /// The tenant sends too many requests: status 429.
    case tenantThrottled = 90_055
}

extension ServiceRefusal {
    /// The claims of a second factor that a fault names none for.
    private static let claims =
        #"{"access_token":{"capolids":{"essential":true,"values":["00000000-0000-4000-8000-0000000000c1"]}}}"#

    /// The error with what the request says.
    ///
    /// `claims`: What the caller is asked for; `nil` means an example where the service sends claims.
    func error(clientID: String, scope: String, claims: String?) -> EntraError {
        switch self {
        case .wrongSecret: return .wrongClientSecret(clientID)
        case .expiredSecret: return .expiredClientSecret(clientID)
        case .unknownApplication: return .unknownClient(clientID)
        case .assertionOutsideLifetime: return .assertionOutsideLifetime
        case .unknownAssertionKey: return .unknownAssertionKey(clientID, thumbprint: nil)
        case .unknownResource: return .unknownResource(String(scope.prefix { $0 != " " }))
        case .scopeIsNotDefault: return .scopeIsNotDefault(scope)
        case .invalidUserAssertion: return .invalidUserAssertion("it was refused on request")
        case .consentRequired: return .consentRequired(clientID, inTokenRequest: true)
        case .secondFactorRequired:
            var error = EntraError.secondFactorInteraction
            error.suberror = "basic_action"
            return error.with(["claims": .string(claims ?? Self.claims)])
        case .requestLoop: return .requestLoop
        case .temporarilyUnavailable: return .serverFault
        case .tenantThrottled: return .tenantThrottled
        }
    }
}

extension EntraError {
    fileprivate static let requestLoop = EntraError(
        number: 50_196,
        error: "invalid_grant",
        message: "The server terminated an operation because it encountered a client request loop. Contact the vendor "
            + "of the app."
    )

    fileprivate static let tenantThrottled = EntraError(
        number: 90_055,
        error: "temporarily_unavailable",
        message: "The request was refused because the tenant sends too many of them.",
        status: 429
    )
}
