// Licensed under the MIT License. See LICENSE.

/// A state of a V2 flow: the object that a delegate receives, with the calls that continue from there.
///
/// A state is immutable. After an error, it may be used again; used twice, it sends two independent requests. It may be
/// used from any thread, and retains its application.
///
/// V2 is a preview at Microsoft: a minor version may change this name.
public class MSALNativeAuthState: NSObject, RedactedReflection, @unchecked Sendable {
    // `Sendable` is unchecked only because the class has subclasses, all in this module: they have constants of
    // Sendable types.
    let application: MSALNativeAuthPublicClientApplication
    let flow: NativeAuth.Flow

    init(_ flow: NativeAuth.Flow, application: MSALNativeAuthPublicClientApplication) {
        self.flow = flow
        self.application = application
    }

    /// The state's short name, which begins with a lowercase letter. It contains nothing about the flow.
    public override var description: String { "state" }

    /// Makes the call that continues from this state.
    func go(
        _ delegate: any MSALNativeAuthFlowDelegate,
        operation: @escaping @Sendable (NativeAuthClient) async throws(NativeAuthFailure) -> NativeAuth.FlowStep
    ) { application.runFlow(flow.scenario, delegate: delegate, operation: operation) }
}
