// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

// Each function is a call of the app in a V2 flow: the table of states is docs/reference/NativeAuthV2.md#states.
extension NativeAuthClient {
    /// Starts a flow (docs/reference/NativeAuthV2.md#entry).
    ///
    /// - Throws: `.userNotFound`, `.userAlreadyExists`, `.userDoesNotHavePassword`, or `.invalidUsername`: ask again,
    ///   or offer another flow; `.browserRequired`: continue in the browser.
    func startFlow(_ start: NativeAuth.FlowStart) async throws(NativeAuthFailure) -> NativeAuth.FlowStep {
        var run = FlowRun(self, flow: NativeAuth.Flow(start))
        guard !start.username.isBlank else {
            throw NativeAuthFailure(.invalidUsername, correlationID: start.correlationID)
        }
        let link = try await run.enter()
        return try await run.step(
            after: FlowRequest(.start, to: link, token: run.token, members: ["username": .string(start.username)])
        )
    }

    /// Submits a one-time code.
    ///
    /// - Throws: `.invalidCode`, or `.invalidChallenge` for a second factor or a registration: ask again.
    func submitCode(
        _ code: Secret,
        in state: NativeAuth.FlowCode
    ) async throws(NativeAuthFailure) -> NativeAuth.FlowStep {
        var run = FlowRun(self, flow: state.flow)
        guard !code.exposed.isBlank else {
            throw state.refusal(state.flow.factor == .first ? .invalidCode : .invalidChallenge)
        }
        return try await run.step(
            after: FlowRequest(
                state.member == .otp ? .verifyCode : .activate,
                to: state.verification,
                token: run.token,
                members: [state.member.rawValue: .string(code.exposed)],
                secrets: [code]
            )
        )
    }

    /// Requests another code; the previous one becomes invalid.
    ///
    /// - Throws: `.general` without a request if the service offers no other code.
    func resendCode(in state: NativeAuth.FlowCode) async throws(NativeAuthFailure) -> NativeAuth.FlowStep {
        var run = FlowRun(self, flow: state.flow)
        guard let link = state.resend else { throw run.failure("The service offers no other code for this step.") }
        let method = NativeAuth.AuthMethod(
            id: "",
            challengeType: state.delivery.channel,
            channel: state.delivery.channel,
            loginHint: state.delivery.sentTo
        )
        run.context = state.flow.factor == .registration ? .enrollment(method) : .challenge(method)
        return try await run.step(after: FlowRequest(.challenge, to: link, token: run.token))
    }

    /// Submits the user's password, or the one for a new account.
    ///
    /// - Throws: `.invalidPassword`: ask again; `.invalidAttributes`: other attributes sent with it were rejected.
    func submitPassword(
        _ password: Secret,
        in state: NativeAuth.FlowPassword
    ) async throws(NativeAuthFailure) -> NativeAuth.FlowStep {
        var run = FlowRun(self, flow: state.flow)
        guard !password.exposed.isBlank else { throw state.refusal(.invalidPassword) }
        switch state.target {
        case .verification(let link):
            return try await run.step(
                after: FlowRequest(
                    .verifyPassword,
                    to: link,
                    token: run.token,
                    members: ["password": .string(password.exposed)],
                    secrets: [password]
                )
            )
        case .attributes(let form):
            let filled = form.filled(with: [form.passwordName ?? "password": .string(password.exposed)])
            return try await run.follow(run.submission(of: filled))
        }
    }

    /// Submits the new password and waits until the service has stored it (docs/reference/NativeAuthV2.md#polling).
    ///
    /// - Throws: `.invalidPassword`: ask for a better one.
    func submitNewPassword(
        _ password: Secret,
        in state: NativeAuth.FlowNewPassword
    ) async throws(NativeAuthFailure) -> NativeAuth.FlowStep {
        var run = FlowRun(self, flow: state.flow)
        guard !password.exposed.isBlank else { throw state.refusal(.invalidPassword) }
        run.context = .newPassword
        return try await run.step(
            after: FlowRequest(
                .update,
                to: state.update,
                token: run.token,
                members: ["newPassword": .string(password.exposed)],
                secrets: [password]
            )
        )
    }

