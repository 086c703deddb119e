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
