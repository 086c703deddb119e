// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

// The registration of a strong method. The released service's messages for it are not public: the names come from a
// source branch, and some are guesses (docs/reference/NativeAuthV2.md#registration). They are only in this file, so
// that one change corrects them.

extension FlowRun {
    /// The names that the service uses for a registration.
    private enum Word {
        /// The links of a method that register it. The first usable one is followed.
        static let choosingLinks = ["enroll", "register"]
        /// The member with the app's contact.
        static let contact = "target"
        /// The links for submitting the code, with the name of the code in their body.
        static let codeLinks: [(relation: String, member: NativeAuth.FlowCode.CodeMember)] = [
            ("activate", .code), ("verify", .otp),
        ]
    }

    /// The user must register a method.
    mutating func registration(_ members: FlowMembers) throws(NativeAuthFailure) -> Consequence {
        flow.factor = .registration
        let offers = try offers(members, types: ["email", "sms"], relations: Word.choosingLinks)
        return .step(.registrationRequired(NativeAuth.FlowMethods(flow: flow, offers: offers)))
    }

    /// Registers a method. Without a contact, the service uses the one that it knows.
    mutating func enrollment(
        of offer: NativeAuth.MethodOffer,
        contact: String?
    ) throws(NativeAuthFailure) -> FlowRequest {
        guard let link = offer.challenge else { throw missing(Word.choosingLinks[0]) }
        context = .enrollment(offer.method)
        return FlowRequest(.enroll, to: link, token: token, members: contact.map { [Word.contact: .string($0)] } ?? [:])
    }

    /// A code was sent to the contact.
    mutating func activation(_ members: FlowMembers) throws(NativeAuthFailure) -> Consequence {
        flow.factor = .registration
        for (relation, member) in Word.codeLinks {
            guard let link = members.link(relation, below: authority).usable else { continue }
            return .step(.registrationCodeRequired(code(members, verification: link, member: member)))
        }
        throw missing(Word.codeLinks[0].relation)
    }
}
