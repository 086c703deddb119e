// Licensed under the MIT License. See LICENSE.

import CommandOutput
import MSAL

/// The sign-in modes on this machine, with the reasons.
struct SignInPlanReport: Report, Encodable {
    /// One sign-in mode.
    struct Mode: Encodable, Equatable {
        var way: String
        var isPossible: Bool
        var reason: String
    }

    /// A description of this machine.
    var machine: String
    /// The sign-in modes. Those that are tried come first, in that order.
    var ways: [Mode]

    func text(_ style: Style) -> TerminalText {
        let lines: [TerminalText] = ways.map { way in
            let mark = way.isPossible ? style.good("✓") : style.problem("✗")
            return "\(mark) \(style.strong(way.way)): \(way.reason)"
        }
        return (["This machine: \(machine)"] + lines).joined(separator: "\n")
    }

    /// The sign-in modes that are tried.
    var raw: String { ways.filter(\.isPossible).map(\.way).joined(separator: "\n") }
}

extension SignInPlanReport {
    /// Replaces the reason of a mode that is not possible. The library's reason is written for programmers.
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
    /// The failure if no sign-in mode works here. `command` is the command line that was tried.
    ///
    /// `hasDeviceCodes`: Whether the authority supports device codes.
    static func noSignInMode(_ command: SignInCommand, hasTerminal: Bool, hasDeviceCodes: Bool) -> Failure {
        let absence = hasTerminal ? "--no-input is set" : "there is no terminal"
        return .file(
            "Cannot sign in here: no browser can be started, and \(absence). For details: msal login --explain",
            remedy: "Add --no-browser, or set BROWSER"
                + (hasDeviceCodes ? ", or run: \(command.text) --use-device-code" : ".")
        )
    }
}
