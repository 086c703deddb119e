// Licensed under the MIT License. See LICENSE.

// The token methods of MSAL 0.x and 1.x.

extension MSALPublicClientApplication {
    /// Signs the user in for these scopes; results and errors are those of
    /// ``acquireToken(with:)-(MSALInteractiveTokenParameters)``.
    @preconcurrency
    @available(*, deprecated, message: "Use acquireToken(with:).")
    public func acquireToken(
        forScopes scopes: [String],
        completionBlock: @escaping @Sendable (MSALResult?, (any Error)?) -> Void
    ) { acquireToken(with: earlierParameters(scopes), completionBlock: completionBlock) }

    /// Signs the user in, with the user name filled in; results and errors are those of
    /// ``acquireToken(with:)-(MSALInteractiveTokenParameters)``.
    @preconcurrency
    @available(*, deprecated, message: "Use acquireToken(with:).")
    public func acquireToken(
        forScopes scopes: [String],
        loginHint: String?,
        completionBlock: @escaping @Sendable (MSALResult?, (any Error)?) -> Void
    ) {
        let parameters = earlierParameters(scopes)
        parameters.loginHint = loginHint
        acquireToken(with: parameters, completionBlock: completionBlock)
    }

    /// Signs the user in, with the user name filled in, a prompt and more query parameters; results and errors are those of
    /// ``acquireToken(with:)-(MSALInteractiveTokenParameters)``.
    @preconcurrency
    @available(*, deprecated, message: "Use acquireToken(with:).")
    public func acquireToken(
        forScopes scopes: [String],
        loginHint: String?,
        promptType: MSALPromptType,
        extraQueryParameters: [String: String]?,
        completionBlock: @escaping @Sendable (MSALResult?, (any Error)?) -> Void
    ) {
        let parameters = earlierParameters(scopes)
        parameters.loginHint = loginHint
        parameters.promptType = promptType
        parameters.extraQueryParameters = extraQueryParameters
        acquireToken(with: parameters, completionBlock: completionBlock)
    }

    /// Signs the user in, with more scopes to consent to; results and errors are those of
    /// ``acquireToken(with:)-(MSALInteractiveTokenParameters)``.
    @preconcurrency
    @available(*, deprecated, message: "Use acquireToken(with:).")
    public func acquireToken(
        forScopes scopes: [String],
        extraScopesToConsent: [String]?,
        loginHint: String?,
        promptType: MSALPromptType,
        extraQueryParameters: [String: String]?,
        authority: MSALAuthority?,
        correlationId: UUID?,
        completionBlock: @escaping @Sendable (MSALResult?, (any Error)?) -> Void
    ) {
        acquireToken(
            forScopes: scopes,
            extraScopesToConsent: extraScopesToConsent,
            loginHint: loginHint,
            promptType: promptType,
            extraQueryParameters: extraQueryParameters,
            claimsRequest: nil,
            authority: authority,
            correlationId: correlationId,
            completionBlock: completionBlock
        )
    }

    /// Signs the user in, with every setting of MSAL 0.x; results and errors are those of
    /// ``acquireToken(with:)-(MSALInteractiveTokenParameters)``.
    @preconcurrency
    @available(*, deprecated, message: "Use acquireToken(with:).")
    public func acquireToken(
        forScopes scopes: [String],
        extraScopesToConsent: [String]?,
        loginHint: String?,
        promptType: MSALPromptType,
        extraQueryParameters: [String: String]?,
        claimsRequest: MSALClaimsRequest?,
        authority: MSALAuthority?,
        correlationId: UUID?,
        completionBlock: @escaping @Sendable (MSALResult?, (any Error)?) -> Void
    ) {
        let parameters = earlierParameters(scopes)
        parameters.extraScopesToConsent = extraScopesToConsent
        parameters.loginHint = loginHint
        parameters.promptType = promptType
        parameters.extraQueryParameters = extraQueryParameters
        parameters.claimsRequest = claimsRequest
        parameters.authority = authority
        parameters.correlationId = correlationId
        acquireToken(with: parameters, completionBlock: completionBlock)
    }

    /// Signs an account in; results and errors are those of
    /// ``acquireToken(with:)-(MSALInteractiveTokenParameters)``.
    @preconcurrency
    @available(*, deprecated, message: "Use acquireToken(with:).")
    public func acquireToken(
        forScopes scopes: [String],
        account: MSALAccount?,
        completionBlock: @escaping @Sendable (MSALResult?, (any Error)?) -> Void
    ) {
        let parameters = earlierParameters(scopes)
        parameters.account = account
        acquireToken(with: parameters, completionBlock: completionBlock)
    }

    /// Signs an account in, with a prompt and more query parameters; results and errors are those of
    /// ``acquireToken(with:)-(MSALInteractiveTokenParameters)``.
    @preconcurrency
    @available(*, deprecated, message: "Use acquireToken(with:).")
    public func acquireToken(
        forScopes scopes: [String],
        account: MSALAccount?,
        promptType: MSALPromptType,
        extraQueryParameters: [String: String]?,
        completionBlock: @escaping @Sendable (MSALResult?, (any Error)?) -> Void
    ) {
        let parameters = earlierParameters(scopes)
        parameters.account = account
        parameters.promptType = promptType
        parameters.extraQueryParameters = extraQueryParameters
        acquireToken(with: parameters, completionBlock: completionBlock)
    }

