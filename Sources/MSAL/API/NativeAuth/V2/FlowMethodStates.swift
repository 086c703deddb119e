// Licensed under the MIT License. See LICENSE.

/// A list of methods, with the calls that choose one of them.
struct MethodChoice: Sendable {
    let methods: [MSALAuthMethod]
    private let state: NativeAuth.FlowMethods

    init(_ state: NativeAuth.FlowMethods) {
        self.state = state
        methods = state.methods.map(MSALAuthMethod.init)
    }

    /// Chooses a method. It must be an object of this list: one of another list may have the same ID and a different
    /// link.
    func select(
        _ method: MSALAuthMethod,
        contact: String? = nil,
        client: NativeAuthClient
    ) async throws(NativeAuthFailure) -> NativeAuth.FlowStep {
        let index = methods.firstIndex { $0 === method }
        return try await client.selectMethod(at: index, contact: contact, in: state)
    }
}

/// A flow that waits for the choice of a method for the first or second factor. V2 is a preview at Microsoft.
public final class MSALNativeAuthAuthMethodSelectionRequiredState: MSALNativeAuthState, @unchecked Sendable {
    private let choice: MethodChoice

    init(_ state: NativeAuth.FlowMethods, application: MSALNativeAuthPublicClientApplication) {
        choice = MethodChoice(state)
        super.init(state.flow, application: application)
    }

    public override var description: String { "authMethodSelectionRequired" }

    /// The methods to choose from, in the service's order.
    public var authMethods: [MSALAuthMethod] { choice.methods }

    /// Chooses a method. It must be one of ``authMethods``.
    public func selectAuthMethod(_ authMethod: MSALAuthMethod, delegate: any MSALNativeAuthFlowDelegate) {
        go(delegate) { [choice] client throws(NativeAuthFailure) in
            try await choice.select(authMethod, client: client)
        }
    }
}

/// A flow that waits for the choice of a second factor, with the signature of MSAL 2.15. V2 is a preview at Microsoft.
public final class MSALNativeAuthMFARequiredState: MSALNativeAuthState, @unchecked Sendable {
    private let choice: MethodChoice

    init(_ state: NativeAuth.FlowMethods, application: MSALNativeAuthPublicClientApplication) {
        choice = MethodChoice(state)
        super.init(state.flow, application: application)
    }

    public override var description: String { "mfaRequired" }

    /// The methods to choose from, in the service's order.
    public var authMethods: [MSALAuthMethod] { choice.methods }

    /// Chooses a method. It must be one of ``authMethods``.
    public func selectAuthMethod(_ authMethod: MSALAuthMethod, delegate: any MSALNativeAuthFlowDelegate) {
        go(delegate) { [choice] client throws(NativeAuthFailure) in
            try await choice.select(authMethod, client: client)
        }
    }

    /// The same. A second factor already has an address, so `verificationContact` is ignored.
    public func selectAuthMethod(
        _ authMethod: MSALAuthMethod,
        verificationContact: String?,
        delegate: any MSALNativeAuthFlowDelegate
    ) { selectAuthMethod(authMethod, delegate: delegate) }
}

/// A flow that waits for the user to register a strong authentication method. V2 is a preview at Microsoft.
public final class MSALNativeAuthStrongAuthRegistrationRequiredState: MSALNativeAuthState, @unchecked Sendable {
    private let choice: MethodChoice

    init(_ state: NativeAuth.FlowMethods, application: MSALNativeAuthPublicClientApplication) {
        choice = MethodChoice(state)
        super.init(state.flow, application: application)
    }

    public override var description: String { "strongAuthRegistrationRequired" }

    /// The methods to choose from, in the service's order.
    public var authMethods: [MSALAuthMethod] { choice.methods }

    /// Registers a method, with the user's address.
    ///
    /// - Parameters:
    ///   - authMethod: One of ``authMethods``.
    ///   - verificationContact: The address or number; a blank one is rejected without a request. `nil` uses the one
    ///     that the service already knows.
    ///   - delegate: Receives the next step or the error.
    public func selectAuthMethod(
        _ authMethod: MSALAuthMethod,
        verificationContact: String?,
        delegate: any MSALNativeAuthFlowDelegate
    ) {
        go(delegate) { [choice] client throws(NativeAuthFailure) in
            try await choice.select(authMethod, contact: verificationContact, client: client)
        }
    }

    /// Registers a method with the address that the service already knows.
    public func selectAuthMethod(_ authMethod: MSALAuthMethod, delegate: any MSALNativeAuthFlowDelegate) {
        selectAuthMethod(authMethod, verificationContact: nil, delegate: delegate)
    }
}
