// Licensed under the MIT License. See LICENSE.

// Microsoft's spelling, so that existing code finds them.

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of the library's errors. Transport failures are in `NSURLErrorDomain`.
public let MSALErrorDomain = "MSALErrorDomain"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: OAuth error string of the server (String). Value equals its name.
public let MSALOAuthErrorKey = "MSALOAuthErrorKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: server suberror (String).
public let MSALOAuthSubErrorKey = "MSALOAuthSubErrorKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: text for the suberror (String). Not set on Linux.
public let MSALOAuthSubErrorDescriptionKey = "MSALOAuthSubErrorDescriptionKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: human-readable detail (String); wording not stable.
public let MSALErrorDescriptionKey = "MSALErrorDescriptionKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: AADSTS numbers ([Int]).
public let MSALSTSErrorCodesKey = "MSALSTSErrorCodesKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: MSALInternalError raw value (Int); set only when the code is MSALError.internal.
public let MSALInternalErrorCodeKey = "MSALInternalErrorCodeKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: response headers of a failed HTTP call.
public let MSALHTTPHeadersKey = "MSALHTTPHeadersKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: correlation id, as a UUID string.
public let MSALCorrelationIDKey = "MSALCorrelationIDKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: HTTP status, as a string.
public let MSALHTTPResponseCodeKey = "MSALHTTPResponseCodeKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: requested scopes that were not granted ([String]).
public let MSALDeclinedScopesKey = "MSALDeclinedScopesKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: user name the error is about.
public let MSALDisplayableUserIdKey = "MSALDisplayableUserIdKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: scopes that were granted, without openid/profile/offline_access ([String]).
public let MSALGrantedScopesKey = "MSALGrantedScopesKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: the MSALResult that failed validation: fewer scopes than asked for.
public let MSALInvalidResultKey = "MSALInvalidResultKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: version of the broker that answered. Not set on Linux.
public let MSALBrokerVersionKey = "MSALBrokerVersionKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: home account id the error is about.
public let MSALHomeAccountIdKey = "MSALHomeAccountIdKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: set when the error came from the client-side throttling cache.
public let MSALThrottlingCacheHitKey = "MSALThrottlingCacheHitKey"
