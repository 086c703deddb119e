// Licensed under the MIT License. See LICENSE.

/// The codes of errors in ``MSALErrorDomain`` on which an app branches.
///
/// Errors arrive as `NSError`; compare `code` with `rawValue`.
public enum MSALError: Int, Sendable {
    /// Everything that the app cannot recover from; `MSALInternalErrorCodeKey` has the cause. Log it.
    case `internal` = -50000
    /// A token of the device itself was asked for, and the device is not registered. The library cannot register it:
    /// go on without such a token.
    case workplaceJoinRequired = -50001
    /// A silent request cannot go on without the user. Call `acquireToken(with:)`.
    case interactionRequired = -50002
    /// Fewer scopes were granted than asked for. Use the result in `MSALInvalidResultKey`, or ask again with the
    /// granted scopes.
    case serverDeclinedScopes = -50003
    /// The service asks for an app protection policy, which needs Intune. Linux cannot fulfil it; tell the user.
    case serverProtectionPoliciesRequired = -50004
    /// The user gave up or was gone for longer than `interactionTimeout`, the program called
    /// `cancelCurrentWebAuthSession()` or cancelled the task, or the server said `access_denied`. Do nothing.
    case userCanceled = -50005
    /// OAuth `server_error`. Delivered as `internal` with this number in `MSALInternalErrorCodeKey`; try again later.
    case serverError = -50006
    /// The registration of the device must be upgraded. Delivered as `internal` with this number in
    /// `MSALInternalErrorCodeKey`; Linux cannot do it, tell the user.
    case insufficientDeviceStrength = -50007
    /// Device management finished its enrolment. Not delivered on Linux.
    case mdmEnrollmentCompletedNeedsRetry = -50008
    /// A key of the app's own cannot be used; ``MSALExternalKeyPairFailureReasonKey`` has the reason. Correct the key.
    case invalidExternalKeyPair = -50009
    /// The password must be changed first (STS error 50142). Send the user to the password change page.
    case serverInvalidRequestResetPasswordRequired = -50142
}
