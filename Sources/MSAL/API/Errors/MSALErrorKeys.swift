// Licensed under the MIT License. See LICENSE.

// The names are spelled as Microsoft spells them, so that existing code compiles.

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
/// In `userInfo`: the claims that the service asks for, as the JSON text that it sent (String). Linux only.
///
/// Sign the user in with them: `MSALClaimsRequest(jsonString:error:)` in the parameters' `claimsRequest`.
public let MSALOAuthClaimsKey = "MSALOAuthClaimsKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: the cause and mostly the remedy (String), for logs and developers. Its wording may change.
public let MSALErrorDescriptionKey = "MSALErrorDescriptionKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: the numbers behind `AADSTS…` ([Int]).
public let MSALSTSErrorCodesKey = "MSALSTSErrorCodesKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: the raw value of an ``MSALInternalError`` (Int); set only if the code is ``MSALError/internal``.
public let MSALInternalErrorCodeKey = "MSALInternalErrorCodeKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: the headers of a response without an OAuth error ([String: String]).
public let MSALHTTPHeadersKey = "MSALHTTPHeadersKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: the id by which the service's logs know the request (String); quote it when asking for help.
public let MSALCorrelationIDKey = "MSALCorrelationIDKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: the HTTP status of a response without an OAuth error, as text (String).
public let MSALHTTPResponseCodeKey = "MSALHTTPResponseCodeKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: requested scopes that were not granted ([String]).
public let MSALDeclinedScopesKey = "MSALDeclinedScopesKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: the user name that the error is about (String).
public let MSALDisplayableUserIdKey = "MSALDisplayableUserIdKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: scopes that were granted, without openid/profile/offline_access ([String]).
public let MSALGrantedScopesKey = "MSALGrantedScopesKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: the ``MSALResult`` with fewer scopes than were asked for, which can be used.
public let MSALInvalidResultKey = "MSALInvalidResultKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: the version of the identity broker that failed, in its own words (String).
public let MSALBrokerVersionKey = "MSALBrokerVersionKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: the home account id that the error is about (String).
public let MSALHomeAccountIdKey = "MSALHomeAccountIdKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: 1 if no request was made, because the same one had just failed (NSNumber). Wait before the next.
public let MSALThrottlingCacheHitKey = "MSALThrottlingCacheHitKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: why a key of the app's own cannot be used, a number of ``MSALExternalKeyPairFailureReason`` (NSNumber).
public let MSALExternalKeyPairFailureReasonKey = "MSALExternalKeyPairFailureReasonKey"
