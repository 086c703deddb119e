// Licensed under the MIT License. See LICENSE.

// The aliases are Microsoft's. Parameters spell the same types out with `@Sendable`: Swift 6.3 ignores that attribute
// on a type alias, and gives no warning.

/// Takes the outcome of a token request; exactly one of the two is given.
public typealias MSALCompletionBlock = (MSALResult?, (any Error)?) -> Void

/// Takes accounts or an error.
public typealias MSALAccountsCompletionBlock = ([MSALAccount]?, (any Error)?) -> Void

/// Takes the current account, the one before, and an error. Both accounts may be missing without an error.
public typealias MSALCurrentAccountCompletionBlock = (MSALAccount?, MSALAccount?, (any Error)?) -> Void

/// Takes whether the account is signed out, and an error.
public typealias MSALSignoutCompletionBlock = (Bool, (any Error)?) -> Void

/// Takes what is known of the device, or an error.
public typealias MSALDeviceInformationCompletionBlock = (MSALDeviceInformation?, (any Error)?) -> Void

/// Takes the registration of the device in a tenant, or an error.
public typealias MSALWPJMetaDataCompletionBlock = (MSALWPJMetaData?, (any Error)?) -> Void

/// Takes a token of the device, or an error.
public typealias MSALDeviceTokenResultCompletionBlock = (MSALDeviceTokenResult?, (any Error)?) -> Void
