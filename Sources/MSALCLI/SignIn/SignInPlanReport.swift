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

    /// The kind of machine on which the command runs, in words.
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
    /// Gives a way another reason, if it is not possible: the library's words are for the program that calls it.
    mutating func replace(_ reason: String, ofImpossible way: MSALSignInWay) {
        for index in ways.indices where ways[index].way == way.rawValue && !ways[index].isPossible {
            ways[index].reason = reason
        }
    }

    init(_ plan: MSALSignInPlan) {
        machine = plan.machine.description
        ways = plan.steps.map { Way(way: $0.way.rawValue, isPossible: $0.isPossible, reason: $0.reason) }
    }
}

extension Failure {
    /// No way to sign in works here. `command` is the one that was tried.
    ///
    /// `hasDeviceCodes`: Whether the authority has them.
    static func noWay(_ command: SignInCommand, hasTerminal: Bool, hasDeviceCodes: Bool) -> Failure {
        let absence = hasTerminal ? "nothing may be asked" : "there is no terminal"
        return .file(
            "Nobody can sign in here: no browser opens, and \(absence). msal login --explain says more.",
            remedy: "Add --no-browser, or set BROWSER"
                + (hasDeviceCodes ? ", or run: \(command.text) --use-device-code" : ".")
        )
    }
}
