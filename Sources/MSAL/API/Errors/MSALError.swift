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
