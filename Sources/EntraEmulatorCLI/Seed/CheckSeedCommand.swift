// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import EntraEmulator
import Foundation

/// `entra-emulator seed check`: reports all errors in a file.
struct CheckSeedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Summarize a directory file, or list all its errors.",
        discussion: "The exit status is 0 if serve accepts the file, otherwise 1."
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
        for warning in directory.warnings { Terminal.errors.write("entra-emulator: warning: \(warning)") }
        try Terminal.output.deliver(
            "\(file) is valid: \(counts.compactMap(\.self).joined(separator: ", "))"
        )
    }

    private static func count(_ list: some Collection, of name: String, many: String? = nil) -> String? {
        list.isEmpty ? nil : "\(list.count) \(list.count == 1 ? name : many ?? "\(name)s")"
    }
}

extension EmulatorDirectory {
    /// Reads a file, and reports all its errors.
    ///
    /// - Throws: The exit status 1.
    init(seedFile: String) throws(ExitCode) {
        do throws(InvalidFile) {
            try self.init(contentsOf: URL(fileURLWithPath: seedFile))
        } catch {
            for issue in error.issues {
                var issue = issue
                issue.file = seedFile
                // Editors only recognize a file position at the beginning of a line.
                Terminal.errors.write(issue.line == nil ? "entra-emulator: \(issue)" : "\(issue)")
            }
            throw ExitCode(1)
        }
    }
}
