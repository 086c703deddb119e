// Licensed under the MIT License. See LICENSE.

// The aliases are Microsoft's. Parameters repeat the types with `@Sendable` because Swift 6.3 ignores that attribute on
// a type alias without a warning.

/// Receives the outcome of a token request; exactly one of the two is not `nil`.
public typealias MSALCompletionBlock = (MSALResult?, (any Error)?) -> Void

/// Receives accounts or an error.
public typealias MSALAccountsCompletionBlock = ([MSALAccount]?, (any Error)?) -> Void

/// Receives the current account, the previous one, and an error. Both accounts may be `nil` without an error.
public typealias MSALCurrentAccountCompletionBlock = (MSALAccount?, MSALAccount?, (any Error)?) -> Void

/// Receives whether the account is signed out, and an error.
public typealias MSALSignoutCompletionBlock = (Bool, (any Error)?) -> Void

/// Receives what is known about the device, or an error.
public typealias MSALDeviceInformationCompletionBlock = (MSALDeviceInformation?, (any Error)?) -> Void

/// Receives the device's registration in a tenant, or an error.
public typealias MSALWPJMetaDataCompletionBlock = (MSALWPJMetaData?, (any Error)?) -> Void

/// Receives a device token, or an error.
public typealias MSALDeviceTokenResultCompletionBlock = (MSALDeviceTokenResult?, (any Error)?) -> Void
