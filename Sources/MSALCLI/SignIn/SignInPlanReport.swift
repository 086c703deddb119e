// Licensed under the MIT License. See LICENSE.

import CommandOutput
import MSAL

/// The ways to sign in on this machine, with the reasons.
struct SignInPlanReport: Report, Encodable {
    /// One way.
    struct Way: Encodable, Equatable {
        var way: String
        var isPossible: Bool
        var reason: String
    }

    /// Where the command runs, in words.
    var machine: String
    /// Those that are tried come first, in the order of trying.
    var ways: [Way]

    func text(_ style: Style) -> TerminalText {
        let lines: [TerminalText] = ways.map { way in
            let mark = way.isPossible ? style.good("✓") : style.problem("✗")
            return "\(mark) \(style.strong(way.way)): \(way.reason)"
        }
        return (["This machine: \(machine)"] + lines).joined(separator: "\n")
    }

    /// The ways that are tried.
    var raw: String { ways.filter(\.isPossible).map(\.way).joined(separator: "\n") }
}

extension SignInPlanReport {
    init(_ plan: MSALSignInPlan) {
        machine = plan.machine.description
        ways = plan.steps.map { Way(way: $0.way.rawValue, isPossible: $0.isPossible, reason: $0.reason) }
    }
}

extension Failure {
    /// No way to sign in works here. `command` is the one that was tried.
    static func noWay(_ command: SignInCommand, hasTerminal: Bool) -> Failure {
        .file(
            "Nobody can sign in here: no browser opens, and \(hasTerminal ? "nothing may be asked" : "there is no terminal").",
            remedy:
                "Run: \(command.text) --use-device-code. Or add --no-browser, or set BROWSER. Why: msal login --explain"
        )
    }
}
