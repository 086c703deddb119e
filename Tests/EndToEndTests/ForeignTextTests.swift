// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import EntraEmulator
import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALCore

/// Untrusted text is shown with visible control characters wherever a command shows it: from a service, Microsoft
/// Graph, a browser, a session bus, another program's token cache, a file, or the arguments.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct ForeignTextTests {
    /// A title, a cleared line, a sequence that starts with C1, DEL, two directions, and a line that imitates the
    /// command's.
    private static let hostile = "\u{1B}]0;owned\u{7}\u{1B}[2K\u{9B}1A\u{7F}\u{202E}evil\u{2069}\r\nmsal: forged"
    /// Its beginning in visible form, if the command escaped it.
    private static let visible = "^[]0;owned^G^[[2K<U+009B>1A^?<U+202E>evil<U+2069>"
    /// Its beginning in a text of the library, which has escaped it already.
    private static let visibleLine = "<U+001B>]0;owned<U+0007><U+001B>[2K<U+009B>1A<U+007F><U+202E>evil<U+2069>"

    // MARK: The service

    /// A response of the service to a command, and the request that it answers.
    struct Refusal: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var command: [String]
        var path: String
        var status = 400
        /// The members of the response. `HOSTILE` in them is replaced with hostile text.
        var body: String
        var input = #"{"password": "x", "code": "1"}"#
    }

    static let refusals = [
        Refusal(
            testDescription: "the metadata of a tenant",
            command: ["login", "--no-browser"],
            path: "/openid-configuration",
            body: #"{"error": "invalid_tenant", "error_description": "HOSTILE"}"#
        ),
        Refusal(
            testDescription: "an issuer",
            command: ["login", "--no-browser"],
            path: "/openid-configuration",
            status: 200,
            body: """
                {"issuer": "https://HOSTILE", "authorization_endpoint": "https://a.example/",
                 "token_endpoint": "https://a.example/"}
                """
        ),
        Refusal(
            testDescription: "the first answer of native authentication",
            command: ["native", "sign-in", "password@fabrikam.example", "--answers", "-"],
            path: "/initiate",
            body: #"{"error": "invalid_request", "error_description": "HOSTILE", "suberror": "HOSTILE"}"#
        ),
        Refusal(
            testDescription: "a reason to use the browser",
            command: ["native", "sign-in", "password@fabrikam.example", "--answers", "-"],
            path: "/initiate",
            status: 200,
            body: #"{"challenge_type": "redirect", "redirect_reason": "HOSTILE"}"#
        ),
        Refusal(
            testDescription: "the place that a code went to",
            command: ["native", "sign-in", "password@fabrikam.example", "--answers", "-"],
            path: "/challenge",
            status: 200,
            body: """
                {"continuation_token": "x", "challenge_type": "oob", "binding_method": "prompt",
                 "challenge_channel": "HOSTILE", "challenge_target_label": "HOSTILE", "code_length": 8}
                """
        ),
        Refusal(
            testDescription: "a token's refusal",
            command: ["native", "sign-in", "password@fabrikam.example", "--answers", "-"],
            path: "/token",
            body: #"{"error": "invalid_request", "error_description": "HOSTILE", "error_codes": [50126]}"#
        ),
        Refusal(
            testDescription: "an attribute",
            command: ["native", "sign-up", "ada@customers.example", "--answers", "-"],
            path: "/start",
            body: """
                {"error": "attribute_validation_failed", "error_description": "HOSTILE", "continuation_token": "x",
                 "invalid_attributes": [{"name": "HOSTILE"}]}
                """
        ),
    ]

    @Test(arguments: refusals)
    func `text from the service is escaped`(_ refusal: Refusal) async throws {
        try await Emulator.with { emulator in
            let command = try CommandRunner(emulator)
            func run(_ output: String) async throws -> CommandRunner.Outcome {
                emulator.enqueueFault(try fault(at: refusal.path, status: refusal.status, body: refusal.body))
                return try await command.run(refusal.command + ["-o", output], input: refusal.input)
            }

            expectVisible(try await run("text"))
            let error = try await run("json").json()["error"] as? [String: Any]

            let words = [error?["message"], error?["remedy"]].compactMap { $0 as? String }.joined()
            if refusal.path != "/challenge" {
                #expect(words.contains("\u{1B}]0;owned\u{7}") || words.contains(Self.visibleLine), "\(words)")
            }
        }
    }

    @Test func `attributes that the service requests at a terminal are escaped`() async throws {
        try await Emulator.with { emulator in
            let command = try CommandRunner(emulator)
            let body = """
                {"error": "attributes_required", "continuation_token": "x",
                 "required_attributes": [{"name": "HOSTILE", "type": "string", "required": true}]}
                """
            emulator.enqueueFault(try fault(at: "/signup/v1.0/continue", status: 400, body: body))

            _ = try await command.run("native", "sign-up", "ada@customers.example", at: try TestTerminal()) {
                var screen = ""
                try await $0.until("Code (", seen: &screen)
                try $0.type("12345678")
                let question = try await $0.until("(text, required): ", seen: &screen)
                expectVisible(question.replacing("\r\n", with: "\n"))
                try $0.type("\u{4}")
            }
        }
    }

    @Test func `names of second factors are escaped`() async throws {
        try await Emulator.with { emulator in
            let command = try CommandRunner(emulator)
            let method =
                #"{"id": "ID", "challenge_type": "oob", "challenge_channel": "HOSTILE", "login_hint": "HOSTILE"}"#
            let methods = ["1", "2"].map { method.replacing("ID", with: $0) }.joined(separator: ", ")
            emulator.enqueueFault(
                try fault(
                    at: "/introspect",
                    status: 200,
                    body: #"{"continuation_token": "x", "methods": [\#(methods)]}"#
                )
            )

            let outcome = try await command.run(
                "native",
                "sign-in",
                "mfa-choice@fabrikam.example",
                "--answers",
                "-",
                input: #"{"password": "\#(emulator.seed.password)", "method": "none of them"}"#
            )

            #expect(outcome.errors.contains("Available methods: "), "\(outcome.errors)")
            expectVisible(outcome)
        }
    }

    @Test func `text from the browser is escaped`() async throws {
        try await Emulator.with { emulator in
            var command = try CommandRunner(emulator)
            command.environment["NO_COLOR"] = "1"
            let terminal = try TestTerminal()

            let outcome = try await command.run(
                ["login", "--mode", "browser", "--no-browser"],
                at: terminal,
                meanwhile: { _ in
                    var screen = ""
                    let invitation = try await terminal.until("Ctrl-C to cancel", seen: &screen)
                    let address = try #require(
                        invitation.split(whereSeparator: \.isWhitespace).first { $0.contains("?") }
                    )
                    let items = try #require(URLComponents(string: String(address))?.queryItems)
                    func value(_ name: String) throws -> String {
                        try #require(items.first { $0.name == name }?.value)
                    }
                    var form = URLComponents()
                    form.queryItems = [
                        URLQueryItem(name: "error", value: "access_denied"),
                        URLQueryItem(name: "error_description", value: Self.hostile),
                        URLQueryItem(name: "state", value: try value("state")),
                    ]
                    let body = try #require(form.percentEncodedQuery)
                    var message = HTTPMessage(
                        method: "POST",
                        to: try HTTPAddress(#require(URL(string: try value("redirect_uri")))),
                        headers: ["Content-Type": "application/x-www-form-urlencoded"]
                    )
                    message.body = Data(body.utf8)
                    _ = try await AsyncHTTPClientTransport(HTTPSettings(environment: [:])).send(message)
                    let end = try await terminal.until("Correlation ID", seen: &screen)
                    // The line of the spinner was cleared before.
                    let error = end[try #require(end.range(of: "msal:")).lowerBound...]
                    expectVisible(String(error.replacing("\r\n", with: "\n")))
                }
            )

            #expect(outcome.status != 0)
        }
    }

    // MARK: Stored text

    /// A user with accounts that another program put in the store.
    private func withAccounts(
        _ count: Int,
        story: (CommandRunner, Emulator) async throws -> Void
    ) async throws {
        try await Emulator.with { emulator in
            var command = try CommandRunner(emulator)
            let port = try #require(emulator.baseURL.port)
            command.environment["MSAL_AUTHORITY"] = "https://localhost:\(port)/\(emulator.seed.tenantID)"
            let cache = try JSONSerialization.data(withJSONObject: [
                "Account": Dictionary(uniqueKeysWithValues: (0..<count).map { ("\($0)", account($0, at: emulator)) }),
                "AccessToken": Dictionary(uniqueKeysWithValues: (0..<count).map { ("\($0)", token($0, at: emulator)) }),
                "RefreshToken": Dictionary(
                    uniqueKeysWithValues: (0..<count).map { ("\($0)", refreshToken($0, at: emulator)) }
                ),
            ])
            let imported = try await command.run(
                "cache",
                "import",
                "-",
                "--group",
                "msal.cli",
                input: String(decoding: cache, as: UTF8.self)
            )
            try #require(imported.status == 0, "\(imported.errors)")
            try await story(command, emulator)
        }
    }

    private func identity(_ number: Int, at emulator: Emulator) -> [String: String] {
        [
            "home_account_id": "\(number).\(emulator.seed.tenantID)",
            "environment": "localhost:\(emulator.baseURL.port ?? 0)", "client_id": emulator.seed.clientID,
        ]
    }

    private func account(_ number: Int, at emulator: Emulator) -> [String: String] {
        identity(number, at: emulator).merging([
            "realm": emulator.seed.tenantID, "local_account_id": "\(number)", "authority_type": "MSSTS",
            "username": "\(Self.hostile)\(number)", "name": Self.hostile,
        ]) { $1 }
    }

    private func token(_ number: Int, at emulator: Emulator) -> [String: String] {
        identity(number, at: emulator).merging([
            "credential_type": "AccessToken", "secret": "token", "realm": emulator.seed.tenantID,
            "target": "User.Read", "cached_at": "1500000000", "expires_on": "4000000000",
        ]) { $1 }
    }

    private func refreshToken(_ number: Int, at emulator: Emulator) -> [String: String] {
        identity(number, at: emulator).merging(["credential_type": "RefreshToken", "secret": "token"]) { $1 }
    }

    @Test(arguments: [
        ["accounts"], ["token", "--show-token"], ["logout"], ["token", "-o", "raw", "--account", "nobody"],
    ])
    func `a user name is escaped`(arguments: [String]) async throws {
        try await withAccounts(1) { command, _ in
            expectVisible(try await command.run(arguments))
        }
    }

    @Test(arguments: [["accounts"], ["token", "--show-token"], ["graph"], ["logout", "--all"]])
    func `several user names are escaped`(arguments: [String]) async throws {
        try await withAccounts(2) { command, _ in
            expectVisible(try await command.run(arguments))
        }
    }

    @Test func `the user names in a sign-out prompt are escaped`() async throws {
        try await withAccounts(1) { command, emulator in
            var command = command
            command.environment["MSAL_AUTHORITY"] = "https://127.0.0.1:\(try #require(emulator.baseURL.port))/fabrikam"
            for arguments in [[], ["--yes"]] {
                let outcome = try await command.run(
                    ["native", "sign-in", "password@fabrikam.example", "--answers", "/dev/null"] + arguments
                )
                expectVisible(outcome, ifShown: true)
            }
        }
    }

    @Test func `a user name is unchanged in JSON and in raw output`() async throws {
        try await withAccounts(1) { command, _ in
            let json = try await command.run(["accounts", "-o", "json"]).json()
            let raw = try await command.run(["accounts", "-o", "raw"])

            let accounts = json["accounts"] as? [[String: Any]]
            #expect(accounts?.first?["username"] as? String == Self.hostile + "0")
            #expect(raw.output == Self.hostile + "0\n")
        }
    }

    // MARK: Microsoft Graph

    @Test(arguments: [
        (403, #"{"error": {"code": "HOSTILE", "message": "HOSTILE"}}"#),
        (401, #"{"error": {"code": "HOSTILE", "message": "HOSTILE"}}"#),
    ])
    func `an error of Microsoft Graph is escaped`(status: Int, body: String) async throws {
        try await withAccounts(1) { command, emulator in
            emulator.enqueueFault(try fault(at: "/me", status: status, body: body))
            expectVisible(try await command.run(["graph"]))
        }
    }

    @Test func `a response of Microsoft Graph is the same JSON without the characters themselves`() async throws {
        try await withAccounts(1) { command, emulator in
            emulator.enqueueFault(try fault(at: "/me", status: 200, body: #"{"displayName": "HOSTILE"}"#))
            let outcome = try await command.run(["graph"])

            expectHarmless(outcome.output + outcome.errors)
            #expect(try outcome.json()["displayName"] as? String == Self.hostile)
        }
    }

    @Test func `a response of Microsoft Graph that is not JSON keeps its lines`() async throws {
        try await withAccounts(1) { command, emulator in
            emulator.enqueueFault(Fault(pathSuffix: "/me", status: 200, body: "a,b\nc,\(Self.hostile)"))
            let outcome = try await command.run(["graph"])

            #expect(outcome.output == "a,b\nc,\(Self.visible)^M\nmsal: forged\n")
        }
    }

    // MARK: This machine

    @Test func `an error name of the session bus is escaped`() async throws {
        let name = String(Self.hostile.prefix { $0 != "\r\n" })
        let bus = try FakeBus(names: ["org.freedesktop.secrets"]) { _ in [.error(name)] }
        let settings = ["MSAL_CLIENT_ID": "app", "MSAL_STORE_KEY": "secret-service"].merging(bus.environment) { $1 }
        let command = try CommandRunner(settings)

        for arguments in [["cache", "doctor"], ["doctor", "--authority", "https://127.0.0.1:1/common"]] {
            expectVisible(try await command.run(arguments), ifShown: true)
        }
        expectVisible(try await command.run(["cache", "doctor"]))
    }

    @Test(arguments: [
        ["cache", "path"], ["cache", "doctor"], ["doctor", "--authority", "https://127.0.0.1:1/common"],
        ["cache", "stats"],
        ["cache", "export", "f"],
    ])
    func `a folder name is escaped`(arguments: [String]) async throws {
        var command = try CommandRunner(["MSAL_CLIENT_ID": "app"])
        let home = try #require(command.environment["HOME"])
        command.environment["MSAL_STORE_DIR"] = "\(home)/\(Self.hostile)"

        expectVisible(try await command.run(arguments))
    }

    @Test(arguments: [
        "profiles: {a: {\"HOSTILE\": b}}", "\"HOSTILE\": a", "default_profile: \"HOSTILE\"",
        "default_profile: a\nprofiles: {a: {client_id: b, authority: \"HOSTILE\"}}",
        "default_profile: a\nprofiles: {a: {client_id: \"HOSTILE\", authority: \"https://127.0.0.1:1/a\"}}",
        "default_profile: a\nprofiles: {a: {client_id: b, graph_url: \"HOSTILE\"}}",
    ])
    func `text of config.yaml is escaped`(text: String) async throws {
        let command = try CommandRunner()
        let folder = try #require(command.environment["HOME"]) + "/.config/msal"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // YAML has JSON's escapes.
        try text.replacing("HOSTILE", with: escaped(Self.hostile)).write(
            toFile: folder + "/config.yaml",
            atomically: true,
            encoding: .utf8
        )

        expectVisible(try await command.run(["doctor"]))
    }

    @Test(arguments: [
        ["HOSTILE"], ["--HOSTILE"], ["help", "HOSTILE"], ["cache", "HOSTILE"], ["login", "--timeout", "HOSTILE"],
        ["login", "--prompt", "HOSTILE"], ["login", "--authority", "HOSTILE"],
        ["login", "--authority", "https://HOSTILE"],
        ["token", "--profile", "HOSTILE"], ["token", "-o", "HOSTILE"], ["graph", "https://HOSTILE"],
        ["graph", "HOSTILE"],
        ["graph", "--graph-url", "HOSTILE"], ["accounts", "HOSTILE"], ["logout", "--all", "--account", "HOSTILE"],
        ["native", "sign-in", "a", "--answers", "HOSTILE"], ["native", "sign-up", "a", "--attribute", "HOSTILE"],
        ["cache", "import", "HOSTILE"], ["cache", "export", "HOSTILE"], ["cache", "path", "--group", "HOSTILE"],
        ["cache", "rotate-key", "--to", "HOSTILE"], ["redirect", "HOSTILE"], ["version", "HOSTILE"],
        ["doctor", "--ca-file", "/HOSTILE", "--authority", "https://127.0.0.1:1/a"],
    ])
    func `an argument is escaped`(arguments: [String]) async throws {
        let command = try CommandRunner(["MSAL_CLIENT_ID": "app"])

        let outcome = try await command.run(arguments.map { $0.replacing("HOSTILE", with: Self.hostile) })

        expectVisible(outcome, ifShown: true)
    }

    // MARK: Expectations

    private func fault(at path: String, status: Int, body: String) throws -> Fault {
        Fault(
            pathSuffix: path,
            status: status,
            headers: ["Content-Type": "application/json"],
            body: body.replacing("HOSTILE", with: escaped(Self.hostile)),
            count: 1
        )
    }

    private func escaped(_ text: String) -> String {
        text.unicodeScalars.map { String(format: "\\u%04x", $0.value) }.joined()
    }

    private func expectVisible(_ outcome: CommandRunner.Outcome, ifShown: Bool = false) {
        expectVisible(outcome.output + outcome.errors, ifShown: ifShown)
    }

    /// `ifShown`: Whether the command may omit the value.
    private func expectVisible(_ text: String, ifShown: Bool = false) {
        expectHarmless(text)
        #expect(!text.contains("\nmsal: forged"), "\(text.debugDescription)")
        let shows = text.contains(Self.visible) || text.contains(Self.visibleLine)
        #expect(ifShown || shows, "\(text.debugDescription)")
    }

    private func expectHarmless(_ text: String) {
        let active = text.unicodeScalars.filter {
            $0 != "\n" && ($0.properties.generalCategory == .control || $0.properties.isBidiControl)
        }
        #expect(active.isEmpty, "\(text.debugDescription)")
    }
}
