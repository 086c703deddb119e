// Licensed under the MIT License. See LICENSE.

// Microsoft's spelling, so that existing code finds them.

/// The domain of the library's errors. Transport failures are in `NSURLErrorDomain`.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let MSALErrorDomain = "MSALErrorDomain"

/// In `userInfo`: OAuth error string of the server (String). Value equals its name.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let MSALOAuthErrorKey = "MSALOAuthErrorKey"

/// In `userInfo`: server suberror (String).
// swift-format-ignore: AlwaysUseLowerCamelCase
public let MSALOAuthSubErrorKey = "MSALOAuthSubErrorKey"

/// In `userInfo`: text for the suberror (String).
// swift-format-ignore: AlwaysUseLowerCamelCase
public let MSALOAuthSubErrorDescriptionKey = "MSALOAuthSubErrorDescriptionKey"

/// In `userInfo`: human-readable detail (String); wording not stable.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let MSALErrorDescriptionKey = "MSALErrorDescriptionKey"

/// In `userInfo`: AADSTS numbers ([Int]).
// swift-format-ignore: AlwaysUseLowerCamelCase
public let MSALSTSErrorCodesKey = "MSALSTSErrorCodesKey"

/// In `userInfo`: MSALInternalError raw value (Int); set only when the code is MSALError.internal.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let MSALInternalErrorCodeKey = "MSALInternalErrorCodeKey"

/// In `userInfo`: response headers of a failed HTTP call.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let MSALHTTPHeadersKey = "MSALHTTPHeadersKey"

/// In `userInfo`: correlation id, as a UUID string.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let MSALCorrelationIDKey = "MSALCorrelationIDKey"

/// In `userInfo`: HTTP status, as a string.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let MSALHTTPResponseCodeKey = "MSALHTTPResponseCodeKey"

/// In `userInfo`: requested scopes that were not granted ([String]).
// swift-format-ignore: AlwaysUseLowerCamelCase
public let MSALDeclinedScopesKey = "MSALDeclinedScopesKey"

/// In `userInfo`: user name the error is about.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let MSALDisplayableUserIdKey = "MSALDisplayableUserIdKey"

/// In `userInfo`: scopes that were granted, without openid/profile/offline_access ([String]).
// swift-format-ignore: AlwaysUseLowerCamelCase
public let MSALGrantedScopesKey = "MSALGrantedScopesKey"

/// In `userInfo`: the MSALResult that failed validation (declined scopes, other account).
// swift-format-ignore: AlwaysUseLowerCamelCase
public let MSALInvalidResultKey = "MSALInvalidResultKey"

/// In `userInfo`: version of the broker that answered.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let MSALBrokerVersionKey = "MSALBrokerVersionKey"

/// In `userInfo`: home account id the error is about.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let MSALHomeAccountIdKey = "MSALHomeAccountIdKey"

/// In `userInfo`: set when the error came from the client-side throttling cache.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let MSALThrottlingCacheHitKey = "MSALThrottlingCacheHitKey"
