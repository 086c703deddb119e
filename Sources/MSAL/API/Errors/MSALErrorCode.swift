// Licensed under the MIT License. See LICENSE.

/// The error codes of MSAL 0.2 and 0.3, for existing code.
///
/// The numbers that apps handle are those of today's errors, so
/// `error.code == MSALErrorCode.interactionRequired.rawValue` still works. The others keep their old numbers, which now
/// appear in `MSALInternalErrorCodeKey` or not at all. New code should use ``MSALError``.
public enum MSALErrorCode: Int, Sendable {
    /// Now the detail code -42000 of `MSALInternalError`.
    case invalidParameter = -42000
    /// Now the detail code -42001 of `MSALInternalError`.
    case redirectSchemeNotRegistered = -42001
    /// Now the detail code -42002 of `MSALInternalError`.
    case invalidRequest = -42002
    /// Now the detail code -42003 of `MSALInternalError`.
    case invalidClient = -42003
    /// Now the detail code -42004 of `MSALInternalError`.
    case invalidGrant = -42004
    /// Now the detail code -42005 of `MSALInternalError`.
    case invalidScope = -42005
    /// Now the detail code -42007 of `MSALInternalError`.
    case unhandledResponse = -42007
    /// The service granted fewer scopes than requested. The number is that of `MSALError.serverDeclinedScopes`.
    case serverDeclinedScopes = -50003
    /// Now the detail code -42010 of `MSALInternalError`.
    case failedAuthorityValidation = -42010
    /// A silent call requires user interaction: the number of `MSALError.interactionRequired`. Call `acquireToken`.
    case interactionRequired = -50002
    /// Now the detail code -42101 of `MSALInternalError`.
    case mismatchedUser = -42101
    /// The library no longer delivers this code.
    case noAuthorizationResponse = -42102
    /// The library no longer delivers this code.
    case badAuthorizationResponse = -42103
    /// Now the detail code -42104 of `MSALInternalError`.
    case authorizationFailed = -42104
    /// The library no longer delivers this code.
    case badTokenResponse = -42105
    /// Now the detail code -42106 of `MSALInternalError`; a nil account in a silent call now results in MSALError
    /// -50002.
    case accountRequired = -42106
    /// The library no longer delivers this code.
    case tokenCacheItemFailure = -42200
    /// The library no longer delivers this code.
    case ambiguousAuthority = -42201
    /// The library no longer delivers this code.
    case userNotFound = -42202
    /// The library no longer delivers this code.
    case noAccessTokensFound = -42203
    /// The library no longer delivers this code.
    case wrapperCacheFailure = -42270
    /// No longer delivered; network failures are now in NSURLErrorDomain.
    case networkFailure = -42300
    /// The user canceled: the number of `MSALError.userCanceled`.
    case userCanceled = -50005
    /// Now the detail code -42402 of `MSALInternalError`.
    case interactiveSessionAlreadyRunning = -42402
    /// Now the detail code -42403 of `MSALInternalError`.
    case noViewController = -42403
    /// Now the detail code -42404 of `MSALInternalError`.
    case attemptToOpenURLFromExtension = -42404
    /// Everything else: the number of `MSALError.internal`.
    case `internal` = -50000
    /// Now the detail code -42501 of `MSALInternalError`.
    case invalidState = -42501
    /// Now the detail code -42600 of `MSALInternalError`.
    case invalidResponse = -42600
    /// The library no longer delivers this code.
    case refreshTokenRejected = -42601
    /// Now the detail code -42602 of `MSALInternalError`.
    case nonHttpsRedirect = -42602
    /// Protection policy; now `MSALError.serverProtectionPoliciesRequired`. Not delivered on Linux.
    case serverProtectionPoliciesRequired = -42603
    /// Now the detail code -42006 of `MSALInternalError`.
    case unauthorizedClient = -42006
    /// Now the detail code -42405 of `MSALInternalError`.
    case uiNotSupportedInExtension = -42405
    /// Now the detail code -42700 of `MSALInternalError`.
    case brokerResponseNotReceived = -42700
    /// Now the detail code -42701 of `MSALInternalError`.
    case brokerNoResumeStateFound = -42701
    /// Now the detail code -42702 of `MSALInternalError`.
    case brokerBadResumeStateFound = -42702
    /// Now the detail code -42703 of `MSALInternalError`.
    case brokerMismatchedResumeState = -42703
    /// Now the detail code -42704 of `MSALInternalError`.
    case brokerResponseHashMissing = -42704
    /// Now the detail code -42705 of `MSALInternalError`.
    case brokerCorruptedResponse = -42705
    /// Now the detail code -42706 of `MSALInternalError`.
    case brokerResponseDecryptionFailed = -42706
    /// Now the detail code -42707 of `MSALInternalError`.
    case brokerResponseHashMismatch = -42707
    /// Now the detail code -42708 of `MSALInternalError`.
    case brokerKeyFailedToCreate = -42708
    /// Now the detail code -42709 of `MSALInternalError`.
    case brokerKeyNotFound = -42709
    /// Device registration is required: the number of `MSALError.workplaceJoinRequired`.
    case workplaceJoinRequired = -50001
    /// Now the detail code -42711 of `MSALInternalError`.
    case brokerUnknown = -42711

    /// The program ended the session: the same as ``userCanceled``.
    public static let sessionCanceled = MSALErrorCode.userCanceled
}
