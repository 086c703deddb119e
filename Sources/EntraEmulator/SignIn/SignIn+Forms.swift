// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// The forms of the pages.
extension SignIn {
    /// Handles `POST /{tenant}/signin`.
    func submit(_ exchange: Exchange) async throws -> Response {
        let form = exchange.form
        let cookies = SessionCookies(exchange)
        guard !exchange.isFromOtherSite else { throw EntraError.formExpired }
        var flow = try flows.flow(
            id: form["flow"],
            token: form["csrf"],
            browser: cookies.browser,
            now: exchange.now
        )
        switch exchange.pressedButton {
        case "cancel":
            flows.end(flow)
            throw RedirectedError(error: Self.refusal(of: flow), target: flow.request.target)
        case "back", "other":
            flow.identity = nil
            flow.asksToStay = false
            return show(.userName, in: &flow)
        default:
            return try await advance(&flow, exchange: exchange)
        }
    }

    /// The error that an application receives if the user cancels.
    private static func refusal(of flow: SignInFlow) -> EntraError {
        switch flow.stage {
        case .administratorNeeded: .administratorConsent
        case .refused(let error): error.inRedirect
        case .picker, .userName, .password, .code, .signUp, .registration, .newPassword, .termsOfUse, .staySignedIn,
            .consent:
            flow.request.isForEverybody ? .declinedByAdministrator : .declined
        }
    }

    private func advance(_ flow: inout SignInFlow, exchange: Exchange) async throws -> Response {
        let form = exchange.form
        if let person = form["person"] { return try await clicked(person, in: &flow, exchange: exchange) }
        // The browser's back button leads to a page before this stage; its form is handled like the first time.
        if exchange.pressedButton == "next", let name = form["loginfmt"] ?? form["login"], flow.stage != .signUp {
            flow.identity = nil
            return try await named(name, in: &flow, exchange: exchange)
        }
        switch flow.stage {
        case .picker: return try await picked(form["account"], in: &flow, exchange: exchange)
        case .userName: return try await named(form["loginfmt"] ?? form["login"], in: &flow, exchange: exchange)
        case .password(let name):
            return try await authenticated(name, password: form["passwd"], in: &flow, exchange: exchange)
        case .code(let challenge): return try await typedCode(challenge, in: &flow, exchange: exchange)
        case .signUp: return try await signedUp(&flow, exchange: exchange)
        case .registration: return try await registered(form["contact"], in: &flow, exchange: exchange)
        case .newPassword: return try await changedPassword(in: &flow, exchange: exchange)
        case .termsOfUse(let ids): return try await agreed(ids, in: &flow, exchange: exchange)
        case .refused(let error): return show(.refused(error), in: &flow)
        case .staySignedIn:
            return try await answerStaySignedIn(exchange.pressedButton == "yes", in: &flow, exchange: exchange)
        case .consent: return try await consented(exchange.pressedButton == "accept", in: &flow, exchange: exchange)
        case .administratorNeeded: return show(.administratorNeeded, in: &flow)
        }
    }

    private func picked(_ name: String?, in flow: inout SignInFlow, exchange: Exchange) async throws -> Response {
        let sessions = try await sessions(in: flow, exchange: exchange)
        guard let name, let choice = sessions.first(where: { $0.user.userPrincipalName == name }) else {
            return try await showPicker(&flow, exchange: exchange)
        }
        return try await resume(&flow, as: choice, exchange: exchange)
    }

    /// Continues with the user of a name.
    func named(_ name: String?, in flow: inout SignInFlow, exchange: Exchange) async throws -> Response {
        let name = (name ?? "").trimmingCharacters(in: .whitespaces)
        guard let user = try await store.user(named: name) else {
            return show(.userName, in: &flow, problem: .unknownUser, typed: name)
        }
        if user.customer?.credential == .emailCode { return try challenge(.first(user), in: &flow, exchange: exchange) }
        return show(.password(userName: user.userPrincipalName), in: &flow)
    }

    private func authenticated(
        _ name: String,
        password: String?,
        in flow: inout SignInFlow,
        exchange: Exchange
    ) async throws -> Response {
        let user = try await store.user(named: name)
        if let problem = passwords.problem(of: user, typing: Secret(password ?? ""), at: exchange.now),
            !canChangePassword(user, after: problem)
        {
            return show(.password(userName: name), in: &flow, problem: problem)
        }
        guard let user else { return show(.userName, in: &flow) }
        return try await welcome(user, in: &flow, exchange: exchange)
    }

