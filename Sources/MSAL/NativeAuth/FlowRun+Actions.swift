// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

extension FlowRun {
    /// Reads a response: the token for the next step, and the action that the service requires
    /// (docs/reference/NativeAuthV2.md#reading and #actions).
    mutating func consequence(
        of members: FlowMembers,
        to request: FlowRequest
    ) throws(NativeAuthFailure) -> Consequence {
        if request.purpose == .resume {
            flow.factor = .first
            if let code = members.text("code") { return .redemption(code: Secret(code)) }
        }
        let isFinished = members.text("state") == "continue"
        let action = members.text("action").flatMap(Action.init(rawValue:))
        guard isFinished || action != nil else { throw failure("The response names no step that this version knows.") }
        guard let token = members.text("continuationToken", "continuation_token") else {
            throw failure("The response has no continuation token.")
        }
        flow.continuation.token = Secret(token)
        guard !isFinished, let action else { return try completion(members) }
        return switch action {
        case .challenge: try challenge(members)
        case .verify: try verification(members)
        case .riskCheck: try riskCheck(members)
        case .update: try update(members)
        case .poll: try poll(members)
        case .collectAttributes: try collect(members)
        case .enroll, .register: try registration(members)
        case .activate: try activation(members)
        }
    }

    /// The steps that the service may require.
    private enum Action: String {
        case challenge, verify, update, poll, collectAttributes, enroll, register, activate
        case riskCheck = "riskverify"
    }
}

// MARK: - Methods

extension FlowRun {
    /// The service offers methods of a first factor, or of a second one (docs/reference/NativeAuthV2.md#methods).
    private mutating func challenge(_ members: FlowMembers) throws(NativeAuthFailure) -> Consequence {
        switch members.object("challengeContext")?.text("authenticationFactor") {
        case "singleFactor": flow.factor = .first
        case "multiFactor": flow.factor = .second
        default: throw failure("The response does not say which factor it asks for.")
        }
        let takesPassword = flow.factor == .first && flow.scenario != .passwordReset
        let offers = try offers(
            members,
            types: takesPassword ? ["email", "password"] : ["email", "sms"],
            relations: ["challenge"]
        )
        if flow.factor == .first {
            if case .challenge = context { throw failure("The service asks for the same factor again.") }
            if offers.count == 1 { return try choice(of: offers[0]) }
        }
        return .step(.methodSelectionRequired(NativeAuth.FlowMethods(flow: flow, offers: offers)))
    }

    /// The methods to offer to the app, in the service's order.
    ///
    /// `relations`: The names of the link that chooses a method; the first usable one is used.
    func offers(
        _ members: FlowMembers,
        types: Set<String>,
        relations: [String]
    ) throws(NativeAuthFailure) -> [NativeAuth.MethodOffer] {
        var offers: [NativeAuth.MethodOffer] = []
        for method in members.object("_embedded")?.objects("methods") ?? [] {
            guard let type = method.text("type"), types.contains(type) else {
                Log.warning("A method that this version does not support was skipped.")
                continue
            }
            guard let id = method.text("id") else { throw failure("The response has a method without an ID.") }
            guard !offers.contains(where: { $0.method.id == id }) else { continue }
            let offer = NativeAuth.MethodOffer(
                method: NativeAuth.AuthMethod(
                    id: id,
                    challengeType: type,
                    channel: type,
                    loginHint: method.text("hint") ?? ""
                ),
                challenge: relations.lazy.compactMap { method.link($0, below: authority).usable }.first,
                verification: type == "password" ? method.link("verify", below: authority).usable : nil
            )
            guard offer.challenge != nil || offer.verification != nil else {
                throw failure("The response has a method without a usable link.")
            }
            offers.append(offer)
        }
        guard !offers.isEmpty else { throw failure("The service offers no method that this version supports.") }
        return offers
    }

    /// A method was chosen: requests its code, or its password from the user.
    mutating func choice(of offer: NativeAuth.MethodOffer) throws(NativeAuthFailure) -> Consequence {
        if let link = offer.challenge {
            context = .challenge(offer.method)
            return .request(FlowRequest(.challenge, to: link, token: token))
        }
        guard let link = offer.verification else { throw missing("challenge") }
        return .step(.passwordRequired(NativeAuth.FlowPassword(flow: flow, target: .verification(link))))
    }

