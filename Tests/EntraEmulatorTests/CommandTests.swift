// Licensed under the MIT License. See LICENSE.

import Foundation
import TestSupport
import Testing

/// The program `entra-emulator`, as a shell starts it; it lies beside these tests.
struct CommandTests {
    @Test(arguments: [[], ["serve"]])
    func `the options of serve need no subcommand`(subcommand: [String]) throws {
        let end = try Self.run(subcommand + ["--port", "70000"])

        #expect(end.status == 2)
        #expect(end.text == "entra-emulator: 70000 is not a port number.\nSee: entra-emulator serve --help\n")
    }

    @Test(arguments: [
        (["--nope"], "Unknown option '--nope'.", "serve "), (["--foo"], "Unknown option '--foo'.\n", "serve "),
        (["--prot"], "Unknown option '--prot'. Did you mean '--port'?\n", "serve "),
        (["--strict-rotatoin"], "Did you mean '--strict-rotation'?\n", "serve "),
        (["--generate-completion-script", "tcsh"], "with one of: zsh bash fish.\n", ""),
        (["--log-level", "x"], "one of the following: trace, debug, info, notice, warning,", "serve "),
        (["seed", "check"], "Missing expected argument '<file>'.", "seed check "),
        (["tokn", "--user", "megan"], "Unknown command 'tokn'.\n", ""),
    ])
    func `wrong arguments are reported in one line, with the help command`(
        words: [String],
        fault: String,
        command: String
    ) throws {
        let end = try Self.run(words)

        #expect(end.status == 2)
        #expect(end.text.hasPrefix("entra-emulator: ") && end.text.contains(fault), "\(end.text)")
        #expect(end.text.hasSuffix("\nSee: entra-emulator \(command)--help\n"), "\(end.text)")
        #expect(end.text.split(separator: "\n").count == 2, "\(end.text)")
    }

    @Test func `the help of the command lists subcommands and the options of serve`() throws {
        let end = try Self.run(["--help"])

        #expect(end.status == 0)
        #expect(end.text.contains("SUBCOMMANDS:"))
        #expect(end.text.contains("--strict-rotation"))
        #expect(end.text.components(separatedBy: "OVERVIEW:").count == 2)
    }

    @Test(arguments: [
        ("serve", "entra-emulator without a subcommand does the same."),
        ("env", "Settings that are not variables are printed as comments after them."),
    ])
    func `the help of a subcommand explains more than its name`(subcommand: String, sentence: String) throws {
        let end = try Self.run([subcommand, "--help"], columns: "400")

        #expect(end.status == 0)
        #expect(end.text.contains(sentence), "\(end.text)")
    }

    @Test(arguments: ["--state", "--data"])
    func `an empty folder name is a usage error that names the option`(option: String) throws {
        let end = try Self.run([option, ""])

        #expect(end.status == 2)
        #expect(end.text.contains("\(option) must be the name of a folder"))
    }

    @Test(arguments: ["--state", "--data"])
    func `a file instead of a folder is reported with the option for another folder`(option: String) throws {
        let file = try DirectoryFileTests.folder().appendingPathComponent("file")
        try Data().write(to: file)

        let end = try Self.run(["--port", "0", "--control-port", "0", option, file.path])

        #expect(end.status == 1)
        let line = "cannot open the folder \(file.path): Not a directory; choose another folder with \(option)"
        #expect(end.text == "entra-emulator: \(line)\n")
    }

    @Test(arguments: [["--seed"], ["seed", "check"], ["seed", "export", "--seed"]])
    func `a missing directory file is reported with the name of the command`(words: [String]) throws {
        let end = try Self.run(words + ["/no/such/file"])

        #expect(end.status == 1)
        let line = "/no/such/file: the file does not exist; specify a readable file"
        #expect(end.text == "entra-emulator: \(line)\n")
    }

