// Licensed under the MIT License. See LICENSE.

import MSALBase

/// One sign-in, sign-up or password reset of native authentication V2, from its entry to the code of its tokens.
struct NativeFlow: ContinuedJourney {
    /// The purpose of a flow.
    enum Purpose: Sendable {
        case signIn, signUp, resetPassword
    }

    /// The next step. A continuation token stands for one step of one flow.
    enum Step: Sendable {
        /// The app has not said yet what it wants.
        case entered
        /// The first factors are offered.
        case firstFactorOffered
        /// A code for the first factor was sent.
        case codeSent
        /// The password is asked for.
        case passwordAsked
        /// Attributes are asked for.
        case attributesAsked
        /// Reset: a new password is asked for.
        case newPasswordAsked
        /// Reset: the new password was handed in.
        case newPasswordSubmitted
        /// The second factors are offered.
        case secondFactorOffered
        /// A telephone was chosen for the second factor, and its risk has to be checked.
        case secondFactorAtRisk
        /// A code for the second factor was sent.
        case secondFactorSent
        /// The methods that can be registered are offered.
        case registrationOffered
        /// A telephone was chosen for a registration, and its risk has to be checked.
        case registrationAtRisk
        /// A code for a new method was sent.
        case registrationSent
        /// Everything is done; the code of the tokens can be fetched.
        case finished
    }

    static let start = Step.entered

    /// The random part of its addresses.
    let id: String
    let tenantID: String
    let clientID: String
    let scopes: RequestedScopes
    /// The parameter `claims`.
    let claims: String?
    var purpose = Purpose.signIn
    var userName = ""
    /// The account, as soon as there is one.
    var userID: String?
    /// The account of a sign-up that is complete. The last step keeps it.
    var newAccount: User?
    var draft = NativeJourney.Draft()
    /// The attributes were asked for so many times.
    var attributeRounds = 0
    /// The methods that the app can choose from.
    var offered: [FlowMethod] = []
    /// The method that it chose.
    var chosen: FlowMethod?
    var code: OneTimeCode?
    var riskChecks = 0
    var hasSecondFactor = false
    /// The method that was registered. The last step keeps it.
    var newMethod: StrongMethod?
    /// Reset: the password that was handed in. The last step keeps it.
    var newPassword: Secret?
    var hasPolled = false
    var unfinishedPolls = 0
}
