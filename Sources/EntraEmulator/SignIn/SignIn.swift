// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird

/// Decides what comes next in a sign-in: a page, or the answer to the application.
struct SignIn: Sendable {
    let platform: Platform

    /// Begins the journey of a checked request.
    func begin(_ request: AuthorizationRequest, _ exchange: Exchange) async throws -> Response {
        let cookies = SessionCookies(exchange)
        let browser = cookies.browser ?? .random()
        var flow = platform.flows.begin(request, browser: browser, now: exchange.now)
        var response: Response
        do {
            response = try await firstStep(&flow, exchange)
        } catch let error as EntraError {
            platform.flows.end(flow)
            throw RedirectedError(error: error, reply: request.reply)
        }
        if cookies.browser == nil {
            SessionCookies.set(browser: browser, on: &response)
        }
        return response
    }

    /// Chooses the first page from the prompt, the hint and who is signed in (defaults, "Prompts").
    private func firstStep(_ flow: inout SignInFlow, _ exchange: Exchange) async throws -> Response {
        let request = flow.request
        let sessions = try await sessions(for: request, exchange)
        let hinted = sessions.first {
            $0.user.userPrincipalName.lowercased() == request.loginHint?.lowercased()
        }
        switch request.prompt {
        case .some(.none):
            return try await silently(&flow, sessions: sessions, hinted: hinted, exchange)
        case .create:
            guard case .tenant(let tenant) = request.selector, tenant.allowsSignUp else {
                throw EntraError.signUpUnavailable
            }
            return show(.signUp, &flow, typed: request.loginHint)
        case .selectAccount where !sessions.isEmpty:
            return try await showPicker(&flow, exchange)
        case .login, .selectAccount:
            return try await askWho(&flow, exchange)
        case .consent, nil:
            if let hinted { return try await resume(&flow, hinted, exchange) }
            if request.loginHint != nil { return try await askWho(&flow, exchange) }
            if let only = sessions.first, sessions.count == 1 { return try await resume(&flow, only, exchange) }
            return sessions.isEmpty ? show(.userName, &flow) : try await showPicker(&flow, exchange)
        }
    }

    private func silently(
        _ flow: inout SignInFlow,
        sessions: [SignedIn],
        hinted: SignedIn?,
        _ exchange: Exchange
    ) async throws -> Response {
        if flow.request.loginHint == nil, sessions.count > 1 { throw EntraError.severalSessions }
        let candidate = flow.request.loginHint == nil ? sessions.first : hinted
        guard let candidate, isFresh(candidate.session, flow.request, exchange) else { throw EntraError.noSession }
        flow.identity = candidate.identity
        guard secondFactor(of: candidate.user, flow) == nil else { throw EntraError.secondFactorInteraction }
        guard try await missingConsent(candidate.user, &flow).isEmpty else {
            throw EntraError.consentRequired(flow.request.client.clientID, inTokenRequest: false)
        }
        return try await proceed(&flow, exchange)
    }

    /// Asks for the name, or straight for the password where a hint names somebody.
    private func askWho(_ flow: inout SignInFlow, _ exchange: Exchange) async throws -> Response {
        guard let hint = flow.request.loginHint, try await platform.store.user(named: hint) != nil else {
            return show(.userName, &flow, typed: flow.request.loginHint)
        }
        return try await named(hint, &flow, exchange)
    }

    /// Goes on as somebody who is signed in to this browser, with the password if the sign-in is too old.
    func resume(_ flow: inout SignInFlow, _ signedIn: SignedIn, _ exchange: Exchange) async throws -> Response {
        guard flow.request.prompt != .login, isFresh(signedIn.session, flow.request, exchange) else {
            return show(.password(userName: signedIn.user.userPrincipalName), &flow)
        }
        flow.identity = signedIn.identity
        return try await proceed(&flow, exchange)
    }

    /// Goes on once it is known who the person is: membership, consent, answer.
    func proceed(_ flow: inout SignInFlow, _ exchange: Exchange) async throws -> Response {
        guard let identity = flow.identity, let user = try await platform.store.user(id: identity.userID) else {
            return show(.userName, &flow)
        }
        guard let tenant = platform.issuingTenant(for: user, in: flow.request.selector) else {
            flow.identity = nil
            let error = EntraError.foreignUser(user.userPrincipalName, tenant: flow.request.tenantSegment.tenant)
            return show(.userName, &flow, problem: error, typed: user.userPrincipalName)
        }
        if let challenge = secondFactor(of: user, flow) { return try self.challenge(challenge, &flow, exchange) }
        let missing = try await missingConsent(user, &flow)
        if !user.isAdministrator, missing.contains(where: { isAdministratorOnly($0, flow.request) }) {
            return show(.administratorNeeded, &flow)
        }
        if !missing.isEmpty || (flow.request.prompt == .consent && !flow.hasConsented) {
            return try await showConsent(&flow, user, missing)
        }
        platform.flows.end(flow)
        return try await AuthorizationAnswer(platform: platform)
            .grant(flow.request, identity: identity, user: user, tenant: tenant, exchange)
    }

    // MARK: Pages

    /// Stores the stage and shows its page.
    func show(
        _ stage: SignInFlow.Stage,
        _ flow: inout SignInFlow,
        problem: EntraError? = nil,
        typed: String? = nil
    ) -> Response {
        flow.stage = stage
        platform.flows.save(flow)
        let form = Pages.Form(flow)
        switch stage {
        case .userName: return platform.pages.userName(form, typed: typed ?? "", problem: problem)
        case .password(let name): return platform.pages.password(form, userName: name, problem: problem)
        case .code(let challenge):
            return platform.pages.code(form, sentTo: StrongMethod.masked(challenge.address), problem: problem)
        case .signUp: return platform.pages.signUp(form, typed: typed ?? "", problem: problem)
        case .staySignedIn: return platform.pages.staySignedIn(form)
        case .administratorNeeded: return platform.pages.administratorNeeded(form)
        // These two need the people and permissions; they are shown by the functions below.
        case .picker: return platform.pages.picker(form, accounts: [])
        case .consent: return platform.pages.consent(form, userName: "", resource: "", permissions: [])
        }
    }

    /// Shows who is signed in.
    func showPicker(_ flow: inout SignInFlow, _ exchange: Exchange) async throws -> Response {
        let sessions = try await sessions(for: flow.request, exchange)
        guard !sessions.isEmpty else { return show(.userName, &flow) }
        flow.stage = .picker
        platform.flows.save(flow)
        return platform.pages.picker(.init(flow), accounts: sessions.map(\.user))
    }
}
