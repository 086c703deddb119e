// Licensed under the MIT License. See LICENSE.

import TestSupport
import Testing

@testable import MSALCLI

struct ConfigTextTests {
    private func edited(_ text: String, value: ConfigValue?, at place: String...) throws -> String {
        var content = try ConfigText(text)
        try content.set(value, at: place)
        return content.text
    }

    @Test func `an empty file gets the parents of the value`() throws {
        let text = try edited("", value: .text("x"), at: "profiles", "contoso", "client_id")

        #expect(text == "profiles:\n  contoso:\n    client_id: x\n")
    }

    @Test func `a changed value leaves comments and layout unchanged`() throws {
        let text = """
            # mine
            default_profile: a

            profiles:
                a:
                    scopes:
                    - User.Read  # of Graph
                    - Mail.Read
                    # the client
                    client_id: one
                b:
                    client_id: two

            """

        let client = try edited(text, value: .text("three"), at: "profiles", "a", "client_id")
        let scopes = try edited(text, value: .list(["A b", "C"]), at: "profiles", "a", "scopes")
        let added = try edited(text, value: .text("https://x.example:8443/t"), at: "profiles", "a", "authority")

        #expect(client == text.replacing("client_id: one", with: "client_id: three"))
        #expect(scopes.contains("        scopes: ['A b', C]\n        # the client\n        client_id: one\n    b:"))
        #expect(added.contains("client_id: one\n        authority: https://x.example:8443/t\n    b:\n"))
    }

    @Test(arguments: [("\u{FEFF}", "\n"), ("", "\r\n"), ("\u{FEFF}", "\r\n")])
    func `a byte order mark and CR LF are accepted, and kept`(_ mark: String, _ lineEnd: String) throws {
        let lines = [
            "default_profile: a", "profiles:", "  a:", "    client_id: one", "", "  # the second", "  b:",
            "    scopes:", "    - User.Read", "",
        ]
        let text = mark + lines.joined(separator: lineEnd)

        let read = try ProfileFile(text: text, path: "config.yaml")
        let client = try edited(text, value: .text("two"), at: "profiles", "a", "client_id")
        let added = try edited(text, value: .text("x"), at: "profiles", "b", "account")

        #expect(read.defaultProfile == "a" && read.profiles["b"]?.scopes == ["User.Read"])
        #expect(Array(client.utf8) == Array(text.replacing("one", with: "two").utf8))
        #expect(Array(added.utf8) == Array("\(text)    account: x\(lineEnd)".utf8))
    }

    @Test(arguments: ["\r", "\u{85}", "\u{2028}"])
    func `a file with other line ends of YAML is not changed`(lineEnd: String) throws {
        let text = ["default_profile: a", "profiles:", "  a:", "    client_id: one", ""].joined(separator: lineEnd)

        let failure = try? #require(throws: Failure.self) {
            _ = try edited(text, value: .text("two"), at: "profiles", "a", "client_id")
        }

        #expect(failure?.status == .usage)
    }

    @Test func `a profile and an account are added after the existing ones`() throws {
        let text = "default_profile: a\nprofiles:\n  a:\n    client_id: one\n\n# the end\n"

        let profile = try edited(text, value: .text("two"), at: "profiles", "b", "client_id")
        let account = try edited(text, value: .text("megan@contoso.example"), at: "accounts", "one")

        #expect(profile == text.replacing("one\n", with: "one\n  b:\n    client_id: two\n"))
        #expect(account == text + "accounts:\n  one: megan@contoso.example\n")
    }

    @Test func `a removed value removes its lines`() throws {
        let text = "profiles:\n  a:\n    scopes:\n      - x\n      - y\n    client_id: one\n"

        let removed = try edited(text, value: nil, at: "profiles", "a", "scopes")

        #expect(removed == "profiles:\n  a:\n    client_id: one\n")
        #expect(try edited(text, value: nil, at: "profiles", "a", "port") == text)
        let emptied = try edited(removed, value: nil, at: "profiles", "a", "client_id")
        #expect(try edited(emptied, value: .text("z"), at: "profiles", "a", "port") == "profiles:\n  a:\n    port: z\n")
    }

    @Test func `the last account removes the empty list, and comments stay`() throws {
        let text = "default_profile: a\naccounts:\n  # mine\n  one: megan\n  two: alex\nprofiles:\n  a:\n    port: x\n"

        let shorter = try edited(text, value: nil, at: "accounts", "two")
        let emptied = try edited(shorter, value: nil, at: "accounts", "one")

        #expect(shorter == text.replacing("  two: alex\n", with: ""))
        #expect(emptied == "default_profile: a\n  # mine\nprofiles:\n  a:\n    port: x\n")
        #expect(try edited(emptied, value: .text("lee"), at: "accounts", "one") == emptied + "accounts:\n  one: lee\n")
        #expect(try edited("accounts:\n  one: megan\n", value: nil, at: "accounts", "one") == "\n")
    }

    @Test(arguments: [
        "profiles: {a: {client_id: one}}\n",
        "profiles:\n  a: &x {client_id: one}\n  b: *x\n",
        "{profiles: {a: {client_id: one}}}\n",
    ])
    func `a text with another layout is left to the user`(text: String) throws {
        let failure = try #require(throws: Failure.self) {
            try edited(text, value: .text("two"), at: "profiles", "a", "client_id")
        }

        #expect(failure.status == .usage)
        #expect(failure.remedy == "Edit the file instead.")
    }

    @Test(arguments: ["it's", "a: b", "# no comment", "- x", "true", "", "[x]", "ü", "a b", "&x", "null", "x:"])
    func `any value is read back as it was set`(value: String) throws {
        var content = try ConfigText("profiles:\n")
        try content.set(.text(value), at: ["profiles", value, "client_id"])

        #expect(try ConfigText(content.text).values == [["profiles", value, "client_id"]: [value]])
    }
}

/// Damaged settings files.
struct ConfigTextFuzzTests {
    @Test func `a change keeps every other value, or is rejected`() {
        let lines = [
            "default_profile: a", "profiles:", "  a:", "    client_id: one", "    scopes: [x, y]", "  b: {}", "",
        ]
        var fuzz = Fuzz(
            corpus: [
                lines.joined(separator: "\n"), "\u{FEFF}" + lines.joined(separator: "\r\n"), "accounts:\n  x: y\n",
            ]
            .map { Array($0.utf8) },
            words: [
                "\r\n", "\r", "\u{85}", "\u{2028}", "\t", "- ", ": ", "#", "|", ">", "{", "}", "&a ", "*a", "'", "  ",
            ]
        )
        let position = ["profiles", "a", "client_id"]

        // Parsing YAML takes some hundred microseconds each time.
        fuzz.run(rounds: min(Fuzz.rounds, 100_000)) { bytes in
            guard var content = try? ConfigText(String(decoding: bytes, as: UTF8.self)) else { return }
            var expected = content.values
            expected[position] = ["two"]
            guard (try? content.set(.text("two"), at: position)) != nil else { return }
            #expect((try? ConfigText(content.text))?.values == expected)
        }
    }
}
