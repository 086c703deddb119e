// Licensed under the MIT License. See LICENSE.

/// The error codes in ``MSALErrorDomain`` that apps handle.
///
/// Errors arrive as `NSError`; compare `code` with `rawValue`.
public enum MSALError: Int, Sendable {
    /// All errors that the app cannot recover from; `MSALInternalErrorCodeKey` has the cause. Log it.
    case `internal` = -50000
    /// A device token was requested, but the device is not registered. The library cannot register it: continue without
    /// such a token.
    case workplaceJoinRequired = -50001
    /// A silent request cannot continue without user interaction. Call `acquireToken(with:)`.
    case interactionRequired = -50002
    /// Fewer scopes were granted than requested. Use the result in `MSALInvalidResultKey`, or try again with the
    /// granted scopes.
    case serverDeclinedScopes = -50003
    /// The service requires an app protection policy, which needs Intune and is not possible on Linux; tell the user.
    case serverProtectionPoliciesRequired = -50004
    /// The user canceled or took longer than `interactionTimeout`, the program called `cancelCurrentWebAuthSession()`
    /// or canceled the task, or the server returned `access_denied`. Do nothing.
    case userCanceled = -50005
    /// OAuth `server_error`. Delivered as `internal` with this number in `MSALInternalErrorCodeKey`; try again later.
    case serverError = -50006
    /// The device's registration must be upgraded, which is not possible on Linux; tell the user. Delivered as
    /// `internal` with this number in `MSALInternalErrorCodeKey`.
    case insufficientDeviceStrength = -50007
    /// Device management has completed its enrollment. Not delivered on Linux.
    case mdmEnrollmentCompletedNeedsRetry = -50008
    /// An app's own key cannot be used; ``MSALExternalKeyPairFailureReasonKey`` has the reason. Correct the key.
    case invalidExternalKeyPair = -50009
    /// The password must be changed first (STS error 50142). Send the user to the password change page.
    case serverInvalidRequestResetPasswordRequired = -50142
}

// The names have Microsoft's spelling, so that existing code compiles.

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of the library's errors. Transport failures are in `NSURLErrorDomain`.
public let MSALErrorDomain = "MSALErrorDomain"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: the server's OAuth error, such as `invalid_grant` (String).
public let MSALOAuthErrorKey = "MSALOAuthErrorKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: the server's suberror, such as `bad_token` (String).
public let MSALOAuthSubErrorKey = "MSALOAuthSubErrorKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: text for the suberror (String). Not set on Linux.
public let MSALOAuthSubErrorDescriptionKey = "MSALOAuthSubErrorDescriptionKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: the claims that the service requests, as the JSON text that it sent (String). Linux only.
///
/// Sign the user in with them: `MSALClaimsRequest(jsonString:error:)` in the parameters' `claimsRequest`.
public let MSALOAuthClaimsKey = "MSALOAuthClaimsKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: the cause and usually a remedy (String), for logs and developers. The wording may change.
public let MSALErrorDescriptionKey = "MSALErrorDescriptionKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: the numbers after `AADSTS` ([Int]).
public let MSALSTSErrorCodesKey = "MSALSTSErrorCodesKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: the raw value of an ``MSALInternalError`` (Int); set only if the code is ``MSALError/internal``.
public let MSALInternalErrorCodeKey = "MSALInternalErrorCodeKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: the headers of a response without an OAuth error ([String: String]).
public let MSALHTTPHeadersKey = "MSALHTTPHeadersKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: the ID of the request in the service's logs (String); include it in support requests.
public let MSALCorrelationIDKey = "MSALCorrelationIDKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo` of a failed token request: the seconds that it took (`total`), and that it waited for the network
/// (`network`) and the token store (`store`), as in ``MSALResult/totalDuration`` ([String: Double]). Linux only.
public let MSALDurationsKey = "MSALDurationsKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: the HTTP status of a response without an OAuth error, as text (String).
public let MSALHTTPResponseCodeKey = "MSALHTTPResponseCodeKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: requested scopes that were not granted ([String]).
public let MSALDeclinedScopesKey = "MSALDeclinedScopesKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: the user name that the error concerns (String).
public let MSALDisplayableUserIdKey = "MSALDisplayableUserIdKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: the granted scopes, without openid/profile/offline_access ([String]).
public let MSALGrantedScopesKey = "MSALGrantedScopesKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: the ``MSALResult`` with fewer scopes than requested, which can be used.
public let MSALInvalidResultKey = "MSALInvalidResultKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: the version of the identity broker that failed, as the broker states it (String).
public let MSALBrokerVersionKey = "MSALBrokerVersionKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: the home account ID that the error concerns (String).
public let MSALHomeAccountIdKey = "MSALHomeAccountIdKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: 1 if no request was made because the same one had just failed (NSNumber). Wait before the next one.
public let MSALThrottlingCacheHitKey = "MSALThrottlingCacheHitKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: the reason why an app's own key cannot be used, a number of ``MSALExternalKeyPairFailureReason``
/// (NSNumber).
public let MSALExternalKeyPairFailureReasonKey = "MSALExternalKeyPairFailureReasonKey"
