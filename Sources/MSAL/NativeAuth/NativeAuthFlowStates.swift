// Licensed under the MIT License. See LICENSE.

import MSALBase

extension NativeAuth {
    /// A state of a V2 flow that waits for the app. States are values: a state may be used again after a failure, with
    /// its own token, and two uses of it send two independent requests.
    protocol FlowState: Sendable {
        var flow: Flow { get }
    }

    /// The flow waits for a one-time code: for a first factor, for a second factor, or for a method that is being
    /// registered.
    struct FlowCode: FlowState {
        let flow: Flow
        let delivery: CodeDelivery
        let verification: FlowLink
        /// The name of the code in the request's body.
        let member: CodeMember
        /// `nil` if the service cannot send another code.
        let resend: FlowLink?

        enum CodeMember: String, Sendable {
            case otp, code
        }
    }

    /// The flow waits for the password: the user's own, or one for a new account.
    struct FlowPassword: FlowState {
        enum Target: Sendable {
            case verification(FlowLink)
            /// The password is sent with the other attributes of a sign-up.
            case attributes(AttributeForm)
        }

        let flow: Flow
        let target: Target
    }

    /// A password reset waits for the new password.
    struct FlowNewPassword: FlowState {
        let flow: Flow
        let update: FlowLink
    }

    /// A sign-up waits for attributes.
    struct FlowAttributes: FlowState {
        let flow: Flow
        let attributes: [RequiredAttribute]
        let form: AttributeForm
    }

    /// The flow waits for the choice of a method: a first factor, a second one, or one to register.
    struct FlowMethods: FlowState {
        let flow: Flow
        let offers: [MethodOffer]

        /// The methods to choose from, in the service's order.
        var methods: [AuthMethod] { offers.map(\.method) }
        var isSecondFactor: Bool { flow.factor == .second }
    }

    /// The user exists, or has a new password, and can be signed in without further input.
    struct FlowEnd: FlowState {
        let flow: Flow
        let resume: FlowLink
    }

    /// A method with its links from the service.
    struct MethodOffer: Sendable {
        let method: AuthMethod
        /// The link that requests a code, or registers the method.
        let challenge: FlowLink?
        /// The link for the password, if no challenge comes first.
        let verification: FlowLink?
    }

    /// The attributes of a new user that the service collects.
    struct AttributeForm: Sendable {
        let submission: FlowLink
        /// The names as the service spells them.
        let names: [String]
        /// The known values.
        var values: [String: JSONValue]
        /// The service's name for the password, if it requires one.
        let passwordName: String?
    }

    /// The next step of a flow of V2 (docs/reference/NativeAuthV2.md#states).
    enum FlowStep: Sendable {
        case codeRequired(FlowCode)
        case passwordRequired(FlowPassword)
        case newPasswordRequired(FlowNewPassword)
        case attributesRequired(FlowAttributes)
        case methodSelectionRequired(FlowMethods)
        case secondFactorCodeRequired(FlowCode)
        case registrationRequired(FlowMethods)
        case registrationCodeRequired(FlowCode)
        /// A sign-up or a reset is finished; the app may request the sign-in.
        case finished(FlowEnd)
        case completed(TokenResult)
    }
}

// The tokens and attributes in these values must not be dumped; a flow prints neither, and other states have none.
extension NativeAuth.AttributeForm: CustomStringConvertible, RedactedReflection {
    var description: String { "form of \(names.count) attributes" }
}
