// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

// Parameter objects can change while a call runs. These initializers read them once, when the call begins.

extension NativeAuthConfiguration {
    /// Creates the core's settings from these values.
    init(_ config: MSALNativeAuthPublicClientApplicationConfig, hasRedirectURI: Bool) {
        self.init(
            challengeTypes: NativeAuth.ChallengeTypes(rawValue: config.challengeTypes.rawValue),
            capabilities: NativeAuth.Capabilities(rawValue: config.capabilities.rawValue),
            sliceDataCenter: config.sliceConfig.flatMap { $0.dc.isEmpty ? nil : $0.dc },
            hasRedirectURI: hasRedirectURI,
            interceptor: config.requestInterceptor.map(NativeAuthConfiguration.asking)
        )
    }

    /// Asks the app's interceptor and waits for its headers. The wait ends early if the task of the call is canceled.
    private static func asking(_ interceptor: any MSALNativeAuthRequestInterceptor) -> Interceptor {
        let carried = UncheckedSendable(interceptor)
        return { url in
            await OneShotSource.value { source in
                carried.value.addAdditionalHeaderFields(url) { source.settle($0) }
            }
        }
    }
}

extension NativeAuth.SignInRequest {
    /// Creates the core's request from these values.
    init(_ parameters: MSALNativeAuthSignInParameters) {
        self.init(
            username: parameters.username,
            password: parameters.password.map { Secret($0) },
            scopes: parameters.scopes ?? [],
            claims: parameters.claimsRequest?.jsonString(),
            correlationID: parameters.correlationId ?? .random()
        )
    }
}

extension NativeAuth.SignUpRequest {
    /// Creates the core's request from these values.
    ///
    /// - Returns: A general failure if JSON cannot represent the attributes.
    static func make(
        _ parameters: MSALNativeAuthSignUpParameters,
        correlationID: UUID
    ) -> Result<NativeAuth.SignUpRequest, NativeAuthFailure> {
        var request = NativeAuth.SignUpRequest(username: parameters.username, correlationID: correlationID)
        request.password = parameters.password.map { Secret($0) }
        if let attributes = parameters.attributes {
            guard let values = NativeAuth.attributes(attributes) else {
                return .failure(.unusableAttributes(correlationID: correlationID))
            }
            request.attributes = values
        }
        return .success(request)
    }
}

extension NativeAuthFailure {
    /// The failure for attributes that JSON cannot represent. MSAL for iOS provides no more details.
    static func unusableAttributes(correlationID: UUID) -> NativeAuthFailure {
        NativeAuthFailure(
            .general,
            correlationID: correlationID,
            underlying: AuthError(.invalidParameter, message: "The attributes have a value that JSON cannot express.")
        )
    }
}

extension NativeAuth.ResetPasswordRequest {
    /// Creates the core's request from these values.
    init(_ parameters: MSALNativeAuthResetPasswordParameters) {
        self.init(username: parameters.username, correlationID: parameters.correlationId ?? .random())
    }
}

extension NativeAuth.SignInAfterFlowRequest {
    /// Creates the core's request from these values.
    init(scopes: [String]?, claims: MSALClaimsRequest?) {
        self.init(scopes: scopes ?? [], claims: claims?.jsonString())
    }
}

extension NativeAuth.AccessTokenRequest {
    /// Creates the core's request from these values.
    init(_ parameters: MSALNativeAuthGetAccessTokenParameters, account: AccountReference) {
        self.init(account: account, correlationID: parameters.correlationId ?? .random())
        scopes = parameters.scopes ?? []
        forceRefresh = parameters.forceRefresh
        wantsRefreshToken = parameters.returnRefreshToken
        // A request whose values JSON cannot represent was rejected when they were set.
        claims = parameters.claimsRequest.flatMap { try? $0.json() }.flatMap { $0 == .object([:]) ? nil : $0 }
    }
}
