// Licensed under the MIT License. See LICENSE.

package import MSALBase

extension NativeAuth {
    /// The values that a flow hands from one step to the next. It prints neither the token nor the user's name.
    package struct Continuation: Sendable, Hashable, CustomStringConvertible, ClosedMirror {
        /// The service's memory of the flow.
        package var token: Secret
        /// Sent with every further request; quote it when asking for help.
        package var correlationID: UUID
        package var username: String
        /// The app's scopes, in its order.
        package var scopes: [String]
        /// The claims request as JSON text.
        package var claims: String?

        package init(
            token: Secret,
            correlationID: UUID,
            username: String,
            scopes: [String] = [],
            claims: String? = nil
        ) {
            self.token = token
            self.correlationID = correlationID
            self.username = username
            self.scopes = scopes
            self.claims = claims
        }

        package var description: String { "continuation of \(correlationID.uuidString)" }
    }

    /// A point of a flow that waits for the user's input. States are values: using one twice sends two independent
    /// requests.
    package protocol State: Sendable, Hashable {
        var continuation: Continuation { get }
        init(_ continuation: Continuation)
    }

    /// Sign-in waits for the code that was sent.
    package struct SignInCode: State {
        package let continuation: Continuation
        package init(_ continuation: Continuation) { self.continuation = continuation }
    }

    /// Sign-in waits for the password.
    package struct SignInPassword: State {
        package let continuation: Continuation
        package init(_ continuation: Continuation) { self.continuation = continuation }
    }

    /// Sign-in waits for the choice of a second factor.
    package struct AwaitingMFA: State {
        package let continuation: Continuation
        package init(_ continuation: Continuation) { self.continuation = continuation }
    }

    /// Sign-in waits for the second factor's code, or for another choice.
    package struct MFAChallenge: State {
        package let continuation: Continuation
        package init(_ continuation: Continuation) { self.continuation = continuation }
    }

    /// Sign-in waits for a strong method to be registered.
    package struct StrongAuthRegistration: State {
        package let continuation: Continuation
        package init(_ continuation: Continuation) { self.continuation = continuation }
    }

    /// Registration waits for the code sent to the new contact, or for another contact.
    package struct StrongAuthVerification: State {
        package let continuation: Continuation
        package init(_ continuation: Continuation) { self.continuation = continuation }
    }

    /// Sign-up waits for the code that was sent.
    package struct SignUpCode: State {
        package let continuation: Continuation
        package init(_ continuation: Continuation) { self.continuation = continuation }
    }

    /// Sign-up waits for a password.
    package struct SignUpPassword: State {
        package let continuation: Continuation
        package init(_ continuation: Continuation) { self.continuation = continuation }
    }

    /// Sign-up waits for attributes.
    package struct SignUpAttributes: State {
        package let continuation: Continuation
        package init(_ continuation: Continuation) { self.continuation = continuation }
    }

    /// Password reset waits for the code that was sent.
    package struct ResetPasswordCode: State {
        package let continuation: Continuation
        package init(_ continuation: Continuation) { self.continuation = continuation }
    }

    /// Password reset waits for the new password.
    package struct NewPassword: State {
        package let continuation: Continuation
        package init(_ continuation: Continuation) { self.continuation = continuation }
    }

    /// The user exists, or has a new password, and may be signed in without giving it again.
    package struct FinishedFlow: Sendable, Hashable {
        package let username: String
        package let correlationID: UUID
        /// `nil` if the service gave none. The sign-in then fails without a request.
        package let token: Secret?
    }
}

extension NativeAuth.FinishedFlow: CustomStringConvertible, ClosedMirror {
    package var description: String { "finished flow \(correlationID.uuidString)" }
}
