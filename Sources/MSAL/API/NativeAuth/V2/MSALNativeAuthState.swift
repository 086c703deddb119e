// Licensed under the MIT License. See LICENSE.

/// A state of a flow of V2: the object that a delegate gets, with the calls that lead on from there.
///
/// A state never changes. After an error it may be used again; used twice at once, it sends two independent requests. It
/// may be used from any thread, and keeps its application alive.
///
/// V2 is a preview at Microsoft: a minor version may change this name.
public class MSALNativeAuthState: NSObject, ClosedMirror, @unchecked Sendable {
    // `Sendable` is unchecked only because the class has subclasses, all in this module: they hold constants of
    // Sendable types.
    let application: MSALNativeAuthPublicClientApplication
    let flow: NativeAuth.Flow

    init(_ flow: NativeAuth.Flow, application: MSALNativeAuthPublicClientApplication) {
        self.flow = flow
        self.application = application
    }

    /// The state's short name, which begins with a small letter. It holds nothing of the flow.
    public override var description: String { "state" }

    /// Makes the call that leads on from here.
    func go(
        _ delegate: any MSALNativeAuthFlowDelegate,
        operation: @escaping @Sendable (NativeAuthClient) async throws(NativeAuthFailure) -> NativeAuth.FlowStep
    ) {
        application.runFlow(flow.scenario, delegate: delegate, operation: operation)
    }
}