    /// Submits attributes of a new user. They may include more than the requested ones.
    ///
    /// - Throws: `.invalidAttributes`, with their names: ask again.
    func submitAttributes(
        _ attributes: [String: JSONValue],
        in state: NativeAuth.FlowAttributes
    ) async throws(NativeAuthFailure) -> NativeAuth.FlowStep {
        var run = FlowRun(self, flow: state.flow)
        return try await run.follow(run.submission(of: state.form.filled(with: attributes)))
    }

    /// Chooses the method at an index of the list: a first or second factor, or one to register.
    ///
    /// - Parameters:
    ///   - index: The index of the method in the list; `nil` for none.
    ///   - contact: The address for a method to register; `nil` for the one that the service knows.
    ///   - state: The state with the list.
    /// - Returns: The next step.
    /// - Throws: `.authMethodBlocked`, `.verificationContactBlocked`, or `.invalidInput`: choose another. The last one
    ///   is also thrown without a request, for an empty contact or an invalid index.
    func selectMethod(
        at index: Int?,
        contact: String? = nil,
        in state: NativeAuth.FlowMethods
    ) async throws(NativeAuthFailure) -> NativeAuth.FlowStep {
        var run = FlowRun(self, flow: state.flow)
        guard let index, state.offers.indices.contains(index) else { throw state.refusal(.invalidInput) }
        switch state.flow.factor {
        case .first, .second:
            return try await run.follow(run.choice(of: state.offers[index]))
        case .registration:
            if let contact, contact.isBlank { throw state.refusal(.invalidInput) }
            return try await run.step(after: run.enrollment(of: state.offers[index], contact: contact))
        }
    }

    /// Signs in the user who has just signed up or reset the password. Scopes and claims replace those from the start
    /// of the flow.
    func signIn(
        _ request: NativeAuth.SignInAfterFlowRequest,
        after state: NativeAuth.FlowEnd
    ) async throws(NativeAuthFailure) -> NativeAuth.FlowStep {
        var run = FlowRun(self, flow: state.flow)
        run.flow.endsInTokens = true
        if !request.scopes.isEmpty { run.flow.continuation.scopes = request.scopes }
        if let claims = request.claims { run.flow.continuation.claims = claims }
        return try await run.step(after: run.resume(at: state.resume))
    }
}

extension FlowRun {
    /// Sends the first request of a flow. The response has the name of an error even if the flow can continue, so it
    /// only counts as an error if the response lacks the token or the link.
    fileprivate mutating func enter() async throws(NativeAuthFailure) -> FlowLink {
        let continuation = flow.continuation
        var form = FormBody()
        form.set(.clientID, to: client.tokens.configuration.app.clientID)
        form.set(.scope, to: ScopeSet(continuation.scopes).union(.openID).text)
        form.set(.claims, to: continuation.claims)
        let request = FlowRequest(.entry, to: FlowLink(.authorizeChallenge, below: authority), form: form)
        let response = try await exchange(request)
        let members = response.members
        let relations =
            switch flow.scenario {
            case .signIn: ["sign_in", "signIn"]
            case .signUp: ["sign_up", "signUp"]
            case .passwordReset: ["reset_password", "resetPassword"]
            }
        let refusal = FlowRefusal(members, status: response.http.status, hiding: [])
        let needsBrowser = members.text("state") == "webFallbackRequired" || refusal?.isBrowserRequired == true
        if !needsBrowser, let token = members.text("continuationToken", "continuation_token"),
            let link = members.entryLink(relations, below: authority)
        {
            flow.continuation.token = Secret(token)
            return link
        }
        try check(response, to: request)
        throw missing(relations[0])
    }

    /// Continues from a consequence without a response.
    fileprivate mutating func follow(_ consequence: Consequence) async throws(NativeAuthFailure) -> NativeAuth.FlowStep
    {
        switch consequence {
        case .step(let step): step
        case .request(let request): try await step(after: request)
        case .poll, .redemption: throw failure("Only a response asks for that.")
        }
    }
}

extension NativeAuth.FlowState {
    /// Rejects an input before any request. The state may be used again.
    fileprivate func refusal(_ kind: NativeAuthFailure.Kind) -> NativeAuthFailure {
        NativeAuthFailure(kind, keeping: .same, correlationID: flow.continuation.correlationID)
    }
}

extension String {
    /// Whether the text is empty or only whitespace.
    fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
