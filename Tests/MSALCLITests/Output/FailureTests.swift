// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSAL
import MSALCore
import Testing

@testable import MSALCLI

struct FailureTests {
    private func error(_ code: Int, _ detail: Int? = nil, _ more: [String: Any] = [:]) -> NSError {
        var userInfo = more
        userInfo[MSALErrorDescriptionKey] = "What happened."
        userInfo[MSALInternalErrorCodeKey] = detail.map(NSNumber.init(value:))
        return NSError(domain: MSALErrorDomain, code: code, userInfo: userInfo)
    }

    @Test(arguments: [
        (-42003, CommandExit.failed), (-42008, .failed), (-42000, .usage), (-42010, .usage), (-42106, .notSignedIn),
    ])
    func `the details of internal errors become exit statuses`(detail: Int, status: CommandExit) {
        #expect(Failure(error(-50000, detail)).status == status)
    }

    @Test(arguments: [
        (-50002, CommandExit.interactionRequired), (-50142, .interactionRequired), (-50003, .failed),
        (-50005, .canceled),
    ])
    func `the other codes become exit statuses`(code: Int, status: CommandExit) {
        #expect(Failure(error(code)).status == status)
    }

    @Test func `a missing response is a network failure`() {
        let failure = Failure(NSError(domain: NSURLErrorDomain, code: -1004, userInfo: [:]))

        #expect(failure.status == .network)
        #expect(failure.code == -1004)
        #expect(failure.internalCode == nil)
    }

    @Test func `an error with the reason of the store is a failure of the store`() {
        let reason = MSALTokenStoreFailure.full

        #expect(Failure(error(-50000, -42008, [MSALTokenStoreFailureKey: reason])).status == .store)
        #expect(Failure(error(-50000, -42008)).status == .failed)
    }

