// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// An error response that a ``Fault`` makes an endpoint return, with the messages of the service, for testing how a
/// client handles it.
///
/// The raw value is the AADSTS number. Most errors also occur without a fault, in response to a matching request.
public enum ServiceRefusal: Int, Sendable, CaseIterable {
    /// The secret is not one of the application's.
    case wrongSecret = 7_000_215
    /// The secret has expired.
    case expiredSecret = 7_000_222
    /// The tenant has no such application.
    case unknownApplication = 700_016
    /// The assertion is not valid yet, or has expired.
    case assertionOutsideLifetime = 700_024
    /// The certificate that signed the assertion is not registered.
    case unknownAssertionKey = 700_027
    /// The tenant has no such API.
    case unknownResource = 500_011
    /// An app-only token was requested with a scope other than `.default`.
    case scopeIsNotDefault = 1_002_012
    /// The user's token in an exchange is not valid.
    case invalidUserAssertion = 50_013
    /// A permission lacks consent.
    case consentRequired = 65_001
    /// The user did not pass the challenge of a second factor.
    case strongAuthenticationFailed = 50_074
    /// A policy requires a second factor; the response has claims for the caller.
    case secondFactorRequired = 50_076
    /// A policy requires a second factor, and the user has no method yet.
    case registrationRequired = 50_079
    /// A policy requires a device that the service knows.
    case deviceRequired = 50_097
    /// The user is not assigned to the application.
    case notAssigned = 50_105
    /// The sign-in was interrupted for a password reset.
    case passwordRegistrationRequired = 50_125
    /// Some other access condition failed.
    case accessConditionFailed = 50_131
    /// The user still has to accept the terms of use, or complete another external challenge.
    case termsOfUseRequired = 50_158
    /// The device is not compliant.
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
    /// The client repeats the same request in a loop.
    case requestLoop = 50_196
    /// The service is temporarily busy.
    case temporarilyUnavailable = 90_033
    /// The tenant sends too many requests: status 429.
    case tenantThrottled = 90_055
}

extension ServiceRefusal {
    /// The policy for a refusal whose fault has no claims.
    private static let policy = "00000000-0000-4000-8000-0000000000c1"
    /// The refusals with claims for the caller.
    static let withClaims: [ServiceRefusal] = [
        .strongAuthenticationFailed, .secondFactorRequired, .registrationRequired, .deviceRequired,
        .accessConditionFailed, .termsOfUseRequired, .deviceNotCompliant, .deviceNotJoined, .blocked, .deviceNotManaged,
    ]

    /// The error for a request.
    ///
    /// `claims`: The claims that the caller must request; `nil` uses an example if the service sends claims.
    func error(clientID: String, scope: String, claims: String?, at now: Date) -> EntraError {
        switch self {
        case .wrongSecret: return .wrongClientSecret(clientID)
        case .expiredSecret: return .expiredClientSecret(clientID)
        case .unknownApplication: return .unknownClient(clientID)
        case .assertionOutsideLifetime: return .assertionOutsideLifetime(from: now - 660, until: now - 360, at: now)
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
    /// The error with the claims of a fault, or with claims that name a policy.
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
