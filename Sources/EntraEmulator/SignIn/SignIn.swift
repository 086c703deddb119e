// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// Decides on the next step of a sign-in: a page, or the response to the application.
struct SignIn: Sendable {
    let directory: ServedDirectory
    let store: EmulatorStore
    let consents: Consents
    let policies: AccessPolicies
    let flows: SignInFlows
    let codes: OneTimeCodes
    let passwords: PasswordCheck
    let devices: DeviceSignIns
    let shortcuts: Shortcuts
    let hints: LoginHints
    let pages: Pages
    let responses: AuthorizationResponses

    /// Starts the sign-in of a validated request.
    func begin(_ request: AuthorizeRequest, exchange: Exchange) async throws -> Response {
        let cookies = SessionCookies(exchange)
        let browser: Secret
        switch try await deviceCredentialResult(exchange) {
        case .none: browser = cookies.browser ?? .random()
        case .signedIn(let renewed): browser = renewed
        case .needsNonce(let location): return .redirect(to: location, after: exchange.method)
        }
        var request = request
        if let hint = request.pageOptions.loginHint { request.pageOptions.loginHint = hints.userName(in: hint) ?? hint }
        var flow = flows.begin(request, browser: browser, now: exchange.now)
        flow.listsPeople = shortcuts.areFor(exchange)
        var response: Response
        do {
            response = try await firstStep(&flow, exchange: exchange)
        } catch let error as EntraError {
            flows.end(flow)
            throw RedirectedError(error: error, target: request.target)
        }
        if cookies.browser != browser {
            SessionCookies(browser: browser, persistent: nil).set(on: &response, of: directory)
        }
        return response
    }

    /// Chooses the first page depending on the prompt, the hint, and the signed-in users.
    private func firstStep(_ flow: inout SignInFlow, exchange: Exchange) async throws -> Response {
        if let response = try await withoutPages(&flow, exchange: exchange) { return response }
        let request = flow.request
        let sessions = try await sessions(in: flow, exchange: exchange)
        let hinted = sessions.first {
            $0.user.userPrincipalName.lowercased() == request.pageOptions.loginHint?.lowercased()
        }
        switch request.pageOptions.prompt {
        case .some(.none):
            return try await silently(&flow, sessions: sessions, hinted: hinted, exchange: exchange)
        case .create:
            guard case .tenant(let tenant) = request.selector, tenant.allowsSignUp else {
                throw EntraError.signUpUnavailable
            }
            return show(.signUp, in: &flow, typed: request.pageOptions.loginHint)
        case .selectAccount where !sessions.isEmpty:
            return try await showPicker(&flow, exchange: exchange)
        case .login, .selectAccount:
            return try await promptForUsername(&flow, exchange: exchange)
        case .consent, nil:
            if let hinted { return try await resume(&flow, as: hinted, exchange: exchange) }
            if request.pageOptions.loginHint != nil { return try await promptForUsername(&flow, exchange: exchange) }
            if let only = sessions.first, sessions.count == 1 {
                return try await resume(&flow, as: only, exchange: exchange)
            }
            return sessions.isEmpty ? show(.userName, in: &flow) : try await showPicker(&flow, exchange: exchange)
        }
    }

    private func silently(
        _ flow: inout SignInFlow,
        sessions: [SignedIn],
        hinted: SignedIn?,
        exchange: Exchange
    ) async throws -> Response {
        if flow.request.pageOptions.loginHint == nil, sessions.count > 1 { throw EntraError.severalSessions }
        let candidate = flow.request.pageOptions.loginHint == nil ? sessions.first : hinted
        guard let candidate, isFresh(candidate.session, for: flow.request, exchange: exchange) else {
            throw EntraError.noSession
        }
        flow.identity = candidate.identity
        if let tenant = directory.issuingTenant(for: candidate.user, in: flow.request.selector),
            case .missing(let need) = decision(
                on: candidate.identity,
                of: candidate.user,
                in: tenant,
                flow: flow,
                exchange: exchange
            )
        {
            throw need.error.inRedirect
        }
        guard try await missingConsent(of: candidate.user, in: &flow).isEmpty else {
            throw EntraError.consentRequired(flow.request.client.clientID, inTokenRequest: false)
        }
        return try await proceed(&flow, exchange: exchange)
    }

    /// Asks for the user name or, if there is a hint, directly for the password.
    private func promptForUsername(_ flow: inout SignInFlow, exchange: Exchange) async throws -> Response {
        guard let hint = flow.request.pageOptions.loginHint, try await store.user(named: hint) != nil else {
            return show(.userName, in: &flow, typed: flow.request.pageOptions.loginHint)
        }
        return try await named(hint, in: &flow, exchange: exchange)
    }

