// Licensed under the MIT License. See LICENSE.

import CommandOutput
import EntraEmulator
import Foundation

extension ManagedIdentityAddresses {
    /// The environment of programs on each type of host, one line for each.
    var listing: TerminalText {
        let lines = ManagedIdentitySource.allCases.map { source in
            let variables = environment(for: source).sorted { $0.key < $1.key }
            let name = source.rawValue.padding(toLength: 16, withPad: " ", startingAt: 0)
            return "  \(name) " + variables.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        }
        let head = "Managed identities; set the variables of only one host for a program:"
        let foot = arcKeyFolder.map { "  The key files of Azure Arc are in \($0)" }
        return TerminalText(lines: ([head] + lines + [foot].compactMap(\.self)).joined(separator: "\n"))
    }
}
