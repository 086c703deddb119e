// Licensed under the MIT License. See LICENSE.

import MSALBase

/// A sign-in, sign-up, or password reset of native authentication V2, from the entry point to the authorization code.
struct NativeAuthV2Flow: ContinuedFlow {
    /// The purpose of a flow.
    enum Purpose: Sendable {
        case signIn, signUp, resetPassword
    }

    /// The next step. A continuation token belongs to one step of one flow.
    enum Step: Sendable {
        /// The app has not chosen the type of flow yet.
        case entered
        /// The first factors are offered.
        case firstFactorOffered
        /// A code for the first factor was sent.
        case codeSent
        /// The password is requested.
        case passwordAsked
        /// Attributes are requested.
        case attributesAsked
        /// Reset: a new password is requested.
        case newPasswordAsked
        /// Reset: the new password was submitted.
        case newPasswordSubmitted
        /// The second factors are offered.
        case secondFactorOffered
        /// A phone was chosen for the second factor, and its risk has to be checked.
        case secondFactorAtRisk
        /// A code for the second factor was sent.
        case secondFactorSent
        /// The methods that can be registered are offered.
        case registrationOffered
        /// A phone was chosen for a registration, and its risk has to be checked.
        case registrationAtRisk
        /// A code for a new method was sent.
        case registrationSent
        /// Everything is done; the authorization code can be requested.
        case finished
    }

    static let start = Step.entered

    /// The random part of the flow's addresses.
    let id: String
    let tenantID: String
    let clientID: String
    let scopes: RequestedScopes
    /// The parameter `claims`.
    let claims: String?
    var purpose = Purpose.signIn
    var userName = ""
    /// The account, once it is known.
    var userID: String?
    /// The account of a completed sign-up, which the last step stores.
    var newAccount: User?
    var draft = NativeAuthFlow.Draft()
    /// How often the attributes were requested.
    var attributeRounds = 0
    /// The methods that the app can choose from.
    var offered: [FlowMethod] = []
    /// The method that the app chose.
    var chosen: FlowMethod?
    var code: OneTimeCode?
    var riskChecks = 0
    var hasSecondFactor = false
    /// The method that was registered, which the last step stores.
    var newMethod: StrongMethod?
    /// Reset: the submitted password, which the last step stores.
    var newPassword: Secret?
    var hasPolled = false
    var unfinishedPolls = 0
}