    /// Continues as a user who is signed in to this browser; an old sign-in requires the password again.
    func resume(_ flow: inout SignInFlow, as signedIn: SignedIn, exchange: Exchange) async throws -> Response {
        let request = flow.request
        guard request.pageOptions.prompt != .login, isFresh(signedIn.session, for: request, exchange: exchange) else {
            return show(.password(userName: signedIn.user.userPrincipalName), in: &flow)
        }
        flow.identity = signedIn.identity
        return try await proceed(&flow, exchange: exchange)
    }

    /// Continues with a known user: membership, policies, staying signed in, consent, response.
    func proceed(_ flow: inout SignInFlow, exchange: Exchange) async throws -> Response {
        guard let identity = flow.identity, let user = try await store.user(id: identity.userID) else {
            return show(.userName, in: &flow)
        }
        guard let tenant = directory.issuingTenant(for: user, in: flow.request.selector) else {
            flow.identity = nil
            flow.asksToStay = false
            let error = EntraError.foreignUser(user.userPrincipalName, tenant: flow.request.tenantSegment.tenant)
            return show(.userName, in: &flow, problem: error, typed: user.userPrincipalName)
        }
        let contexts: [String]
        switch decision(on: identity, of: user, in: tenant, flow: flow, exchange: exchange) {
        case .missing(let need): return try await supply(need, of: user, in: &flow, exchange: exchange)
        case .granted(let given): contexts = given
        }
        if flow.asksToStay { return show(.staySignedIn, in: &flow) }
        let missing = try await missingConsent(of: user, in: &flow)
        let needsAdministrator =
            flow.request.isForEverybody || missing.contains { isAdministratorOnly($0, in: flow.request) }
        if !user.isAdministrator, needsAdministrator {
            return show(.administratorNeeded, in: &flow)
        }
        if !missing.isEmpty || (flow.request.pageOptions.prompt == .consent && !flow.hasConsented) {
            return try await showConsent(&flow, to: user, missing: missing)
        }
        flows.end(flow)
        flow.request.authenticationContexts = contexts
        return try await responses.grant(
            flow.request,
            identity: identity,
            user: user,
            tenant: tenant,
            cookies: SessionCookies(
                browser: flow.browser,
                persistent: flow.persistent ?? SessionCookies(exchange).persistent
            ),
            exchange: exchange
        )
    }

    // MARK: Pages

    /// Stores the stage and shows its page.
    func show(
        _ stage: SignInFlow.Stage,
        in flow: inout SignInFlow,
        problem: EntraError? = nil,
        typed: String? = nil
    ) -> Response {
        flow.stage = stage
        flows.save(flow)
        let form = Pages.Form(flow)
        switch stage {
        case .userName: return pages.userName(form, typed: typed ?? "", people: people(for: flow), problem: problem)
        case .password(let name): return pages.password(form, userName: name, problem: problem)
        case .code(let challenge):
            return pages.code(form, sentTo: StrongMethod.masked(challenge.address), problem: problem)
        case .signUp: return pages.signUp(form, typed: typed ?? "", problem: problem)
        case .registration: return pages.registration(form, typed: typed ?? "", problem: problem)
        case .newPassword: return pages.newPassword(form, problem: problem)
        case .termsOfUse: return pages.termsOfUse(form)
        case .refused(let error): return pages.refused(form, error: error)
        case .staySignedIn: return pages.staySignedIn(form)
        case .administratorNeeded: return pages.administratorNeeded(form)
        // The picker also needs the users, and the consent page the permissions: `showPicker` and `showConsent` add
        // them.
        case .picker: return pages.picker(form, accounts: .init([]))
        case .consent: return pages.consent(form, userName: "", api: "", permissions: [])
        }
    }

    /// Shows the signed-in users.
    ///
    /// `term`: The term of a search.
    func showPicker(
        _ flow: inout SignInFlow,
        matching term: String? = nil,
        exchange: Exchange
    ) async throws -> Response {
        let sessions = try await sessions(in: flow, exchange: exchange)
        guard !sessions.isEmpty else { return show(.userName, in: &flow) }
        flow.stage = .picker
        flows.save(flow)
        return pages.picker(.init(flow), accounts: .init(sessions.map(\.user), matching: term))
    }

    /// Shows the page of a sign-in again, with the users that match a search: `GET /{tenant}/signin`. Nothing changes.
    func search(_ exchange: Exchange) async throws -> Response {
        let (query, cookies) = (exchange.query, SessionCookies(exchange))
        var flow = try flows.flow(id: query["flow"], browser: cookies.browser, now: exchange.now)
        switch flow.stage {
        case .picker: return try await showPicker(&flow, matching: query["search"], exchange: exchange)
        case .userName:
            let people = people(for: flow, matching: query["search"])
            return pages.userName(.init(flow), typed: "", people: people, problem: nil)
        case .password, .code, .signUp, .registration, .newPassword, .termsOfUse, .staySignedIn, .consent,
            .administratorNeeded, .refused:
            throw EntraError.formExpired
        }
    }
}
