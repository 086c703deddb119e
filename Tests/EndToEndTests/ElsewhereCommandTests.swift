// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import ScriptedAgent
import TestSupport
import Testing

/// `msal login` where no browser can be opened: in a remote login, and in a job without a terminal.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct ElsewhereCommandTests {
    private let question = "Address (d: device code): "

    /// A user in a remote login, whose machine has no browser.
    private func remoteUser(of emulator: Emulator) throws -> CommandRunner {
        var command = try CommandRunner(emulator)
        let port = try #require(emulator.baseURL.port)
        command.environment.merge([
            "MSAL_AUTHORITY": "https://127.0.0.1:\(port)/\(emulator.seed.tenantDomain)", "MSAL_STORE_KEY": "key-file",
            "SSH_CONNECTION": "192.0.2.7 50000 192.0.2.1 22", "USER": "megan", "NO_COLOR": "1",
        ]) { $1 }
        return command
    }

    private func agent(of emulator: Emulator, hosts: [String: ScriptedAgent.HostAddress] = [:]) -> ScriptedAgent {
        ScriptedAgent(
            script: Script(
                userName: emulator.seed.megan.userPrincipalName,
                password: Script.Password(emulator.seed.password)
            ),
            certificateAuthorityFile: emulator.certificateAuthorityFile,
            hostAddresses: hosts
        )
    }

    /// The word on the screen with this prefix.
    private func word(_ beginning: String, in screen: String) throws -> String {
        String(try #require(screen.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix(beginning) }))
    }

    @Test func `the final address of a browser on another machine is pasted, and not echoed`() async throws {
        try await Emulator.with { emulator in
            let command = try remoteUser(of: emulator)
            let terminal = try TestTerminal()
            // The browser's machine, where no program listens.
            let dead = try LoopbackPort(isListening: false)
            defer { close(dead.descriptor) }
            let elsewhere = agent(
                of: emulator,
                hosts: ["localhost": .init(address: "127.0.0.1", port: dead.number)]
            )

            let outcome = try await command.run("login", at: terminal) { terminal in
                var screen = ""
                let invitation = try await terminal.until(question, seen: &screen)
                #expect(invitation.contains(/ssh -N -L ([0-9]+):localhost:\1 megan@192\.0\.2\.1/))
                let link = try word("https://", in: invitation)
                try terminal.type("https://other.example/?code=x")
                _ = try await terminal.until("another page", seen: &screen)
                _ = try await terminal.until(question, seen: &screen)

                let stopped = await #expect(throws: ScriptedAgentError.self) {
                    try await elsewhere.run(try #require(URL(string: link)))
                }
                guard case .noResponse(let address, _)? = stopped else {
                    Issue.record("The browser did not end at the redirect: \(String(describing: stopped))")
                    return
                }
                let code = try #require(
                    URLComponents(url: address, resolvingAgainstBaseURL: false)?.queryItems?.first {
                        $0.name == "code"
                    }?
                    .value
                )
                try terminal.type(address.absoluteString)
                let rest = try await terminal.until("bytes)", seen: &screen)
                #expect(!rest.contains(code))
            }

            #expect(outcome.status == 0)
            #expect(outcome.output == "✓ Signed in as \(emulator.seed.megan.userPrincipalName)\n")
        }
    }

    @Test func `a browser that returns through the forwarded port requires no pasting`() async throws {
        try await Emulator.with { emulator in
            let command = try remoteUser(of: emulator)

            let outcome = try await command.run("login", at: try TestTerminal()) { terminal in
                var screen = ""
                let link = try word("https://", in: try await terminal.until(question, seen: &screen))
                _ = try await agent(of: emulator).run(try #require(URL(string: link)))
            }

            #expect(outcome.output == "✓ Signed in as \(emulator.seed.megan.userPrincipalName)\n")
        }
    }

    @Test func `one key switches to a device code`() async throws {
        try await Emulator.with { emulator in
            let command = try remoteUser(of: emulator)

            let outcome = try await command.run("login", at: try TestTerminal()) { terminal in
                var screen = ""
                _ = try await terminal.until(question, seen: &screen)
                try terminal.press("d")
                let shown = try await terminal.until("It expires in 15 minutes", seen: &screen)
                #expect(shown.contains("▄"))
                try await type(code(in: shown), at: emulator)
            }

            #expect(outcome.output == "✓ Signed in as \(emulator.seed.megan.userPrincipalName)\n")
        }
    }

    @Test func `a job without a terminal lists its options at once, and one of them is a device code`() async throws {
        try await Emulator.with { emulator in
            let command = try remoteUser(of: emulator)

            let refused = try await command.run("login", "-o", "json")
            let error = try refused.json()["error"] as? [String: Any]
            #expect(refused.status == 1)
            #expect((error?["remedy"] as? String)?.contains("msal login --use-device-code") == true)
            #expect(try await command.run("login", "--mode", "paste").status == 2)
            #expect(try await command.run("login", "--no-input").status == 1)

            let plan = try await command.run("login", "--explain", "-o", "json").json()
            let ways = try #require(plan["ways"] as? [[String: Any]])
            #expect(ways.allSatisfy { $0["is_possible"] as? Bool == false })

            // A pipe instead of a terminal: the code is read from the job's log.
            let pipe = Pipe()
            async let login = {
                // The log then ends. An error does not matter, because the handle closes itself eventually.
                defer { try? pipe.fileHandleForWriting.close() }
                return try await command.run(
                    ["login", "--use-device-code", "-o", "raw"],
                    errors: pipe.fileHandleForWriting
                )
            }()
            let log = ProgramText(from: pipe.fileHandleForReading)
            var seen = ""
            let shown = try await log.until("It expires in", seen: &seen)
            #expect(!shown.contains("▄"))
            try await type(code(in: shown), at: emulator)
            #expect(try await login.output == "\(emulator.seed.megan.userPrincipalName)\n")
        }
    }

    @Test func `a job whose browser fails lists its options at once, too`() async throws {
        try await Emulator.with { emulator in
            var command = try remoteUser(of: emulator)
            command.environment["BROWSER"] = "/bin/false"

            let refused = try await command.run("login", "-o", "json")

            #expect(refused.status == 1)
            let error = try refused.json()["error"] as? [String: Any]
            #expect((error?["remedy"] as? String)?.contains("msal login --use-device-code") == true)
        }
    }

    @Test func `requests are logged with status and time, and without their contents`() async throws {
        try await Emulator.with { emulator in
            let command = try await CommandRunner(browsing: emulator)

            let login = try await command.run("login", "--debug")

            #expect(login.status == 0)
            let line = /POST https:\/\/localhost:\d+\/[^ ?]+\/token: HTTP 200, \d+ bytes, \d+ ms \([0-9A-F-]{36}\)/
            #expect(login.errors.contains(line), "\(login.errors)")
            #expect(!login.errors.contains("code="))
            var wrong = command
            wrong.environment["MSAL_LOG"] = "all"
            #expect(try await wrong.run("whoami").status == 2)
        }
    }

    private func code(in screen: String) throws -> String {
        let lines = screen.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        return try #require(lines.first { $0.wholeMatch(of: /[A-Z0-9]{9}/) != nil })
    }

    /// Types the code on the service's page and signs in.
    private func type(_ code: String, at emulator: Emulator) async throws {
        let page = try #require(URL(string: "\(emulator.baseURL.absoluteString)/devicelogin?otc=\(code)"))
        _ = try await agent(of: emulator).run(page)
    }
}
