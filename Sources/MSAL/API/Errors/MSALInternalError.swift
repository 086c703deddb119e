// Licensed under the MIT License. See LICENSE.

/// The detail of an error whose code is ``MSALError/internal``, for logs: `userInfo[MSALInternalErrorCodeKey]`.
///
/// Includes all numbers of MSAL for iOS, so that switches compile. Those of device management, Platform SSO, and the
/// iOS broker are never delivered on Linux.
public enum MSALInternalError: Int, Sendable {
    /// A missing or invalid argument or setting, or an authority of a type other than the application's. Correct it;
    /// the description names it.
    case internalErrorInvalidParameter = -42000
    /// No desktop entry of the app registers the redirect URI's scheme. Install one, or use `http://localhost`.
    case internalErrorRedirectSchemeNotRegistered = -42001
    /// The redirect URI has an unsupported form, its port is in use, or a native sign-in needs one for the browser. The
    /// description states what to use instead.
    case internalErrorInvalidRedirectURI = -42011
    /// OAuth invalid_request.
    case internalErrorInvalidRequest = -42002
    /// OAuth invalid_client.
    case internalErrorInvalidClient = -42003
    /// OAuth invalid_grant outside the silent path.
    case internalErrorInvalidGrant = -42004
    /// OAuth invalid_scope.
    case internalErrorInvalidScope = -42005
    /// OAuth unauthorized_client.
    case internalErrorUnauthorizedClient = -42006
    /// HTTP status without an OAuth error, such as 5xx after retries; or an identity broker that is busy. Try again
    /// later.
    case internalErrorUnhandledResponse = -42007
    /// Any failure without a more specific code, for example a token store that cannot be used. The description has
    /// details.
    case internalErrorUnexpected = -42008
    /// HTTP 403 or 404 without an OAuth body. It is the underlying error (`NSUnderlyingErrorKey`) of -42007.
    case internalErrorUnexpectedHttpResponse = -42009
    /// The service does not know the authority's host, or the host's configuration names a different issuer. Correct
    /// the URL, or list the authority in `knownAuthorities`.
    case internalErrorFailedAuthorityValidation = -42010
    /// The identity broker signed in a different account than the requested one. The result was not used: try again, or
    /// without an account. In the browser, the user may choose; the result then has that account.
    case internalErrorMismatchedUser = -42101
    /// Several accounts are signed in, or have the user name: let the user choose one.
    case internalErrorAmbiguousAccount = -42102
    /// The authorization endpoint reported an OAuth error without a specific code.
    case internalErrorAuthorizationFailed = -42104
    /// No account has the requested identifier or user name. A silent request without an account ends with
    /// ``MSALError/interactionRequired`` instead.
    case internalErrorAccountRequired = -42106
    /// The program canceled the session. MSAL for iOS declares it, but delivers ``MSALError/userCanceled`` instead. Not
    /// delivered on Linux.
    case internalErrorSessionCanceled = -42401
    /// Another browser session of this process is open. Wait for it, or call `cancelCurrentWebAuthSession()`.
    case internalErrorInteractiveSessionAlreadyRunning = -42402
    /// There is no window to present the browser in. Not delivered on Linux.
    case internalErrorNoViewController = -42403
    /// An app extension tried to open a URL. Not delivered on Linux.
    case internalErrorAttemptToOpenURLFromExtension = -42404
    /// An app extension tried to show UI. Not delivered on Linux.
    case internalErrorUINotSupportedInExtension = -42405
    /// The redirect does not belong to this sign-in and may have been tampered with. Start again.
    case internalErrorInvalidState = -42501
    /// The service's response is unreadable or lacks a field, or its ID token failed a check, which the description
    /// names. Nothing was stored.
    case internalErrorInvalidResponse = -42600
    /// The server redirected the embedded view to plain http. Not delivered on Linux.
    case internalErrorNonHttpsRedirect = -42602
    /// The identity broker did not respond, or exited meanwhile. Try again; `msal doctor` checks the broker.
    case internalErrorBrokerResponseNotReceived = -42700
    /// Broker of iOS: saved request state missing. Not delivered on Linux.
    case internalErrorBrokerNoResumeStateFound = -42701
    /// Broker of iOS: saved request state unreadable. Not delivered on Linux.
    case internalErrorBrokerBadResumeStateFound = -42702
    /// Broker of iOS: saved state belongs to another redirect URI. Not delivered on Linux.
    case internalErrorBrokerMismatchedResumeState = -42703
    /// Broker of iOS: response without hash. Not delivered on Linux.
    case internalErrorBrokerResponseHashMissing = -42704
    /// The identity broker's response is unreadable or failed a check, which the description names. It was not used.
    /// Sign in with another mode, and report it with `msal doctor --broker`.
    case internalErrorBrokerCorruptedResponse = -42705
    /// Broker of iOS: response could not be decrypted. Not delivered on Linux.
    case internalErrorBrokerResponseDecryptionFailed = -42706
    /// Broker of iOS: response hash differs. Not delivered on Linux.
    case internalErrorBrokerResponseHashMismatch = -42707
    /// Broker of iOS: key could not be created. Not delivered on Linux.
    case internalErrorBrokerKeyFailedToCreate = -42708
    /// Broker of iOS: key unreadable. Not delivered on Linux.
    case internalErrorBrokerKeyNotFound = -42709
    /// The identity broker failed for the reason in the description. Sign in with another mode.
    case internalErrorBrokerUnknown = -42711
    /// Broker of iOS: application token not saved. Not delivered on Linux.
    case internalErrorBrokerApplicationTokenWriteFailed = -42712
    /// Broker of iOS: application token not readable. Not delivered on Linux.
    case internalErrorBrokerApplicationTokenReadFailed = -42713
    /// There is no identity broker, it does not support the call, or the configuration excludes it:
    /// `brokerAvailability` or `bypassRedirectURIValidation` turns it off, or the authority is not one of Microsoft
    /// Entra ID. Continue without it.
    case internalBrokerNotAvailable = -42714
    /// Broker just-in-time enrollment: server did not confirm the link. Not delivered on Linux.
    case internalErrorJITLinkServerConfirmationError = -42715
    /// Just-in-time enrollment: no Intune token. Not delivered on Linux.
    case internalErrorJITLinkAcquireTokenError = -42716
    /// Just-in-time enrollment: token of another tenant. Not delivered on Linux.
    case internalErrorJITLinkTokenAcquiredWrongTenant = -42717
    /// Just-in-time enrollment: linking failed. Not delivered on Linux.
    case internalErrorJITLinkError = -42718
    /// Compliance check: device not compliant. Not delivered on Linux.
    case internalErrorJITComplianceCheckResultNotCompliant = -42719
    /// Compliance check: portal app timed out. Not delivered on Linux.
    case internalErrorJITComplianceCheckResultTimeout = -42720
    /// Compliance check: unclear result. Not delivered on Linux.
    case internalErrorJITComplianceCheckResultUnknown = -42721
    /// Compliance check: bad payload in the SSO settings. Not delivered on Linux.
    case errorJITComplianceCheckInvalidLinkPayload = -42722
    /// Compliance check: no web view. Not delivered on Linux.
    case errorJITComplianceCheckCreateController = -42723
    /// Just-in-time enrollment: link settings missing. Not delivered on Linux.
    case errorJITLinkConfigNotFound = -42724
    /// Just-in-time enrollment: token settings bad. Not delivered on Linux.
    case errorJITInvalidLinkTokenConfig = -42725
    /// Just-in-time enrollment: device registration failed. Not delivered on Linux.
    case errorJITWPJDeviceRegistrationFailed = -42726
    /// Just-in-time enrollment: no account ID. Not delivered on Linux.
    case errorJITWPJAccountIdentifierNil = -42727
    /// Just-in-time enrollment: no broker token. Not delivered on Linux.
    case errorJITWPJAcquireTokenError = -42728
    /// Just-in-time enrollment: start again. Not delivered on Linux.
    case errorJITRetryRequired = -42729
    /// Web portal returned an unknown status. Not delivered on Linux.
    case errorJITUnknownStatusWebCP = -42730
    /// Troubleshooting: no web view. Not delivered on Linux.
    case errorJITTroubleshootingCreateController = -42731
    /// Troubleshooting: no token. Not delivered on Linux.
    case errorJITTroubleshootingAcquireToken = -42732
    /// Just-in-time enrollment: confirmation timed out. Not delivered on Linux.
    case internalErrorJITLinkServerConfirmationTimeout = -42733
    /// Troubleshooting flow needed. Not delivered on Linux.
    case errorJITTroubleshootingRequired = -42734
    /// Troubleshooting: unclear result. Not delivered on Linux.
    case errorJITTroubleshootingResultUnknown = -42735
    /// Platform SSO: device not registered. Not delivered on Linux.
    case errorDeviceNotPSSORegistered = -42736
    /// Platform SSO: key IDs differ. Not delivered on Linux.
    case errorPSSOKeyIdMismatch = -42737
    /// Error handling settings missing. Not delivered on Linux.
    case errorJITErrorHandlingConfigNotFound = -42738
    /// Platform SSO: biometric policy differs from login settings. Not delivered on Linux.
    case errorPSSOBiometricPolicyMismatch = -42739
    /// Platform SSO: wrong extension requests the passkey. Not delivered on Linux.
    case errorPSSOInvalidPasskeyExtension = -42740
    /// Platform SSO: login settings not saved. Not delivered on Linux.
    case errorPSSOSaveLoginConfigFailure = -42741
    /// Platform SSO: passkey used without the biometrics that the policy requires. Not delivered on Linux.
    case errorPSSOPasskeyLAError = -42742
    /// Platform SSO: no biometric hardware. Not delivered on Linux.
    case errorPSSOBiometricsNotAvailable = -42743
    /// Platform SSO: no biometrics set up. Not delivered on Linux.
    case errorPSSOBiometricsNotEnrolled = -42744
    /// URL not allowed for the system browser session. Not delivered on Linux.
    case internalErrorInvalidASWebAuthenticationURL = -42745
}
