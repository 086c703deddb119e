// Licensed under the MIT License. See LICENSE.

/// Orders the sign-in modes. It does not inspect the machine: the caller passes the facts.
package struct SignInModeSelector: Sendable {
    /// All sign-in modes. Of modes that work equally well, the first in this list is tried first. A broker may need no
    /// page. A device code never comes before a pasted address, because tenants block it
    /// (docs/reference/SignInModeRules.md#order).
    package static let all: [any SignInModeRule] = [
        BrokerModeRule(), LoopbackBrowserModeRule(), AppRedirectModeRule(), PasteModeRule(), DeviceCodeModeRule(),
    ]

    private let modes: [any SignInModeRule]

    package init(_ modes: [any SignInModeRule] = all) { self.modes = modes }

    package func plan(for request: SignInModeRequest, on machine: SignInEnvironment) -> SignInPlan {
        let assessed = modes.map { SignInPlan.Step(mode: $0.name, assessment: $0.assessment(of: request, on: machine)) }
        let steps: [SignInPlan.Step]
        if let forced = request.forced {
            steps = forced.compactMap { name in assessed.first { $0.mode == name } }
        } else {
            // Modes that work equally well stay in the order of the list.
            steps = [.good, .lastResort, .impossible].flatMap { suitability in
                assessed.filter { $0.assessment.suitability == suitability }
            }
        }
        return SignInPlan(
            machine: machine,
            steps: steps,
            isForced: request.forced != nil,
            waitsForManualOpen: request.forced != nil || request.opensNoBrowser || machine.isAttended
                || (machine.hasDisplay && !machine.isAutomatic)
        )
    }
}

/// The modes for one sign-in, in the order in which they are tried, with the reasons.
package struct SignInPlan: Sendable, Hashable {
    /// A sign-in mode and its evaluation.
    package struct Step: Sendable, Hashable {
        package let mode: SignInMode
        package let assessment: SignInModeAssessment

        var isPossible: Bool { assessment.suitability != .impossible }
        var explanation: String { "\(mode.rawValue): \(assessment.reason)" }
    }

    let machine: SignInEnvironment
    /// The modes in the order in which they are tried, including the impossible ones.
    package private(set) var steps: [Step]
    /// Whether the app specified the modes.
    package let isForced: Bool
    /// Whether a visit waits for a user to open its address if no browser starts. A desktop program has a user but no
    /// terminal. An app that specifies its modes, or disables the browser, expects a user.
    package let waitsForManualOpen: Bool

    /// The modes to try.
    package var possible: [SignInMode] { steps.filter(\.isPossible).map(\.mode) }

    /// The mode after this one, if there is one.
    package func mode(after mode: SignInMode) -> SignInMode? {
        possible.firstIndex(of: mode).flatMap { possible.dropFirst($0 + 1).first }
    }

    /// The plan without a mode that was tried.
    func without(_ mode: SignInMode) -> SignInPlan {
        var plan = self
        plan.steps.removeAll { $0.mode == mode }
        return plan
    }

    /// All reasons in one line.
    package var explanation: String {
        let choice = possible.first.map { "\($0.rawValue) is tried first" } ?? "no sign-in mode works here"
        return "On this machine (\(machine.explanation)) \(choice)\(isForced ? ", as the app demands" : ""). "
            + steps.map(\.explanation).joined(separator: ". ") + "."
    }
}

/// The identity broker of this machine (docs/reference/Broker.md). If the device is signed in, it needs no page.
/// Otherwise the broker shows the page, and not our browser.
package struct BrokerModeRule: SignInModeRule {
    package let name = SignInMode.broker

    package func assessment(of request: SignInModeRequest, on machine: SignInEnvironment) -> SignInModeAssessment {
        if let refusal = request.brokerRefusal { return .impossible(refusal) }
        switch machine.broker {
        case .present: return .good("the identity broker of this machine signs you in")
        case .absent(let reason): return .impossible(reason)
        }
    }
}

/// A browser on any machine. The user pastes the address on which it ended, and the listener of this machine waits
/// meanwhile: a forwarded port leads there.
package struct PasteModeRule: SignInModeRule {
    package let name = SignInMode.paste

    package func assessment(of request: SignInModeRequest, on machine: SignInEnvironment) -> SignInModeAssessment {
        guard request.canPaste else { return .impossible("the app has no prompt for an address") }
        if case .scheme(let scheme) = request.redirect {
            return .impossible("browsers do not show the address of a redirect to \(scheme)")
        }
        return .good("a browser on any machine will do; its last address is pasted here")
    }
}

/// A browser on any machine, in which the user types a code (RFC 8628). Many tenants block it.
package struct DeviceCodeModeRule: SignInModeRule {
    package let name = SignInMode.deviceCode

    package func assessment(of request: SignInModeRequest, on machine: SignInEnvironment) -> SignInModeAssessment {
        guard request.showsDeviceCode else { return .impossible("the app shows no code") }
        guard !request.hasUserFlows else { return .impossible("the user flows of this authority have no device codes") }
        return .good("a browser on any machine will do; a code is typed there, unless the tenant blocks it")
    }
}

/// The browser of this machine. The redirect comes to a port of this machine (RFC 8252 §7.3).
package struct LoopbackBrowserModeRule: SignInModeRule {
    package let name = SignInMode.browser

    package func assessment(of request: SignInModeRequest, on machine: SignInEnvironment) -> SignInModeAssessment {
        switch request.redirect {
        case .loopback: machine.browserAssessment(of: request)
        case .scheme, .web: .impossible("the redirect URI does not lead to a port of this machine")
        }
    }
}

/// The browser of this machine. The redirect comes by a scheme of the app's own (RFC 8252 §7.1), or the app receives it
/// at an https address (RFC 8252 §7.2).
package struct AppRedirectModeRule: SignInModeRule {
    package let name = SignInMode.appRedirect

    package func assessment(of request: SignInModeRequest, on machine: SignInEnvironment) -> SignInModeAssessment {
        switch request.redirect {
        case .loopback: .impossible("the redirect URI leads to a port of this machine")
        case .scheme, .web: machine.browserAssessment(of: request)
        }
    }
}

extension SignInEnvironment {
    fileprivate func browserAssessment(of request: SignInModeRequest) -> SignInModeAssessment {
        if request.opensNoBrowser {
            guard request.showsAddress else { return .impossible("the app starts no browser and shows no address") }
            return .lastResort("the app starts no browser; it waits for you to open the address on this machine")
        }
        if let launcher = launchers.first {
            let program = launcher == "portal" ? "the desktop portal" : launcher
            return .good("\(program) opens a browser here")
        }
        let reason = "nothing here opens a browser: \(missing)"
        guard request.showsAddress else { return .impossible("\(reason), and the app shows no address") }
        // A job would wait in vain. An app that specifies its sign-in modes expects a user.
        guard isAttended || request.forced != nil else {
            return .impossible("\(reason), and no user can open the address: \(absence)")
        }
        return .lastResort("\(reason); it waits for you to open the address on this machine")
    }

    private var absence: String { isAutomatic ? "an automatic build runs the program" : "there is no terminal" }

    /// The reason why no program opens a browser. With a display there is always one that was looked for.
    private var missing: String {
        guard !missingLaunchers.isEmpty else { return "no display, and BROWSER names no program" }
        return (missingLaunchers + (hasDisplay ? [] : ["display"])).map { "no \($0)" }.joined(separator: ", ")
    }
}
