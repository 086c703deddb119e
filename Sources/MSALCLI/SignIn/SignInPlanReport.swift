// Licensed under the MIT License. See LICENSE.

import CommandOutput
import MSAL

/// The ways to sign in on this machine, with the reasons.
struct SignInPlanReport: Report, Encodable {
    /// One way.
    struct Mode: Encodable, Equatable {
        var way: String
        var isPossible: Bool
        var reason: String
    }

    /// The kind of this machine, in words.
    var machine: String
    /// The ways. Those that are tried come first, in the order in which they are tried.
    var ways: [Mode]

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
    /// Replaces the reason of a way that is not possible. The library's reason is written for programmers.
    mutating func replace(_ reason: String, ofImpossible way: MSALSignInMode) {
        for index in ways.indices where ways[index].way == way.rawValue && !ways[index].isPossible {
            ways[index].reason = reason
        }
    }

    init(_ plan: MSALSignInPlan) {
        machine = plan.machine.description
        ways = plan.steps.map { Mode(way: $0.mode.rawValue, isPossible: $0.isPossible, reason: $0.reason) }
    }
}

extension Failure {
    /// The failure if no way to sign in works here. `command` is the command line that was tried.
    ///
    /// `hasDeviceCodes`: Whether the authority supports device codes.
    static func noSignInMode(_ command: SignInCommand, hasTerminal: Bool, hasDeviceCodes: Bool) -> Failure {
        let absence = hasTerminal ? "nothing may be asked" : "there is no terminal"
        return .file(
            "Nobody can sign in here: no browser opens, and \(absence). msal login --explain says more.",
            remedy: "Add --no-browser, or set BROWSER"
                + (hasDeviceCodes ? ", or run: \(command.text) --use-device-code" : ".")
        )
    }
}
