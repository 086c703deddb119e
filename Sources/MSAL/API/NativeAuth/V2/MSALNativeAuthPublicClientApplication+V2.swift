// Licensed under the MIT License. See LICENSE.

extension MSALNativeAuthPublicClientApplication {
    /// Starts a sign-in with V2.
    ///
    /// The service decides what is next. A blank user name is rejected without a request. V2 is a preview at Microsoft:
    /// a minor version may change this name.
    ///
    /// - Parameters:
    ///   - parameters: The user, and the scopes of the first access token.
    ///   - delegate: Receives the next step or the error, on the main actor. The call retains it until then.
    public func signInV2(parameters: MSALNativeAuthSignInParametersV2, delegate: any MSALNativeAuthFlowDelegate) {
        let start = NativeAuth.FlowStart(parameters)
        runFlow(start.scenario, delegate: delegate) { client throws(NativeAuthFailure) in
            try await client.startFlow(start)
        }
    }

    /// Starts a sign-up with V2.
    ///
    /// A blank user name is rejected without a request, as are attributes that JSON cannot represent. V2 is a preview
    /// at Microsoft: a minor version may change this name.
    ///
    /// - Parameters:
    ///   - parameters: The account to create.
    ///   - delegate: Receives the next step or the error, on the main actor. The call retains it until then.
    public func signUpV2(parameters: MSALNativeAuthSignUpParametersV2, delegate: any MSALNativeAuthFlowDelegate) {
        let start = Result { () throws(NativeAuthFailure) in try NativeAuth.FlowStart(parameters) }
        runFlow(.signUp, delegate: delegate) { client throws(NativeAuthFailure) in
            try await client.startFlow(try start.get())
        }
    }

    /// Starts a password reset with V2. A blank user name is rejected without a request. V2 is a preview at Microsoft:
    /// a minor version may change this name.
    ///
    /// - Parameters:
    ///   - parameters: The user.
    ///   - delegate: Receives the next step or the error, on the main actor. The call retains it until then.
    public func resetPasswordV2(
        parameters: MSALNativeAuthResetPasswordParametersV2,
        delegate: any MSALNativeAuthFlowDelegate
    ) {
        let start = NativeAuth.FlowStart(parameters)
        runFlow(start.scenario, delegate: delegate) { client throws(NativeAuthFailure) in
            try await client.startFlow(start)
        }
    }
}

// MARK: - Linux only

extension MSALNativeAuthPublicClientApplication {
    /// Starts a sign-in with V2. V2 is a preview at Microsoft: a minor version may change this name.
    ///
    /// - Returns: The next step, or the user.
    /// - Throws: ``MSALNativeAuthStepError``, for `userNotFound`: offer a sign-up; for `invalidUsername`: ask again and
    ///   start again.
    public func signInV2(
        parameters: MSALNativeAuthSignInParametersV2
    ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep {
        try await start(NativeAuth.FlowStart(parameters))
    }

    /// Starts a sign-up with V2. V2 is a preview at Microsoft: a minor version may change this name.
    ///
    /// - Returns: The next step.
    /// - Throws: ``MSALNativeAuthStepError``, for `userAlreadyExists`: offer a sign-in; for `invalidUsername`: ask again and
    ///   start again.
    public func signUpV2(
        parameters: MSALNativeAuthSignUpParametersV2
    ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep {
        let start: NativeAuth.FlowStart
        do {
            start = try NativeAuth.FlowStart(parameters)
        } catch {
            throw MSALNativeAuthStepError(error)
        }
        return try await self.start(start)
    }

    /// Starts a password reset with V2. V2 is a preview at Microsoft: a minor version may change this name.
    ///
    /// - Returns: The next step.
    /// - Throws: ``MSALNativeAuthStepError``, for `userNotFound`: offer a sign-up; for `userDoesNotHavePassword`: let the
    ///   user sign in with a code; for `invalidUsername`: ask again and start again.
    public func resetPasswordV2(
        parameters: MSALNativeAuthResetPasswordParametersV2
    ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep {
        try await start(NativeAuth.FlowStart(parameters))
    }

    private func start(_ start: NativeAuth.FlowStart) async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep {
        try await flowStep(of: NativeAuth.Flow(start)) { client throws(NativeAuthFailure) in
            try await client.startFlow(start)
        }
    }
}