    @Test func `an error in JSON has all its members`() {
        let failure = Failure(error(-50002, nil, [MSALCorrelationIDKey: "00000000-0000-0000-0000-00000000000A"]))

        #expect(
            failure.json == """
                {
                  "error" : {
                    "claims" : null,
                    "code" : -50002,
                    "correlation_id" : "00000000-0000-0000-0000-00000000000A",
                    "error_codes" : [

                    ],
                    "internal_code" : null,
                    "message" : "What happened.",
                    "remedy" : "Sign in again, with the same scopes: msal login",
                    "suberror" : null
                  }
                }
                """
        )
    }

    @Test func `an error in JSON contains claims, suberror and codes as the service sent them`() throws {
        let claims = #"{ "access_token":{"capolids":{"essential":true,"values":["c1"]}}}"#
        let failure = Failure(
            error(
                -50002,
                nil,
                [
                    MSALOAuthClaimsKey: claims, MSALOAuthSubErrorKey: "basic_action",
                    MSALSTSErrorCodesKey: [NSNumber(value: 50_076)],
                ]
            )
        )

        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(failure.json.utf8)) as? [String: Any]
        )
        let members = try #require(json["error"] as? [String: Any])
        #expect(members["claims"] as? String == claims)
        #expect(members["suberror"] as? String == "basic_action")
        #expect(members["error_codes"] as? [Int] == [50_076])
        #expect(
            failure.remedy
                == #"Sign in again: msal login --claims '{"access_token":{"capolids":{"essential":true,"values":["c1"]}}}'"#
        )
    }

    @Test func `an error in text is a line, a remedy and the correlation ID`() {
        let failure = Failure(error(-50000, -42106, [MSALCorrelationIDKey: "A"]))

        #expect(
            failure.text(.plain) == """
                msal: What happened.
                Sign in: msal login
                Correlation ID: A
                """
        )
    }

    @Test(arguments: [["token", "--nonsense"], ["login", "--timeout", "0"], ["logout", "--all", "--account", "a"]])
    func `arguments that do not parse are usage errors`(arguments: [String]) async throws {
        let error = try await #require(throws: (any Error).self) {
            _ = try await MSALCommand.command(arguments)
        }

        guard case .failure(let failure) = ErrorReport(error) else {
            Issue.record("Help was not requested.")
            return
        }
        #expect(failure.status == .usage)
        #expect(failure.remedy == "See: msal \(arguments[0]) --help")
    }

    @Test(arguments: [["tokn"], ["tokn", "-o", "json"], ["tokn", "--help"]])
    func `a command that does not exist is named`(arguments: [String]) async throws {
        let failure = try await #require(throws: Failure.self) { _ = try await MSALCommand.command(arguments) }

        #expect(failure == .usage("Unknown command 'tokn'.", remedy: "Did you mean 'token'? See: msal --help"))
    }

    @Test func `an option that no command has refers to the general help`() async throws {
        let error = try await #require(throws: (any Error).self) { _ = try await MSALCommand.command(["--nonsense"]) }

        guard case .failure(let failure) = ErrorReport(error) else {
            Issue.record("Help was not requested.")
            return
        }
        #expect(failure.remedy == "See: msal --help")
    }

    @Test func `an API unknown to the tenant is an error about the scope, not the sign-in`() {
        let failure = Failure(error(-50002, nil, [MSALOAuthErrorKey: "invalid_resource"]))

        #expect(failure.status == .interactionRequired)
        #expect(failure.remedy?.contains("--scope") == true)
    }

    @Test func `scopes of two APIs are an error about the scopes`() {
        let failure = Failure(error(-50002, nil, ServiceErrorCause.userInfo(of: [28_000])))

        #expect(failure.status == .failed)
        #expect(failure.remedy?.contains("A command can request the scopes of only one API.") == true)
    }

    @Test func `an outage is reported with the service's message, code and status`() {
        let failure = Failure(
            error(
                -50000,
                -42007,
                ServiceErrorCause.userInfo(of: [90_033]).merging([MSALHTTPResponseCodeKey: "503"]) { $1 }
            )
        )

        #expect(failure.message == "What happened. (HTTP status 503, AADSTS90033)")
        #expect(failure.remedy == "Try again later.")
        #expect(failure.status == .failed)
    }

    @Test func `a sign-in that could not be stored is not a success`() async throws {
        let output = try OutputOptions.parse(["-o", "raw"])

        let code = try await #require(throws: ExitCode.self) {
            try await output.show(LogoutReport(signedOut: []), isPersisted: false, cause: nil)
        }

        #expect(code.rawValue == CommandExit.store.rawValue)
        #expect(Failure.notStored("The disk is full.").message.hasSuffix("will not find them. The disk is full."))
    }

    @Test func `help is not a failure and lists every exit status`() async throws {
        let error = try await #require(throws: (any Error).self) {
            var command = try await MSALCommand.command(["--help"])
            try command.run()
        }

        guard case .help(let text) = ErrorReport(error) else {
            Issue.record("Help was requested.")
            return
        }
        for line in CommandExit.table { #expect(text.contains(line)) }
    }

    @Test func `help of a frequent command has the complete usage`() async throws {
        let error = try await #require(throws: (any Error).self) {
            var command = try await MSALCommand.command(["token", "--help"])
            try command.run()
        }

        guard case .help(let text) = ErrorReport(error) else {
            Issue.record("Help was requested.")
            return
        }
        #expect(text.contains("USAGE: msal token"))
    }

    @Test(arguments: [
        ["token", "extra"], ["accounts", "--nope"], ["redirect", "register"], ["login", "--timeout", "0"],
    ])
    func `the parser's messages end as all others do`(arguments: [String]) async throws {
        let error = try await #require(throws: (any Error).self) { try await MSALCommand.command(arguments) }

        guard case .failure(let failure) = ErrorReport(error) else {
            Issue.record("The arguments are wrong.")
            return
        }
        #expect(failure.message.last.map { ".?".contains($0) } == true, "\(failure.message)")
        #expect(!failure.message.hasSuffix(".."))
    }

    @Test(
        arguments: [
            LoginCommand.self, TokenCommand.self, GraphCommand.self, AccountsCommand.self, LogoutCommand.self,
            AccountListCommand.self, AccountShowCommand.self, AccountSetCommand.self, AccountForgetCommand.self,
            ConfigGetCommand.self, ConfigListCommand.self, ConfigSetCommand.self, ConfigUnsetCommand.self,
            DoctorCommand.self, NativeSignInCommand.self,
            NativeSignUpCommand.self, NativeResetPasswordCommand.self, NativeTokenCommand.self,
            CacheImportCommand.self, CacheExportCommand.self, CacheRotateKeyCommand.self,
        ] as [any ParsableCommand.Type]
    )
    func `the usage fits in one line of a terminal`(command: any ParsableCommand.Type) throws {
        let help = MSALCommand.helpMessage(for: command, columns: 80)

        let usage = try #require(help.split(separator: "\n").first { $0.hasPrefix("USAGE: ") })
        #expect(usage.count <= 80, "\(usage)")
    }

    @Test(arguments: [["token", "-o", "raw"], ["graph", "/me"]])
    func `a frequent command is parsed the same directly and from the root`(arguments: [String]) async throws {
        let short = try #require(MSALCommand.frequent(arguments))
        let long = try await MSALCommand.command(arguments)

        #expect(type(of: short) == type(of: long))
    }

    @Test(arguments: [
        ["accounts"], ["token", "--help"], ["token", "--nonsense"], ["graph", "-X", "GET", "--body", "{}"], [],
    ])
    func `arguments that the fast path does not accept are left to the parser`(arguments: [String]) {
        #expect(MSALCommand.frequent(arguments).map { type(of: $0) } == nil)
    }

    @Test func `a command may end with a status and no message`() {
        guard case .silent(let code) = ErrorReport(ExitCode(5)) else {
            Issue.record("The status was reported as an error.")
            return
        }
        #expect(code.rawValue == 5)
    }

    @Test func `the format is found in invalid arguments`() {
        #expect(OutputFormat.requested(in: ["token", "--nonsense", "-o", "json"]) == .json)
        #expect(OutputFormat.requested(in: ["--output=raw"]) == .raw)
        #expect(OutputFormat.requested(in: ["--", "--output", "json"]) == .text)
        #expect(OutputFormat.requested(in: ["--output"]) == .text)
    }

    @Test func `an account is selected by name or id, or because it is the only one`() throws {
        let megan = AccountChoice.Candidate(name: "megan@contoso.example", id: "1.t")
        let alex = AccountChoice.Candidate(name: "alex@contoso.example", id: "2.t")

        #expect(try AccountChoice.choose(nil, among: [megan]) == 0)
        #expect(try AccountChoice.choose("ALEX@contoso.example", among: [megan, alex]) == 1)
        #expect(try AccountChoice.choose("2.T", among: [megan, alex]) == 1)
        #expect(throws: Failure.ambiguous(["megan@contoso.example", "alex@contoso.example"])) {
            try AccountChoice.choose(nil, among: [megan, alex])
        }
        let absent = try #require(throws: Failure.self) { try AccountChoice.choose("dana", among: [megan]) }
        let nobody = try #require(throws: Failure.self) { try AccountChoice.choose(nil, among: []) }
        #expect(absent.status == .notSignedIn)
        #expect(nobody.status == .notSignedIn)
    }

    @Test func `the default account is used if none is named`() throws {
        let megan = AccountChoice.Candidate(name: "megan@contoso.example", id: "1.t")
        let alex = AccountChoice.Candidate(name: "alex@contoso.example", id: "2.t")

        #expect(try AccountChoice.choose(nil, default: "2.t", among: [megan, alex]) == 1)
        #expect(try AccountChoice.choose("megan@contoso.example", default: "2.t", among: [megan, alex]) == 0)
        let gone = try #require(throws: Failure.self) {
            try AccountChoice.choose(nil, default: "dana@contoso.example", among: [megan, alex])
        }
        #expect(gone.status == .notSignedIn)
        #expect(gone.message == "The default account dana@contoso.example is not signed in.")
        #expect(gone.remedy?.contains("msal account set") == true)
    }
}
