// Licensed under the MIT License. See LICENSE.

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
