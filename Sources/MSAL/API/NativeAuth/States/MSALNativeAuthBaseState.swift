// Licensed under the MIT License. See LICENSE.

/// A state of a flow: the object that a delegate receives. Its methods are the possible next steps of the flow.
///
/// Use a state for one step; the delegate receives a new state for the next step. If an app uses a state twice, the
/// library sends two independent requests, and the service decides which of them it accepts. States are immutable, may
/// be used from any thread, and retain their application.
public class MSALNativeAuthBaseState: NSObject, RedactedReflection, @unchecked Sendable {
    // `Sendable` is unchecked only because the class has subclasses, all in this module: they have constants of
    // Sendable types.
    let continuation: NativeAuth.Continuation
    let application: MSALNativeAuthPublicClientApplication

    init(_ continuation: NativeAuth.Continuation, application: MSALNativeAuthPublicClientApplication) {
        self.continuation = continuation
        self.application = application
    }
}

/// The base of the states of a sign-in.
public class SignInBaseState: MSALNativeAuthBaseState, @unchecked Sendable {}

/// The base of the states of a second factor.
public class MFABaseState: MSALNativeAuthBaseState, @unchecked Sendable {
    let authMethods: [MSALAuthMethod]

    init(
        _ continuation: NativeAuth.Continuation,
        authMethods: [MSALAuthMethod],
        application: MSALNativeAuthPublicClientApplication
    ) {
        self.authMethods = authMethods
        super.init(continuation, application: application)
    }
}

/// The base of the states of a registration.
public class RegisterStrongAuthBaseState: MSALNativeAuthBaseState, @unchecked Sendable {}

/// The base of the states of a sign-up.
public class SignUpBaseState: MSALNativeAuthBaseState, @unchecked Sendable {}

/// The base of the states of a reset.
public class ResetPasswordBaseState: MSALNativeAuthBaseState, @unchecked Sendable {}

/// The base of the states that sign a user in after another flow.
public class SignInAfterPreviousFlowBaseState: NSObject, RedactedReflection, @unchecked Sendable {
    // `Sendable` is unchecked for the same reason as for MSALNativeAuthBaseState.
    let application: MSALNativeAuthPublicClientApplication
    let finished: NativeAuth.FinishedFlow

    init(_ finished: NativeAuth.FinishedFlow, application: MSALNativeAuthPublicClientApplication) {
        self.application = application
        self.finished = finished
    }
}
