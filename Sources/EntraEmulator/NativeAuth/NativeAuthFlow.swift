// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// A native sign-in, sign-up, or password reset, from its first request to its last.
struct NativeAuthFlow: ContinuedFlow {
    /// The purpose of a flow.
    enum Purpose: Sendable, CaseIterable {
        case signIn, signUp, resetPassword
    }

    /// The next step. A continuation token belongs to one step of one flow.
    enum Step: Sendable {
        /// The address is known; a challenge has to be requested.
        case started
        /// A code for the first factor, or to verify the address, was sent.
        case codeSent
        /// The password was requested: in a sign-in the user's own, in a sign-up a new one.
        case passwordAsked
        /// Sign-up: the address is verified, and a challenge for the password has to be requested.
        case credentialNeeded
        /// Sign-up: attributes are missing.
        case attributesNeeded
        /// Reset: the code was correct, a new password may be submitted.
        case resetAllowed
        /// Reset: the new password was submitted.
        case resetSubmitted
        /// A second factor is required.
        case secondFactorNeeded
        /// The methods for a second factor have been listed.
        case methodsListed
        /// A code for the second factor was sent.
        case secondFactorSent
        /// A strong method has to be registered.
        case registrationNeeded
        /// The channels for a registration have been listed.
        case registrationListed
        /// A code to verify the new method was sent.
        case registrationSent
        /// The new method's address is already verified.
        case registrationPreverified
        /// The tokens can be requested.
        case finished
    }

    /// The challenges that an app can support.
    enum ChallengeType: String, Sendable {
        case oob, password, redirect
    }

    /// The capabilities that an app can have.
    enum Capability: String, Sendable {
        case secondFactor = "mfa_required"
        case registration = "registration_required"
    }

    /// The data of a new customer so far.
    struct Draft: Sendable {
        var password: Secret?
        var attributes: [String: String] = [:]
        var isAddressVerified = false
    }

    static let start = Step.started

    let id: String
    let purpose: Purpose
    let tenantID: String
    let clientID: String
    let userName: String
    let challengeTypes: Set<ChallengeType>
    let capabilities: Set<Capability>
    var userID: String?
    var draft = Draft()
    var code: OneTimeCode?
    /// The method that is being registered.
    var registration: StrongMethod?
    var hasSecondFactor = false
    /// The number of polls that will still return `in_progress`.
    var unfinishedPolls = 0
}
