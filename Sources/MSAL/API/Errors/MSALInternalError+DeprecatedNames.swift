// Licensed under the MIT License. See LICENSE.

// Swift on Apple platforms shortens the names of an Objective-C enum: it drops the prefix that all cases share.
// Microsoft renamed one case in some releases, which changed the shared prefix and with it the Swift names of all
// cases.

@available(*, deprecated, message: "Put internalError before the name.")
extension MSALInternalError {
    /// ``internalErrorInvalidParameter`` in MSAL 0.4 to 1.0.
    public static var invalidParameter: MSALInternalError { .internalErrorInvalidParameter }
    /// ``internalErrorRedirectSchemeNotRegistered`` in MSAL 0.4 to 1.0.
    public static var redirectSchemeNotRegistered: MSALInternalError { .internalErrorRedirectSchemeNotRegistered }
    /// ``internalErrorInvalidRequest`` in MSAL 0.4 to 1.0.
    public static var invalidRequest: MSALInternalError { .internalErrorInvalidRequest }
    /// ``internalErrorInvalidClient`` in MSAL 0.4 to 1.0.
    public static var invalidClient: MSALInternalError { .internalErrorInvalidClient }
    /// ``internalErrorInvalidGrant`` in MSAL 0.4 to 1.0.
    public static var invalidGrant: MSALInternalError { .internalErrorInvalidGrant }
    /// ``internalErrorInvalidScope`` in MSAL 0.4 to 1.0.
    public static var invalidScope: MSALInternalError { .internalErrorInvalidScope }
    /// ``internalErrorUnauthorizedClient`` in MSAL 0.4 to 1.0.
    public static var unauthorizedClient: MSALInternalError { .internalErrorUnauthorizedClient }
    /// ``internalErrorUnhandledResponse`` in MSAL 0.4 to 1.0.
    public static var unhandledResponse: MSALInternalError { .internalErrorUnhandledResponse }
    /// ``internalErrorFailedAuthorityValidation`` in MSAL 0.4 to 1.0.
    public static var failedAuthorityValidation: MSALInternalError { .internalErrorFailedAuthorityValidation }
    /// ``internalErrorMismatchedUser`` in MSAL 0.4 to 1.0.
    public static var mismatchedUser: MSALInternalError { .internalErrorMismatchedUser }
    /// ``internalErrorAuthorizationFailed`` in MSAL 0.4 to 1.0.
    public static var authorizationFailed: MSALInternalError { .internalErrorAuthorizationFailed }
    /// ``internalErrorAccountRequired`` in MSAL 0.4 to 1.0.
    public static var accountRequired: MSALInternalError { .internalErrorAccountRequired }
    /// ``internalErrorSessionCanceled`` in MSAL 0.4 to 1.0.
    public static var sessionCanceled: MSALInternalError { .internalErrorSessionCanceled }
    /// ``internalErrorInteractiveSessionAlreadyRunning`` in MSAL 0.4 to 1.0.
    public static var interactiveSessionAlreadyRunning: MSALInternalError {
        .internalErrorInteractiveSessionAlreadyRunning
    }
    /// ``internalErrorNoViewController`` in MSAL 0.4 to 1.0.
    public static var noViewController: MSALInternalError { .internalErrorNoViewController }
    /// ``internalErrorAttemptToOpenURLFromExtension`` in MSAL 0.4 to 1.0.
    public static var attemptToOpenURLFromExtension: MSALInternalError { .internalErrorAttemptToOpenURLFromExtension }
    /// ``internalErrorUINotSupportedInExtension`` in MSAL 0.4 to 1.0.
    public static var uiNotSupportedInExtension: MSALInternalError { .internalErrorUINotSupportedInExtension }
    /// ``internalErrorInvalidState`` in MSAL 0.4 to 1.0.
    public static var invalidState: MSALInternalError { .internalErrorInvalidState }
    /// ``internalErrorInvalidResponse`` in MSAL 0.4 to 1.0.
    public static var invalidResponse: MSALInternalError { .internalErrorInvalidResponse }
    /// ``internalErrorNonHttpsRedirect`` in MSAL 0.4 to 1.0.
    public static var nonHttpsRedirect: MSALInternalError { .internalErrorNonHttpsRedirect }
    /// ``internalErrorBrokerResponseNotReceived`` in MSAL 0.4 to 1.0.
    public static var brokerResponseNotReceived: MSALInternalError { .internalErrorBrokerResponseNotReceived }
    /// ``internalErrorBrokerNoResumeStateFound`` in MSAL 0.4 to 1.0.
    public static var brokerNoResumeStateFound: MSALInternalError { .internalErrorBrokerNoResumeStateFound }
    /// ``internalErrorBrokerBadResumeStateFound`` in MSAL 0.4 to 1.0.
    public static var brokerBadResumeStateFound: MSALInternalError { .internalErrorBrokerBadResumeStateFound }
    /// ``internalErrorBrokerMismatchedResumeState`` in MSAL 0.4 to 1.0.
    public static var brokerMismatchedResumeState: MSALInternalError { .internalErrorBrokerMismatchedResumeState }
    /// ``internalErrorBrokerResponseHashMissing`` in MSAL 0.4 to 1.0.
    public static var brokerResponseHashMissing: MSALInternalError { .internalErrorBrokerResponseHashMissing }
    /// ``internalErrorBrokerCorruptedResponse`` in MSAL 0.4 to 1.0.
    public static var brokerCorruptedResponse: MSALInternalError { .internalErrorBrokerCorruptedResponse }
    /// ``internalErrorBrokerResponseDecryptionFailed`` in MSAL 0.4 to 1.0.
    public static var brokerResponseDecryptionFailed: MSALInternalError { .internalErrorBrokerResponseDecryptionFailed }
    /// ``internalErrorBrokerResponseHashMismatch`` in MSAL 0.4 to 1.0.
    public static var brokerResponseHashMismatch: MSALInternalError { .internalErrorBrokerResponseHashMismatch }
    /// ``internalErrorBrokerKeyFailedToCreate`` in MSAL 0.4 to 1.0.
    public static var brokerKeyFailedToCreate: MSALInternalError { .internalErrorBrokerKeyFailedToCreate }
    /// ``internalErrorBrokerKeyNotFound`` in MSAL 0.4 to 1.0.
    public static var brokerKeyNotFound: MSALInternalError { .internalErrorBrokerKeyNotFound }
    /// ``internalErrorBrokerUnknown`` in MSAL 0.4 to 1.0.
    public static var brokerUnknown: MSALInternalError { .internalErrorBrokerUnknown }
    /// ``internalErrorUnexpected`` in MSAL 0.4 to 1.0.
    public static var unexpected: MSALInternalError { .internalErrorUnexpected }
    /// ``internalErrorBrokerApplicationTokenWriteFailed`` in MSAL 0.4 to 1.0.
    public static var brokerApplicationTokenWriteFailed: MSALInternalError {
        .internalErrorBrokerApplicationTokenWriteFailed
    }
    /// ``internalErrorBrokerApplicationTokenReadFailed`` in MSAL 0.4 to 1.0.
    public static var brokerApplicationTokenReadFailed: MSALInternalError {
        .internalErrorBrokerApplicationTokenReadFailed
    }
}