    @Test func `a directory file is written once, checked, and rejected with line numbers`() throws {
        let folder = try DirectoryFileTests.folder()
        let file = folder.appendingPathComponent("directory.yaml").path

        let written = try Self.run(["seed", "init", file])
        let again = try Self.run(["seed", "init", file])
        let good = try Self.run(["seed", "check", file])
        try Data("tenants:\n  - domian: a.example\n".utf8).write(to: URL(fileURLWithPath: file))
        let bad = try Self.run(["seed", "check", file])
        let unserved = try Self.run(["--port", "0", "--control-port", "0", "--seed", file])
        let unnamed = try Self.run(["--seed", ""])

        #expect(written.status == 0)
        #expect(again.status == 1)
        #expect(again.text.contains("\(file) already exists; choose another name"))
        #expect(good.status == 0)
        #expect(good.text == "\(file) is valid: 1 tenant, 2 users, 1 group, 4 applications, 2 APIs\n")
        for end in [bad, unserved] {
            #expect(end.status == 1)
            #expect(
                end.text.contains("\(file):2:5: tenants[0] has an unknown member 'domian'; did you mean 'domain'?\n")
            )
        }
        #expect(unnamed.status == 2)
    }

    @Test func `a directory is exported from a file, and only from an existing data folder`() throws {
        let folder = try DirectoryFileTests.folder()
        let (file, copy) = (folder.appendingPathComponent("a.yaml"), folder.appendingPathComponent("b.json"))
        _ = try Self.run(["seed", "init", file.path])

        let exported = try Self.run(["seed", "export", "--seed", file.path, "--json", "--with-secrets"])
        try Data(exported.text.utf8).write(to: copy)
        let checked = try Self.run(["seed", "check", copy.path])
        let hidden = try Self.run(["seed", "export", "--seed", file.path])
        let nowhere = try Self.run(["seed", "export", "--data", folder.appendingPathComponent("data").path])
        let nobody = try Self.run(["seed", "export", "--control-port", "1"])
        let schema = try Self.run(["seed", "schema"])

        #expect(exported.status == 0)
        #expect(checked.text == "\(copy.path) is valid: 1 tenant, 2 users, 1 group, 4 applications, 2 APIs\n")
        #expect(hidden.text.contains("password: \"<hidden>\"") && !hidden.text.contains("Emulator-pass1"))
        #expect(nowhere.status == 1)
        #expect(nowhere.text.contains("is not the data folder of an emulator; choose one"))
        #expect(!FileManager.default.fileExists(atPath: folder.appendingPathComponent("data").path))
        #expect(nobody.status == 1)
        #expect(nobody.text.contains("cannot connect to an emulator's control API on port 1"))
        #expect(schema.text.contains("https://json-schema.org/draft/2020-12/schema"))
    }

    @Test(arguments: ["1", "20", "26"])
    func `help fits narrow terminals, too`(columns: String) throws {
        let end = try Self.run(["--help"], columns: columns)

        #expect(end.status == 0)
        #expect(end.text.contains("--control-port"))
    }

    @Test func `arguments are printed unambiguously`() throws {
        let end = try Self.run(["--\u{1B}]0;owned\u{7}"])

        #expect(end.status == 2)
        #expect(end.text.contains("--^[]0;owned^G"))
        #expect(!end.text.contains("\u{1B}"))
    }

    @Test(arguments: ["0777", "0077", "0000"])
    func `files and folders are private to the user, whatever the umask`(mask: String) throws {
        let folder = Bench.stateDirectory.appendingPathComponent("umask-\(mask)-\(UUID().uuidString)")
        let (state, data) = (folder.appendingPathComponent("state"), folder.appendingPathComponent("data"))

        // The second start finds what the first one has made.
        for _ in 1...2 { try Self.start(["--state", state.path, "--data", data.path], mask: mask) }

        for folder in [folder, state, data] { #expect(try Self.mode(of: folder) == 0o700) }
        for folder in [state, data] {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                #expect(try Self.mode(of: folder.appendingPathComponent(name)) == 0o600, "\(name)")
            }
        }
        #expect(FileManager.default.fileExists(atPath: data.appendingPathComponent("directory.sqlite").path))
    }

    private static func mode(of file: URL) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    /// Starts the command under a umask, waits until it listens, and ends it.
    private static func start(_ arguments: [String], mask: String) throws {
        let folder = try #require(Bundle.main.executableURL).deletingLastPathComponent()
        let command = folder.appendingPathComponent("entra-emulator").path
        let program = try StartedProgram(
            "/bin/sh",
            ["-c", "umask \(mask); exec \"$@\"", "sh", command, "--port", "0", "--control-port", "0"] + arguments
        )
        var text = ""
        while !text.contains("Ctrl-C ends the emulator.") {
            let part = program.nextText()
            if part.isEmpty { break }
            text += part
        }
        program.terminate()
        let end = try program.end()
        #expect(end.status == 0, "\(text + end.text)")
    }

    private static func run(_ arguments: [String], columns: String = "80") throws -> (status: Int32, text: String) {
        let folder = try #require(Bundle.main.executableURL).deletingLastPathComponent()
        return try StartedProgram(
            folder.appendingPathComponent("entra-emulator").path,
            arguments,
            environment: ["COLUMNS": columns, "HOME": Bench.stateDirectory.path]
        ).end()
    }
}
