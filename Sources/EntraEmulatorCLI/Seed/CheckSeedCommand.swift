// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import EntraEmulator
import Foundation

/// `entra-emulator seed check`: everything that is wrong with a file.
struct CheckSeedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say what a directory file holds, or everything that is wrong with it.",
        discussion: "The status is 0 for a file that serve takes, and 1 for any other."
    )

    @Argument(help: "The file to check, YAML or JSON.", completion: .file())
    var file: String

    func run() throws {
        let directory = try EmulatorDirectory(seedFile: file)
        let counts = [
            Self.count(directory.tenants, of: "tenant"), Self.count(directory.users, of: "user"),
            Self.count(directory.groups, of: "group"), Self.count(directory.applications, of: "application"),
            Self.count(directory.apis, of: "API"),
            Self.count(directory.managedIdentities, of: "managed identity", many: "managed identities"),
        ]
        try Terminal.output.deliver(
            "\(file) is good: \(counts.compactMap(\.self).joined(separator: ", "))"
        )
    }

    private static func count(_ list: some Collection, of name: String, many: String? = nil) -> String? {
        list.isEmpty ? nil : "\(list.count) \(list.count == 1 ? name : many ?? "\(name)s")"
    }
}

extension EmulatorDirectory {
    /// Reads a file, and says everything that is wrong with it.
    ///
    /// - Throws: The status 1.
    init(seedFile: String) throws(ExitCode) {
        do throws(InvalidFile) {
            try self.init(contentsOf: URL(fileURLWithPath: seedFile))
        } catch {
            for issue in error.issues {
                var issue = issue
                issue.file = seedFile
                // Editors find a place in a file only at the beginning of a line.
                Terminal.errors.write(issue.line == nil ? "entra-emulator: \(issue)" : "\(issue)")
            }
            throw ExitCode(1)
        }
    }
}