    /// Whether the password was correct, and the pages let the user choose a new one.
    private func canChangePassword(_ user: User?, after problem: EntraError) -> Bool {
        user != nil && user?.customer == nil && [.passwordExpired, .passwordChangeRequired].contains(problem)
    }

    private func signedUp(_ flow: inout SignInFlow, exchange: Exchange) async throws -> Response {
        guard case .tenant(let tenant) = flow.request.selector, tenant.allowsSignUp else {
            throw EntraError.signUpUnavailable
        }
        let name = (exchange.form["login"] ?? "").trimmingCharacters(in: .whitespaces)
        let displayName = (exchange.form["name"] ?? "").trimmingCharacters(in: .whitespaces)
        let password = exchange.form["passwd"] ?? ""
        let isAddress = name.split(separator: "@", omittingEmptySubsequences: false).filter { !$0.isEmpty }.count == 2
        guard isAddress, name.utf8.count <= 113, displayName.utf8.count <= 256, password.utf8.count >= 8 else {
            return show(.signUp, in: &flow, problem: .invalidSignUp, typed: name)
        }
        guard try await store.user(named: name) == nil else {
            return show(.signUp, in: &flow, problem: .userExists, typed: name)
        }
        let user = User(
            id: UUID().uuidString.lowercased(),
            homeTenantID: tenant.id,
            userPrincipalName: name.lowercased(),
            givenName: displayName.isEmpty ? name : displayName,
            surname: "",
            password: Secret(password)
        )
        try await store.save(user)
        return try await welcome(user, in: &flow, exchange: exchange)
    }

    private func answerStaySignedIn(
        _ stays: Bool,
        in flow: inout SignInFlow,
        exchange: Exchange
    ) async throws -> Response {
        guard let identity = flow.identity else { return show(.userName, in: &flow) }
        flow.asksToStay = false
        // The session cookie was created when the user signed in. The other one may have been planted since.
        let persistent = stays ? Secret.random() : nil
        let cookie = persistent ?? flow.browser
        let lifetime = stays ? SessionCookies.persistentLifetime : SessionCookies.browserLifetime
        let session = BrowserSession(
            userID: identity.userID,
            authenticatedAt: identity.authenticatedAt,
            expiresAt: exchange.now.addingTimeInterval(lifetime),
            hasSecondFactor: identity.hasSecondFactor,
            isOnManagedDevice: identity.isOnManagedDevice
        )
        if let persistent, let old = SessionCookies(exchange).persistent {
            try await store.moveSessions(from: old, to: persistent)
        }
        try await store.save(session, cookie: cookie)
        flow.persistent = persistent
        var response = try await proceed(&flow, exchange: exchange)
        SessionCookies(browser: nil, persistent: persistent).set(on: &response, of: directory)
        return response
    }

    private func consented(_ accepts: Bool, in flow: inout SignInFlow, exchange: Exchange) async throws -> Response {
        guard let identity = flow.identity, accepts else { return try await proceed(&flow, exchange: exchange) }
        let user = try await store.user(id: identity.userID)
        let tenant = user.flatMap { directory.issuingTenant(for: $0, in: flow.request.selector) }
        let isForEverybody = flow.request.isForEverybody && user?.isAdministrator == true
        try await store.recordConsent(
            userID: isForEverybody ? Consents.adminConsentUserID(in: tenant) : identity.userID,
            clientID: flow.request.client.clientID,
            scopes: flow.request.scopes
        )
        flow.hasConsented = true
        return try await proceed(&flow, exchange: exchange)
    }
}

extension Exchange {
    /// The action of the button that was pressed. As on Microsoft's pages, some buttons are inputs, whose value is
    /// their label, such as “Sign in”.
    var pressedButton: String? { form["action"]?.lowercased().filter { !$0.isWhitespace } }
}

extension EntraError {
    fileprivate static let invalidSignUp = invalidRequest(
        90_023,
        message: "Enter an e-mail address and a password of at least eight characters."
    )

    fileprivate static let userExists = invalidRequest(
        1_003_037,
        message: "There is already an account with this address."
    )
}