    /// The service may assess the risk between the choice of a phone and the code.
    private mutating func riskCheck(_ members: FlowMembers) throws(NativeAuthFailure) -> Consequence {
        let method: NativeAuth.AuthMethod
        switch context {
        case .challenge(let chosen) where chosen.channel == "sms": method = chosen
        case .enrollment(let chosen) where chosen.channel == "sms": method = chosen
        case .challenge, .enrollment, .riskCheck, .newPassword, .attributes, .other:
            throw failure("The service asks for a risk check at a step that has none.")
        }
        guard let link = members.link("riskverify", below: authority).usable else { throw missing("riskverify") }
        context = .riskCheck(method)
        return .request(FlowRequest(.riskCheck, to: link, token: token))
    }
}

// MARK: - Codes and passwords

extension FlowRun {
    private func verification(_ members: FlowMembers) throws(NativeAuthFailure) -> Consequence {
        guard let link = members.link("verify", below: authority).usable else { throw missing("verify") }
        if (members.text("type") ?? context.method?.channel) == "password" {
            return .step(.passwordRequired(NativeAuth.FlowPassword(flow: flow, target: .verification(link))))
        }
        let code = code(members, verification: link, member: .otp)
        return switch flow.factor {
        case .first: .step(.codeRequired(code))
        case .second: .step(.secondFactorCodeRequired(code))
        case .registration: .step(.registrationCodeRequired(code))
        }
    }

    /// The code that was sent, as described in the response.
    func code(
        _ members: FlowMembers,
        verification: FlowLink,
        member: NativeAuth.FlowCode.CodeMember
    ) -> NativeAuth.FlowCode {
        NativeAuth.FlowCode(
            flow: flow,
            delivery: NativeAuth.CodeDelivery(
                sentTo: members.text("hint") ?? context.method?.loginHint ?? "",
                channel: members.text("type") ?? context.method?.channel ?? "email",
                codeLength: members.count("codeLength") ?? members.object("payload")?.count("codeLength") ?? 0
            ),
            verification: verification,
            member: member,
            resend: members.link("resend", below: authority).usable
        )
    }

    private func update(_ members: FlowMembers) throws(NativeAuthFailure) -> Consequence {
        let links = ["update", "self"].lazy.map { members.link($0, below: authority).usable }
        guard let link = links.compactMap(\.self).first else { throw missing("update") }
        return .step(.newPasswordRequired(NativeAuth.FlowNewPassword(flow: flow, update: link)))
    }
}

// MARK: - The end

extension FlowRun {
    /// The flow is complete (docs/reference/NativeAuthV2.md#completion).
    private func completion(_ members: FlowMembers) throws(NativeAuthFailure) -> Consequence {
        let link: FlowLink =
            switch members.link("continue", below: authority) {
            case .missing: FlowLink(.authorizeChallenge, below: authority)
            case .refused: throw missing("continue")
            case .usable(let link): link
            }
        guard flow.endsInTokens else { return .step(.finished(NativeAuth.FlowEnd(flow: flow, resume: link))) }
        return .request(resume(at: link))
    }

    /// The request for the authorization code.
    func resume(at link: FlowLink) -> FlowRequest {
        var form = FormBody()
        form.set(.continuationToken, to: token.exposed)
        return FlowRequest(.resume, to: link, form: form, secrets: [token])
    }

    /// Redeems the code, and validates and stores the tokens as after a V1 sign-in.
    mutating func redeem(_ code: Secret) async throws(NativeAuthFailure) -> TokenResult {
        let continuation = flow.continuation
        let scopes = ScopeSet(continuation.scopes)
        var form = FormBody()
        form.set(.clientID, to: client.tokens.configuration.app.clientID)
        form.set(.grantType, to: "authorization_code")
        form.set(.code, to: code.exposed)
        form.set(.clientInfo, to: "true")
        form.set(.scope, to: scopes.union(.openID).text)
        form.set(.claims, to: continuation.claims)
        let request = FlowRequest(
            .token,
            to: FlowLink(.token, below: authority),
            form: form,
            secrets: [code, continuation.token]
        )
        let response = try await exchange(request)
        try check(response, to: request)
        guard response.http.status == 200 else { throw failure(AuthError(response.http, from: "The token endpoint")) }
        do throws(AuthError) {
            return try await Log.lines(of: continuation.correlationID) { [client] () async throws(AuthError) in
                try await client.store(
                    response.body.value.object ?? [:],
                    scopes: scopes,
                    username: continuation.username,
                    correlationID: continuation.correlationID
                )
            }
        } catch {
            throw failure(error)
        }
    }
}
