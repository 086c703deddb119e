// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import Testing

/// A control token that the user brings.
struct ControlTokenTests {
    private static let token = "0123456789abcdef0123456789abcdef"

    private static func file(holding text: String, mode: mode_t = 0o600) throws -> URL {
        let file = Bench.stateDirectory.appendingPathComponent("token-\(UUID().uuidString)")
        try Data(text.utf8).write(to: file)
        chmod(file.path, mode)
        return file
    }

    private static func refusal(of file: URL) async throws -> String {
        let failure = await #expect(throws: Emulator.StartFailure.self) {
            try await Bench.run({
                $0.controlPort = 0
                $0.controlTokenFile = file
            }) { _ in }
        }
        return try #require(failure).description
    }

    @Test(arguments: ["", "\n"])
    func `the control API requires the token in the file`(end: String) async throws {
        let file = try Self.file(holding: Self.token + end)

        try await Bench.run({
            $0.controlPort = 0
            $0.controlTokenFile = file
        }) { bench in
            let users = "https://localhost:\(try #require(bench.emulator.controlPort))/users"
            let welcome = try await bench.get(users, token: Self.token)
            let stranger = try await bench.get(users, token: Self.token + "0")

            #expect(bench.emulator.controlToken == Self.token)
            #expect(welcome.status == 200)
            #expect(stranger.status == 401)
        }
    }

    @Test(arguments: [0o640, 0o604, 0o622] as [mode_t])
    func `a file that other users can access is rejected with the remedy`(mode: mode_t) async throws {
        let file = try Self.file(holding: Self.token, mode: mode)

        #expect(try await Self.refusal(of: file).hasSuffix("run  chmod 600 '\(file.path)'"))
    }

    @Test(.enabled(if: geteuid() == 0, "Only root can give a file away."))
    func `another user's file is rejected, whatever its mode`() async throws {
        let file = try Self.file(holding: Self.token)
        try #require(chown(file.path, 65_534, 65_534) == 0)

        let refusal = try await Self.refusal(of: file)

        #expect(refusal.contains("belongs to the user with ID 65534; run  chown 0 '\(file.path)'"))
        #expect(!refusal.contains(Self.token))
    }

    @Test(arguments: ["", "short-token", String(repeating: "a", count: 1_025)])
    func `a token of the wrong length is rejected, and not shown`(text: String) async throws {
        let refusal = try await Self.refusal(of: Self.file(holding: text))

        #expect(refusal.contains("must have 32 to 1024 characters; create one with  openssl rand -hex 32"))
        #expect(text.isEmpty || !refusal.contains(text))
    }

    @Test(arguments: ["two words ", "tab\t", "ünï"])
    func `a token that is invalid in a header is rejected`(part: String) async throws {
        let refusal = try await Self.refusal(of: Self.file(holding: part + Self.token))

        #expect(refusal.contains("printable ASCII characters without spaces"))
        #expect(!refusal.contains(Self.token))
    }

    #if os(Linux)
        @Test func `an unreadable file is rejected with the system's reason`() async throws {
            let memory = URL(fileURLWithPath: "/proc/self/mem")  // Nothing is at its beginning.

            #expect(
                try await Self.refusal(of: memory)
                    == "cannot read the control token from /proc/self/mem: Input/output error"
            )
        }
    #else
        // Other systems have no file that everybody may open and nobody can read.
    #endif

    @Test func `something other than a regular file is rejected`() async throws {
        let missing = Bench.stateDirectory.appendingPathComponent("no-\(UUID().uuidString)")
        let pipe = Bench.stateDirectory.appendingPathComponent("pipe-\(UUID().uuidString)")
        mkfifo(pipe.path, 0o600)

        #expect(try await Self.refusal(of: missing).contains("cannot read the control token from \(missing.path)"))
        #expect(try await Self.refusal(of: pipe).contains("is not a regular file"))
        #expect(try await Self.refusal(of: Bench.stateDirectory).contains("is not a regular file"))
    }
}
