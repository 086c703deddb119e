// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import Testing

@testable import MSALCLI

@Suite struct TokenCallTests {
    private static let values: [[String]] = [
        ["--scope", "User.Read"], ["--scope", "User.Read Mail.Read"], ["--account", "megan@contoso.example"],
        ["--account", "a name with spaces"], ["--account", "a=b"], ["--output", "json"], ["-o", "raw"], ["-o", "text"],
        ["--refresh"], ["--show-token"], ["--claims", #"{"access_token":{"a":null}}"#], ["--profile", "contoso"],
        ["--client-id", "00000000-0000-4000-8000-000000000001"],
        ["--authority", "https://login.microsoftonline.com/common"],
        ["--known-authority", "https://contoso.example/tfp/a"], ["--ca-file", "/my files/ca.pem"],
    ]

    /// Every option by itself, every pair of options, and all of them together.
    private static let plain: [[String]] =
        [[]] + values
        + values.indices.flatMap { first in
            values[first...].dropFirst().filter { !isRepeated($0[0], values[first][0]) }.map { values[first] + $0 }
        } + [
            [
                "--scope", "User.Read", "--scope", "Mail.Read", "--account", "megan", "-o", "json", "--refresh",
                "--show-token", "--claims", "{}", "--profile", "contoso", "--client-id", "app", "--authority",
                "https://a/b",
                "--known-authority", "https://c/d", "--known-authority", "https://e/f", "--ca-file", "ca.pem",
            ]
        ]

    private static func isRepeated(_ first: String, _ second: String) -> Bool {
        func name(_ option: String) -> String { option == "-o" ? "--output" : option }
        return name(first) == name(second) && !["--scope", "--known-authority"].contains(first)
    }

    @Test(arguments: plain)
    func `a plain call has the same result as with the parser`(arguments: [String]) async throws {
        let call = try #require(TokenCall(plain: ["token"] + arguments))
        let command = try #require(try await MSALCommand.command(["token"] + arguments) as? TokenCommand)

        #expect(call == TokenCall(command))
    }

    @Test(
        arguments: [
            ["--scope=User.Read"], ["-oraw"], ["-o=raw"], ["--output=raw"], ["--output", "xml"], ["-o"], ["--account"],
            ["--account", ""], ["--account", "-x"], ["--account", "--refresh"], ["--account", "a", "--account", "b"],
            ["-o", "raw", "--output", "json"], ["-o", "raw", "-o", "raw"], ["--refresh", "--refresh"],
            ["--refresh=true"],
            ["--show-token", "--show-token"], ["--no-refresh"], ["--help"], ["-h"], ["--version"], ["extra"], ["--"],
            ["--", "--scope"], ["--nonsense", "value"], ["--Scope", "User.Read"], ["-scope", "User.Read"],
            ["", "value"],
            ["--claims", "a", "--claims", "b"], ["--profile", "a", "--profile", "b"],
            ["--client-id", "a", "--client-id", "b"],
            ["--authority", "a", "--authority", "b"], ["--ca-file", "a", "--ca-file", "b"], ["--scope", "-"],
            ["--generate-completion-script", "bash"],
        ]
    )
    func `every other form is left to the parser`(arguments: [String]) {
        #expect(TokenCall(plain: ["token"] + arguments) == nil)
    }

    @Test(arguments: [[], ["graph"], ["tokens"], ["--scope", "User.Read", "token"], ["accounts", "--account", "a"]])
    func `other commands are left to the parser`(arguments: [String]) {
        #expect(TokenCall(plain: arguments) == nil)
    }

    @Test func `each option of the command is handled, or left to the parser on purpose`() throws {
        // Plus all options for tokens of services, where the parser's time does not matter.
        let left = [
            "--debug", "--help", "--client", "--tenant", "--client-secret-env", "--client-secret-file", "--certificate",
            "--certificate-password-env", "--send-chain", "--federated", "--managed-identity", "--default", "--agent",
            "--user",
        ]
        let help = try #require(TokenCommand.helpMessage(columns: 200).components(separatedBy: "OPTIONS:").last)
        let options = help.matches(of: /(?m)^  (?:-., )?(--[a-z-]+)( <)?/)

        #expect(options.count >= 13)
        for option in options {
            let value = option.1 == "--output" ? ["raw"] : option.2 == nil ? [] : ["value"]
            let call = TokenCall(plain: ["token", String(option.1)] + value)
            #expect((call == nil) == left.contains(String(option.1)), "\(option.1)")
        }
    }

    @Test func `a program that captures the output has to choose a format`() throws {
        let failure = try #require(throws: Failure.self) {
            try OutputFormat.ofToken(nil, isShown: false, isTerminal: false)
        }

        #expect(failure.status == .usage)
        #expect(failure.text(.plain) == "msal: The output is not a terminal. Pass -o raw for the token, or -o json.")
        #expect(try OutputFormat.ofToken(nil, isShown: false, isTerminal: true) == .text)
        #expect(try OutputFormat.ofToken(nil, isShown: true, isTerminal: false) == .text)
        #expect(try OutputFormat.ofToken(.text, isShown: false, isTerminal: false) == .text)
        #expect(try OutputFormat.ofToken(.raw, isShown: false, isTerminal: false) == .raw)
    }
}
