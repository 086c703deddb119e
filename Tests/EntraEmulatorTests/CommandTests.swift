// Licensed under the MIT License. See LICENSE.

import Foundation
import Testing

/// The program `entra-emulator`, as a shell starts it; it lies beside these tests.
struct CommandTests {
    @Test(arguments: ["--state", "--data"])
    func `an empty folder name is a usage error that names the option`(option: String) throws {
        let end = try Self.run([option, ""])

        #expect(end.status == EX_USAGE)
        #expect(end.text.contains("\(option) wants the name of a folder"))
    }

    @Test(arguments: ["1", "20", "26"])
    func `help is written for narrow terminals too`(columns: String) throws {
        let end = try Self.run(["--help"], columns: columns)

        #expect(end.status == 0)
        #expect(end.text.contains("--control-port"))
    }

    @Test func `an argument shows as what it is`() throws {
        let end = try Self.run(["--\u{1B}]0;owned\u{7}"])

        #expect(end.status == EX_USAGE)
        #expect(end.text.contains("--^[]0;owned^G"))
        #expect(!end.text.contains("\u{1B}"))
    }

    private static func run(_ arguments: [String], columns: String = "80") throws -> (status: Int32, text: String) {
        let folder = try #require(Bundle.main.executableURL).deletingLastPathComponent()
        let process = Process()
        let output = Pipe()
        process.executableURL = folder.appendingPathComponent("entra-emulator")
        process.arguments = arguments
        process.environment = ["COLUMNS": columns, "HOME": Bench.stateDirectory.path]
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }
}
