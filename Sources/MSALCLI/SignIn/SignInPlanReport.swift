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
    /// No way to sign in works here.
    static func noWay(_ plan: MSALSignInPlan, command: SignInCommand) -> Failure {
        let reasons = plan.steps.map { "\($0.way.rawValue): \($0.reason)" }.joined(separator: "; ")
        return .file(
            "Nobody can sign in here (\(plan.machine)). \(reasons).",
            remedy: """
                Choose one. A code to type elsewhere: \(command.text) --use-device-code
                An address to open on this machine: \(command.text) --no-browser
                A browser: set BROWSER to its program.
                """
        )
    }
}
