// Licensed under the MIT License. See LICENSE.

/// A list of methods, with the calls that choose one of them.
struct MethodChoice: Sendable {
    let methods: [MSALAuthMethod]
    private let state: NativeAuth.FlowMethods

    init(_ state: NativeAuth.FlowMethods) {
        self.state = state
        methods = state.methods.map(MSALAuthMethod.init)
    }

    /// Chooses a method. It must be an object of this list: one of another list may have the same id and another link.
    func select(
        _ method: MSALAuthMethod,
        contact: String? = nil,
        client: NativeAuthClient
    ) async throws(NativeAuthFailure) -> NativeAuth.FlowStep {
        let index = methods.firstIndex { $0 === method }
        return try await client.selectMethod(at: index, contact: contact, in: state)
    }
}

/// A flow that waits for the choice of a method: a first factor, or a second one. V2 is a preview at Microsoft.
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

/// A flow that waits for the choice of a second factor, in the form of MSAL 2.15. V2 is a preview at Microsoft.
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

    /// The same. A second factor has its address already, so `verificationContact` makes no difference.
    public func selectAuthMethod(
        _ authMethod: MSALAuthMethod,
        verificationContact: String?,
        delegate: any MSALNativeAuthFlowDelegate
    ) {
        selectAuthMethod(authMethod, delegate: delegate)
    }
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

    /// Registers a method, with an address of the user's.
    ///
    /// - Parameters:
    ///   - authMethod: One of ``authMethods``.
    ///   - verificationContact: The address or number; blank is refused without a request. `nil` is the one that the
    ///     service knows already.
    ///   - delegate: Gets the next step or the error.
    public func selectAuthMethod(
        _ authMethod: MSALAuthMethod,
        verificationContact: String?,
        delegate: any MSALNativeAuthFlowDelegate
    ) {
        go(delegate) { [choice] client throws(NativeAuthFailure) in
            try await choice.select(authMethod, contact: verificationContact, client: client)
        }
    }

    /// Registers a method with the address that the service knows already.
    public func selectAuthMethod(_ authMethod: MSALAuthMethod, delegate: any MSALNativeAuthFlowDelegate) {
        selectAuthMethod(authMethod, verificationContact: nil, delegate: delegate)
    }
}
