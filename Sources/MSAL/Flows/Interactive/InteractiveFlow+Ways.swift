// Licensed under the MIT License. See LICENSE.

import MSALCore

extension InteractiveFlow {
    /// The ways in which a request would be tried on this machine, with the reasons. Nothing is started.
    package func ways(for request: InteractiveRequest) async throws(AuthError) -> WayPlan {
        await ways(for: request, authority: try authorityRules.authority(of: request.token))
    }

    func ways(for request: InteractiveRequest, authority: Authority) async -> WayPlan {
        var wish = WayRequest(redirect: browser.redirectURI.wayRedirect)
        wish.showsAddress = request.window.onOpen != nil
        wish.opensNoBrowser = browser.command == []
        wish.canPaste = request.onPaste != nil
        wish.showsDeviceCode = request.onDeviceCode != nil
        wish.hasUserFlows = [.b2c, .ciam].contains(authority.kind)
        wish.forced = request.ways
        wish.brokerRefusal = broker.access.refusal(for: request, authority: authority)
        var machine = await agent.surroundings(browserCommand: browser.command)
        if wish.brokerRefusal == nil, wish.forced?.contains(.broker) ?? true {
            machine.broker = await broker.access.broker.insistent.availability()
        }
        return WayChooser().plan(for: wish, on: machine)
    }
}

extension RedirectURI {
    fileprivate var wayRedirect: WayRequest.Redirect {
        switch kind {
        case .loopback: .loopback
        // An app that has its redirect URI accepted unseen may name any page of the web.
        case .scheme where text.lowercased().hasPrefix("http:") || text.lowercased().hasPrefix("https:"): .web
        case .scheme: .scheme(text.prefix { $0 != ":" } + "")
        case .https: .web
        }
    }
}

extension WayPlan {
    /// The error's text where no way works.
    var remedy: String {
        "\(words) Name a browser with browserCommand or the variable BROWSER, set DISPLAY or "
            + "WAYLAND_DISPLAY, or let the app offer another way: onOpen, onPaste or onDeviceCode. Without a terminal, and in "
            + "an automatic build, onOpen counts only for a way that the app names in ways."
    }
}

extension AuthError {
    /// Whether the service does not accept sign-ins by a code, for example because of a policy. Then neither the user
    /// declined nor did the code expire. Numbers of errors are not looked at (docs/reference/Decisions.md#numbers).
    var refusesDeviceCode: Bool {
        switch kind {
        case .tokenRefused(let refusal): refusal.isNamed("invalid_grant") || refusal.isNamed("interaction_required")
        case .protectionPolicyRequired: true
        case .invalidParameter, .unexpected, .invalidRedirectURI, .redirectSchemeNotRegistered, .interactionRequired,
            .authorizationRefused, .declinedScopes, .canceled, .sessionAlreadyRunning, .invalidState, .invalidResponse,
            .authorityValidationFailed, .http, .transport, .ambiguousAccount, .accountRequired, .deviceNotRegistered,
            .mismatchedUser, .broker, .store:
            false
        }
    }

    /// The error, which names the ways that failed before it, too.
    func naming(_ failures: [String]) -> AuthError {
        guard !failures.isEmpty else { return self }
        var copy = self
        copy.message += " Before that, other ways did not work. \(failures.joined(separator: " "))"
        return copy
    }
}
