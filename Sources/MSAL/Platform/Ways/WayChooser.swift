// Licensed under the MIT License. See LICENSE.

/// Orders the ways to sign in. It does not look at the machine itself: the caller passes the facts.
package struct WayChooser: Sendable {
    /// Every way. Of several ways that work equally well, the first of this list is tried first. A broker may need no
    /// page. A device code never comes before a pasted address, because tenants block it
    /// (docs/reference/Ways.md#order).
    package static let all: [any SignInWay] = [
        BrokerWay(), LoopbackBrowserWay(), AppRedirectWay(), PasteWay(), DeviceCodeWay(),
    ]

    private let ways: [any SignInWay]

    package init(_ ways: [any SignInWay] = all) { self.ways = ways }

    package func plan(for request: WayRequest, on machine: Surroundings) -> WayPlan {
        let judged = ways.map { WayPlan.Step(way: $0.name, judgement: $0.judgement(of: request, on: machine)) }
        let steps: [WayPlan.Step]
        if let forced = request.forced {
            steps = forced.compactMap { name in judged.first { $0.way == name } }
        } else {
            // Ways that work equally well stay in the order of the list.
            steps = [.good, .lastResort, .impossible].flatMap { fitness in
                judged.filter { $0.judgement.fitness == fitness }
            }
        }
        return WayPlan(
            machine: machine,
            steps: steps,
            isForced: request.forced != nil,
            waitsForHand: request.forced != nil || request.opensNoBrowser || machine.isAttended
                || (machine.hasDisplay && !machine.isAutomatic)
        )
    }
}

/// The ways for one sign-in in the order of trying, with the reasons.
package struct WayPlan: Sendable, Hashable {
    /// A way to sign in, with the judgement about it.
    package struct Step: Sendable, Hashable {
        package let way: WayName
        package let judgement: WayJudgement

        var isPossible: Bool { judgement.fitness != .impossible }
        var words: String { "\(way.rawValue): \(judgement.reason)" }
    }

    let machine: Surroundings
    /// The ways in the order of trying, with those that are not possible.
    package private(set) var steps: [Step]
    /// Whether the app named the ways.
    package let isForced: Bool
    /// Whether a visit waits for somebody to open its address if no browser starts. A desktop program has no terminal, and
    /// somebody in front of it. An app that names its ways, or wants no browser, expects somebody.
    package let waitsForHand: Bool

    /// The ways to try.
    package var possible: [WayName] { steps.filter(\.isPossible).map(\.way) }

    /// The way after this one, if there is one.
    package func way(after way: WayName) -> WayName? {
        possible.firstIndex(of: way).flatMap { possible.dropFirst($0 + 1).first }
    }

    /// The plan without a way that was tried.
    func without(_ way: WayName) -> WayPlan {
        var plan = self
        plan.steps.removeAll { $0.way == way }
        return plan
    }

    /// All reasons in one line.
    package var words: String {
        let choice = possible.first.map { "\($0.rawValue) is tried first" } ?? "no way to sign in works here"
        return "On this machine (\(machine.words)) \(choice)\(isForced ? ", as the app demands" : ""). "
            + steps.map(\.words).joined(separator: ". ") + "."
    }
}