@available(*, deprecated, message: "Put internal before the name.")
extension MSALInternalError {
    /// ``internalErrorInvalidParameter`` in MSAL 1.1 to 1.2.8.
    public static var errorInvalidParameter: MSALInternalError { .internalErrorInvalidParameter }
    /// ``internalErrorRedirectSchemeNotRegistered`` in MSAL 1.1 to 1.2.8.
    public static var errorRedirectSchemeNotRegistered: MSALInternalError { .internalErrorRedirectSchemeNotRegistered }
    /// ``internalErrorInvalidRequest`` in MSAL 1.1 to 1.2.8.
    public static var errorInvalidRequest: MSALInternalError { .internalErrorInvalidRequest }
    /// ``internalErrorInvalidClient`` in MSAL 1.1 to 1.2.8.
    public static var errorInvalidClient: MSALInternalError { .internalErrorInvalidClient }
    /// ``internalErrorInvalidGrant`` in MSAL 1.1 to 1.2.8.
    public static var errorInvalidGrant: MSALInternalError { .internalErrorInvalidGrant }
    /// ``internalErrorInvalidScope`` in MSAL 1.1 to 1.2.8.
    public static var errorInvalidScope: MSALInternalError { .internalErrorInvalidScope }
    /// ``internalErrorUnauthorizedClient`` in MSAL 1.1 to 1.2.8.
    public static var errorUnauthorizedClient: MSALInternalError { .internalErrorUnauthorizedClient }
    /// ``internalErrorUnhandledResponse`` in MSAL 1.1 to 1.2.8.
    public static var errorUnhandledResponse: MSALInternalError { .internalErrorUnhandledResponse }
    /// ``internalErrorUnexpected`` in MSAL 1.1 to 1.2.8.
    public static var errorUnexpected: MSALInternalError { .internalErrorUnexpected }
    /// ``internalErrorFailedAuthorityValidation`` in MSAL 1.1 to 1.2.8.
    public static var errorFailedAuthorityValidation: MSALInternalError { .internalErrorFailedAuthorityValidation }
    /// ``internalErrorMismatchedUser`` in MSAL 1.1 to 1.2.8.
    public static var errorMismatchedUser: MSALInternalError { .internalErrorMismatchedUser }
    /// ``internalErrorAmbiguousAccount`` in MSAL 1.1 to 1.2.8.
    public static var errorAmbiguousAccount: MSALInternalError { .internalErrorAmbiguousAccount }
    /// ``internalErrorAuthorizationFailed`` in MSAL 1.1 to 1.2.8.
    public static var errorAuthorizationFailed: MSALInternalError { .internalErrorAuthorizationFailed }
    /// ``internalErrorAccountRequired`` in MSAL 1.1 to 1.2.8.
    public static var errorAccountRequired: MSALInternalError { .internalErrorAccountRequired }
    /// ``internalErrorSessionCanceled`` in MSAL 1.1 to 1.2.8.
    public static var errorSessionCanceled: MSALInternalError { .internalErrorSessionCanceled }
    /// ``internalErrorInteractiveSessionAlreadyRunning`` in MSAL 1.1 to 1.2.8.
    public static var errorInteractiveSessionAlreadyRunning: MSALInternalError {
        .internalErrorInteractiveSessionAlreadyRunning
    }
    /// ``internalErrorNoViewController`` in MSAL 1.1 to 1.2.8.
    public static var errorNoViewController: MSALInternalError { .internalErrorNoViewController }
    /// ``internalErrorAttemptToOpenURLFromExtension`` in MSAL 1.1 to 1.2.8.
    public static var errorAttemptToOpenURLFromExtension: MSALInternalError {
        .internalErrorAttemptToOpenURLFromExtension
    }
    /// ``internalErrorUINotSupportedInExtension`` in MSAL 1.1 to 1.2.8.
    public static var errorUINotSupportedInExtension: MSALInternalError { .internalErrorUINotSupportedInExtension }
    /// ``internalErrorInvalidState`` in MSAL 1.1 to 1.2.8.
    public static var errorInvalidState: MSALInternalError { .internalErrorInvalidState }
    /// ``internalErrorInvalidResponse`` in MSAL 1.1 to 1.2.8.
    public static var errorInvalidResponse: MSALInternalError { .internalErrorInvalidResponse }
    /// ``internalErrorNonHttpsRedirect`` in MSAL 1.1 to 1.2.8.
    public static var errorNonHttpsRedirect: MSALInternalError { .internalErrorNonHttpsRedirect }
    /// ``internalErrorBrokerResponseNotReceived`` in MSAL 1.1 to 1.2.8.
    public static var errorBrokerResponseNotReceived: MSALInternalError { .internalErrorBrokerResponseNotReceived }
    /// ``internalErrorBrokerNoResumeStateFound`` in MSAL 1.1 to 1.2.8.
    public static var errorBrokerNoResumeStateFound: MSALInternalError { .internalErrorBrokerNoResumeStateFound }
    /// ``internalErrorBrokerBadResumeStateFound`` in MSAL 1.1 to 1.2.8.
    public static var errorBrokerBadResumeStateFound: MSALInternalError { .internalErrorBrokerBadResumeStateFound }
    /// ``internalErrorBrokerMismatchedResumeState`` in MSAL 1.1 to 1.2.8.
    public static var errorBrokerMismatchedResumeState: MSALInternalError { .internalErrorBrokerMismatchedResumeState }
    /// ``internalErrorBrokerResponseHashMissing`` in MSAL 1.1 to 1.2.8.
    public static var errorBrokerResponseHashMissing: MSALInternalError { .internalErrorBrokerResponseHashMissing }
    /// ``internalErrorBrokerCorruptedResponse`` in MSAL 1.1 to 1.2.8.
    public static var errorBrokerCorruptedResponse: MSALInternalError { .internalErrorBrokerCorruptedResponse }
    /// ``internalErrorBrokerResponseDecryptionFailed`` in MSAL 1.1 to 1.2.8.
    public static var errorBrokerResponseDecryptionFailed: MSALInternalError {
        .internalErrorBrokerResponseDecryptionFailed
    }
    /// ``internalErrorBrokerResponseHashMismatch`` in MSAL 1.1 to 1.2.8.
    public static var errorBrokerResponseHashMismatch: MSALInternalError { .internalErrorBrokerResponseHashMismatch }
    /// ``internalErrorBrokerKeyFailedToCreate`` in MSAL 1.1 to 1.2.8.
    public static var errorBrokerKeyFailedToCreate: MSALInternalError { .internalErrorBrokerKeyFailedToCreate }
    /// ``internalErrorBrokerKeyNotFound`` in MSAL 1.1 to 1.2.8.
    public static var errorBrokerKeyNotFound: MSALInternalError { .internalErrorBrokerKeyNotFound }
    /// ``internalErrorBrokerUnknown`` in MSAL 1.1 to 1.2.8.
    public static var errorBrokerUnknown: MSALInternalError { .internalErrorBrokerUnknown }
    /// ``internalErrorBrokerApplicationTokenWriteFailed`` in MSAL 1.1 to 1.2.8.
    public static var errorBrokerApplicationTokenWriteFailed: MSALInternalError {
        .internalErrorBrokerApplicationTokenWriteFailed
    }
    /// ``internalErrorBrokerApplicationTokenReadFailed`` in MSAL 1.1 to 1.2.8.
    public static var errorBrokerApplicationTokenReadFailed: MSALInternalError {
        .internalErrorBrokerApplicationTokenReadFailed
    }
    /// ``internalBrokerNotAvailable`` in MSAL 1.1 to 1.2.8.
    public static var brokerNotAvailable: MSALInternalError { .internalBrokerNotAvailable }
    /// ``internalErrorJITLinkServerConfirmationTimeout`` in MSAL 1.1 to 1.2.8.
    public static var errorJITLinkServerConfirmationTimeout: MSALInternalError {
        .internalErrorJITLinkServerConfirmationTimeout
    }
    /// ``internalErrorJITLinkServerConfirmationError`` in MSAL 1.1 to 1.2.8.
    public static var errorJITLinkServerConfirmationError: MSALInternalError {
        .internalErrorJITLinkServerConfirmationError
    }
    /// ``internalErrorJITLinkAcquireTokenError`` in MSAL 1.1 to 1.2.8.
    public static var errorJITLinkAcquireTokenError: MSALInternalError { .internalErrorJITLinkAcquireTokenError }
    /// ``internalErrorJITLinkTokenAcquiredWrongTenant`` in MSAL 1.1 to 1.2.8.
    public static var errorJITLinkTokenAcquiredWrongTenant: MSALInternalError {
        .internalErrorJITLinkTokenAcquiredWrongTenant
    }
    /// ``internalErrorJITLinkError`` in MSAL 1.1 to 1.2.8.
    public static var errorJITLinkError: MSALInternalError { .internalErrorJITLinkError }
    /// ``internalErrorJITComplianceCheckResultNotCompliant`` in MSAL 1.1 to 1.2.8.
    public static var errorJITComplianceCheckResultNotCompliant: MSALInternalError {
        .internalErrorJITComplianceCheckResultNotCompliant
    }
    /// ``internalErrorJITComplianceCheckResultTimeout`` in MSAL 1.1 to 1.2.8.
    public static var errorJITComplianceCheckResultTimeout: MSALInternalError {
        .internalErrorJITComplianceCheckResultTimeout
    }
    /// ``internalErrorJITComplianceCheckResultUnknown`` in MSAL 1.1 to 1.2.8.
    public static var errorJITComplianceCheckResultUnknown: MSALInternalError {
        .internalErrorJITComplianceCheckResultUnknown
    }
}
