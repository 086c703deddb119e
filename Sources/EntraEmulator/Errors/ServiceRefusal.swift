// Licensed under the MIT License. See LICENSE.

import MSALBase

/// A refusal that a fault has an endpoint answer with, in the words of the service, for tests of what a client makes of it.
///
/// The raw value is the AADSTS number. Most of them can be provoked by a request that deserves them, too.
public enum ServiceRefusal: Int, Sendable, CaseIterable {
    /// The secret is not one of the application's.
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
    /// Nobody has consented to a permission.
    case consentRequired = 65_001
    /// The user did not pass the challenge of a second factor.
    case strongAuthenticationFailed = 50_074
    /// A policy wants a second factor; the response has claims for the caller.
    case secondFactorRequired = 50_076
    /// A policy wants a second factor, and the user has no method for one yet.
    case registrationRequired = 50_079
    /// A policy wants a device that the service knows.
    case deviceRequired = 50_097
    /// The user is not assigned to the application.
    case notAssigned = 50_105
    /// The sign-in was interrupted for a password reset.
    case passwordRegistrationRequired = 50_125
    /// Some other condition of access failed.
    case accessConditionFailed = 50_131
    /// The terms of use, or another challenge outside the service, are still to be met.
    case termsOfUseRequired = 50_158
    /// The device does not comply.
    case deviceNotCompliant = 53_000
    /// The device is not joined to the domain.
    case deviceNotJoined = 53_001
    /// A policy blocks the request.
    case blocked = 53_003
    /// The device is not managed.
    case deviceNotManaged = 530_003
    /// The user declined.
    case declined = 65_004
    /// Only an administrator can consent.
    case administratorConsent = 90_094
    /// The client sends the same request over and over.
    case requestLoop = 50_196
    /// The service is busy for a moment.
    case temporarilyUnavailable = 90_033
    /// The tenant sends too many requests: status 429.
    case tenantThrottled = 90_055
}

extension ServiceRefusal {
    /// The policy of a refusal that a fault names no claims for.
    private static let policy = "00000000-0000-4000-8000-0000000000c1"
    /// The refusals that have claims for the caller.
    static let withClaims: [ServiceRefusal] = [
        .strongAuthenticationFailed, .secondFactorRequired, .registrationRequired, .deviceRequired,
        .accessConditionFailed, .termsOfUseRequired, .deviceNotCompliant, .deviceNotJoined, .blocked, .deviceNotManaged,
    ]

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
        case .strongAuthenticationFailed: return .strongAuthenticationFailed.asking(claims, or: Self.policy)
        case .secondFactorRequired: return .secondFactorInteraction.asking(claims, or: Self.policy)
        case .registrationRequired: return .registrationInteraction.asking(claims, or: Self.policy)
        case .deviceRequired: return .deviceNeeded.asking(claims, or: Self.policy)
        case .notAssigned: return .notAssigned("", clientID: clientID)
        case .passwordRegistrationRequired: return .passwordRegistrationNeeded
        case .accessConditionFailed: return .accessConditionFailed.asking(claims, or: Self.policy)
        case .termsOfUseRequired: return .termsOfUseNeeded.asking(claims, or: Self.policy)
        case .deviceNotCompliant: return .deviceNotCompliant.asking(claims, or: Self.policy)
        case .deviceNotJoined: return .deviceNotJoined.asking(claims, or: Self.policy)
        case .blocked: return .blockedByPolicy.asking(claims, or: Self.policy)
        case .deviceNotManaged: return .deviceNotManaged.asking(claims, or: Self.policy)
        case .declined: return .declined
        case .administratorConsent: return .administratorConsent
        case .requestLoop: return .requestLoop
        case .temporarilyUnavailable: return .serverFault
        case .tenantThrottled: return .tenantThrottled
        }
    }
}

extension EntraError {
    /// The refusal with the claims of a fault, or with those that name a policy.
    fileprivate func asking(_ claims: String?, or policy: String) -> EntraError {
        claims.map { with(["claims": .string($0)]) } ?? naming([policy])
    }

    fileprivate static let requestLoop = invalidGrant(
        50_196,
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