    /// Signs an account in, with more scopes to consent to; results and errors are those of
    /// ``acquireToken(with:)-(MSALInteractiveTokenParameters)``.
    @preconcurrency
    @available(*, deprecated, message: "Use acquireToken(with:).")
    public func acquireToken(
        forScopes scopes: [String],
        extraScopesToConsent: [String]?,
        account: MSALAccount?,
        promptType: MSALPromptType,
        extraQueryParameters: [String: String]?,
        authority: MSALAuthority?,
        correlationId: UUID?,
        completionBlock: @escaping @Sendable (MSALResult?, (any Error)?) -> Void
    ) {
        acquireToken(
            forScopes: scopes,
            extraScopesToConsent: extraScopesToConsent,
            account: account,
            promptType: promptType,
            extraQueryParameters: extraQueryParameters,
            claimsRequest: nil,
            authority: authority,
            correlationId: correlationId,
            completionBlock: completionBlock
        )
    }

    /// Signs an account in, with every setting of MSAL 0.x; results and errors are those of
    /// ``acquireToken(with:)-(MSALInteractiveTokenParameters)``.
    @preconcurrency
    @available(*, deprecated, message: "Use acquireToken(with:).")
    public func acquireToken(
        forScopes scopes: [String],
        extraScopesToConsent: [String]?,
        account: MSALAccount?,
        promptType: MSALPromptType,
        extraQueryParameters: [String: String]?,
        claimsRequest: MSALClaimsRequest?,
        authority: MSALAuthority?,
        correlationId: UUID?,
        completionBlock: @escaping @Sendable (MSALResult?, (any Error)?) -> Void
    ) {
        let parameters = earlierParameters(scopes)
        parameters.extraScopesToConsent = extraScopesToConsent
        parameters.account = account
        parameters.promptType = promptType
        parameters.extraQueryParameters = extraQueryParameters
        parameters.claimsRequest = claimsRequest
        parameters.authority = authority
        parameters.correlationId = correlationId
        acquireToken(with: parameters, completionBlock: completionBlock)
    }

    /// Gets a token without user interaction; results and errors are those of ``acquireTokenSilent(with:)``.
    ///
    /// Without an account, it fails with ``MSALError/interactionRequired``.
    @preconcurrency
    @available(*, deprecated, message: "Use acquireTokenSilent(with:).")
    public func acquireTokenSilent(
        forScopes scopes: [String],
        account: MSALAccount?,
        completionBlock: @escaping @Sendable (MSALResult?, (any Error)?) -> Void
    ) {
        let parameters = MSALSilentTokenParameters(scopes: scopes, account: account)
        acquireTokenSilent(with: parameters, completionBlock: completionBlock)
    }

    /// Gets a token from another authority without user interaction; results and errors are those of
    /// ``acquireTokenSilent(with:)``.
    @preconcurrency
    @available(*, deprecated, message: "Use acquireTokenSilent(with:).")
    public func acquireTokenSilent(
        forScopes scopes: [String],
        account: MSALAccount?,
        authority: MSALAuthority?,
        completionBlock: @escaping @Sendable (MSALResult?, (any Error)?) -> Void
    ) {
        let parameters = MSALSilentTokenParameters(scopes: scopes, account: account)
        parameters.authority = authority
        acquireTokenSilent(with: parameters, completionBlock: completionBlock)
    }

    /// Gets a token without user interaction, and renews it if forced; results and errors are those of
    /// ``acquireTokenSilent(with:)``.
    @preconcurrency
    @available(*, deprecated, message: "Use acquireTokenSilent(with:).")
    public func acquireTokenSilent(
        forScopes scopes: [String],
        account: MSALAccount?,
        authority: MSALAuthority?,
        forceRefresh: Bool,
        correlationId: UUID?,
        completionBlock: @escaping @Sendable (MSALResult?, (any Error)?) -> Void
    ) {
        let parameters = MSALSilentTokenParameters(scopes: scopes, account: account)
        parameters.authority = authority
        parameters.forceRefresh = forceRefresh
        parameters.correlationId = correlationId
        acquireTokenSilent(with: parameters, completionBlock: completionBlock)
    }

    /// Gets a token without user interaction, with every setting of MSAL 1.x; results and errors are those of
    /// ``acquireTokenSilent(with:)``.
    @preconcurrency
    @available(*, deprecated, message: "Use acquireTokenSilent(with:).")
    public func acquireTokenSilent(
        forScopes scopes: [String],
        account: MSALAccount?,
        authority: MSALAuthority?,
        claimsRequest: MSALClaimsRequest?,
        forceRefresh: Bool,
        correlationId: UUID?,
        completionBlock: @escaping @Sendable (MSALResult?, (any Error)?) -> Void
    ) {
        let parameters = MSALSilentTokenParameters(scopes: scopes, account: account)
        parameters.authority = authority
        parameters.claimsRequest = claimsRequest
        parameters.forceRefresh = forceRefresh
        parameters.correlationId = correlationId
        acquireTokenSilent(with: parameters, completionBlock: completionBlock)
    }

    private func earlierParameters(_ scopes: [String]) -> MSALInteractiveTokenParameters {
        let parameters = MSALInteractiveTokenParameters(scopes: scopes)
        let settings = earlierSettings
        parameters.webviewParameters.webviewType = settings.webviewType
        parameters.webviewParameters.customWebview = settings.customWebview?.value
        return parameters
    }
}
