// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSAL
import MSALCore
import TestSupport
import Testing

@testable import MSALCLI

/// The command's remedies for errors of the service.
struct RemedyTests {
    private func remedyContext(
        _ authority: String = "https://login.microsoftonline.com/contoso.com"
    ) throws -> RemedyContext {
        let options = try ClientOptions.parse(["--client-id", "app", "--authority", authority])
        return RemedyContext(
            settings: try Settings(options, scopes: [], environment: [:], profile: Profile()),
            signIn: SignInCommand(options, scopes: ["Mail.Read"])
        )
    }

    /// The details of an error as the library makes them, with the service's number.
    private static func userInfo(_ details: [String: Any], number: Int) -> [String: Any] {
        details.merging(ServiceErrorCause.userInfo(of: [number])) { $1 }
    }

    private func failure(_ code: Int, words: String = "What happened.", at authority: String? = nil) throws -> Failure {
        let error = NSError(
            domain: MSALErrorDomain,
            code: MSALError.interactionRequired.rawValue,
            userInfo: Self.userInfo([MSALErrorDescriptionKey: words], number: code)
        )
        return Failure(error, in: try authority.map(remedyContext) ?? remedyContext())
    }

    @Test(arguments: [
        (50_011, "http://localhost"), (700_016, "--client-id"),
        (90_010, "--authority https://login.microsoftonline.com/"),
        (53_003, "administrator"), (50_105, "assign the user to the app app"), (7_000_218, "public client"),
        (90_094, "administrator"), (500_011, "--scope"), (50_194, "/TENANT"), (90_002, "tenant"), (50_049, "host"),
        (90_033, "later"), (50_057, "enable this account"), (50_053, "later"), (500_021, "administrator"),
        (65_002, "your own app"), (9_002_331, "/consumers"), (50_196, "Wait"), (70_011, "--scope"),
        (650_057, "registration"), (53_000, "device"), (530_003, "device"), (7_002_141, "policy"),
        (40_008, "administrator"), (7_000_112, "enable"),
    ])
    func `a code that a sign-in cannot resolve has a remedy that can help`(_ code: Int, _ remedy: String) throws {
        let failure = try failure(code)

        #expect(failure.remedy?.contains(remedy) == true, "\(failure.remedy ?? "none")")
        #expect(failure.remedy?.contains("Sign in again") == false)
        #expect(failure.status == .failed)
    }

    @Test(arguments: [50_011, 7_000_218])
    func `an app without the redirect URI of the broker gets the one to register`(_ code: Int) throws {
        let error = NSError(
            domain: MSALErrorDomain,
            code: MSALError.internal.rawValue,
            userInfo: [
                MSALErrorDescriptionKey: "The broker refused it.",
                MSALInternalErrorCodeKey: NSNumber(value: MSALInternalError.internalErrorInvalidParameter.rawValue),
                MSALSTSErrorCodesKey: [NSNumber(value: code)],
            ]
        )

        let failure = Failure(error, in: try remedyContext())

        #expect(failure.remedy?.contains("/common/oauth2/nativeclient to the registration of the app app") == true)
    }

    @Test(arguments: [
        MSALInternalError.internalErrorBrokerResponseNotReceived, .internalErrorBrokerCorruptedResponse,
        .internalErrorBrokerUnknown, .internalErrorMismatchedUser,
    ])
    func `a broker that fails has the browser as remedy`(_ detail: MSALInternalError) throws {
        let error = NSError(
            domain: MSALErrorDomain,
            code: MSALError.internal.rawValue,
            userInfo: [
                MSALErrorDescriptionKey: "What happened.", MSALInternalErrorCodeKey: NSNumber(value: detail.rawValue),
            ]
        )

        let failure = Failure(error, in: try remedyContext())

        #expect(failure.status == .failed)
        #expect(failure.remedy?.contains("--mode browser") == true)
        #expect(failure.remedy?.contains("msal doctor --broker") == true)
    }

    @Test func `a code without an entry refers to the service's own page`() {
        let error = NSError(
            domain: MSALErrorDomain,
            code: MSALError.internal.rawValue,
            userInfo: Self.userInfo([MSALErrorDescriptionKey: "Odd."], number: 50_042)
        )

        #expect(Failure(error).remedy?.hasSuffix("https://login.microsoftonline.com/error?code=50042") == true)
    }

    @Test(arguments: [
        (50_076, ""), (700_082, ""), (70_008, ""), (65_001, " --prompt consent"), (50_020, " --prompt select_account"),
        (50_055, ""), (54_005, ""),
    ])
    func `a code that a sign-in resolves has the command for it`(_ code: Int, _ flags: String) throws {
        let failure = try failure(code)

        let command = "msal login --client-id app --authority https://login.microsoftonline.com/contoso.com"
        #expect(failure.status == .interactionRequired)
        #expect(
            failure.remedy?.hasSuffix("\(command) --scope Mail.Read\(flags)") == true,
            "\(failure.remedy ?? "none")"
        )
    }

    @Test func `a policy that names the required claims has a sign-in with them as remedy`() throws {
        let error = NSError(
            domain: MSALErrorDomain,
            code: MSALError.interactionRequired.rawValue,
            userInfo: Self.userInfo(
                [
                    MSALErrorDescriptionKey: "Blocked.",
                    MSALOAuthClaimsKey: #"{"access_token":{"capolids":{"essential":true}}}"#,
                ],
                number: 53_003
            )
        )

        let failure = Failure(error, in: try remedyContext())

        #expect(failure.status == .interactionRequired)
        #expect(failure.remedy?.hasSuffix(#"--claims '{"access_token":{"capolids":{"essential":true}}}'"#) == true)
    }

    @Test(arguments: [(65_001, "--prompt consent"), (53_000, "a managed device"), (50_105, "assign the user")])
    func `the code decides before the claims, which a suggested command keeps`(_ number: Int, _ text: String) throws {
        let error = NSError(
            domain: MSALErrorDomain,
            code: MSALError.interactionRequired.rawValue,
            userInfo: Self.userInfo(
                [MSALErrorDescriptionKey: "Refused.", MSALOAuthClaimsKey: #"{"access_token":{"c":null}}"#],
                number: number
            )
        )

        let failure = Failure(error, in: try remedyContext())

        #expect(failure.status == .interactionRequired)
        let remedy = try #require(failure.remedy)
        #expect(remedy.contains(text))
        #expect(!remedy.contains("msal login") || remedy.contains(#"--claims '{"access_token":{"c":null}}'"#))
    }

    @Test func `the page about the numbers has those of the libraries, with cause and meaning`() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../docs/Troubleshooting.md"
        )
        let rows = try String(contentsOf: page.standardized, encoding: .utf8).split(separator: "\n")
            .compactMap { $0.wholeMatch(of: /\| ([0-9, ]+) \| `([a-zA-Z]+)` \| (.+) \| (.+) \|/) }

        let numbers = rows.map { $0.1.split(separator: ", ").compactMap { Int($0) } }

        #expect(numbers == ServiceErrorCause.allCases.map(\.codes))
        #expect(Set(numbers.joined()).count == numbers.joined().count)
        #expect(rows.map { String($0.2) } == ServiceErrorCause.allCases.map(\.rawValue))
        #expect(rows.map { String($0.3) } == ServiceErrorCause.allCases.map(\.text))
    }

    @Test func `each cause has a remedy`() {
        #expect(ServiceRemedy.allCases.map(\.rawValue) == ServiceErrorCause.allCases.map(\.rawValue))
    }

    @Test(arguments: ServiceRemedy.allCases)
    func `a remedy is one line, with a browser and without`(_ remedy: ServiceRemedy) throws {
        for isNative in [true, false] {
            var remedyContext = try remedyContext()
            remedyContext.isNative = isNative
            let text = remedy.text(remedyContext)

            #expect(!text.isEmpty && !text.contains("\n"))
        }
    }

    @Test(arguments: [
        ("B2C_1_susi", "B2C_1_passwordreset"), ("B2C_1A_signup_signin", "B2C_1A_PasswordReset"),
    ])
    func `a forgotten password is not reported as canceled`(_ policy: String, _ reset: String) throws {
        let tenant = "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/"
        let error = NSError(
            domain: MSALErrorDomain,
            code: MSALError.userCanceled.rawValue,
            userInfo: [
                MSALErrorDescriptionKey:
                    "AADB2C90118: The user has forgotten their password.\r\nCorrelation ID: 1\r\nTimestamp: 2",
                MSALOAuthErrorKey: "access_denied",
            ]
        )

        let failure = Failure(error, in: try remedyContext(tenant + policy))

        #expect(failure.status == .failed)
        #expect(failure.code == -50005)
        #expect(
            failure.message
                == #"The user chose "forgotten password". AADB2C90118: The user has forgotten their password."#
        )
        #expect(
            failure.remedy?.hasSuffix("msal login --client-id app --authority \(tenant)\(reset) --scope Mail.Read")
                == true
        )
    }

    @Test func `a user who canceled is reported as such`() {
        let error = NSError(
            domain: MSALErrorDomain,
            code: MSALError.userCanceled.rawValue,
            userInfo: [
                MSALErrorDescriptionKey: "AADB2C90091: The user has cancelled entering self-asserted information."
            ]
        )

        #expect(Failure(error).status == .canceled)
    }

    @Test func `an error that counts as canceled is reported with its own message`() {
        let error = NSError(
            domain: MSALErrorDomain,
            code: MSALError.userCanceled.rawValue,
            userInfo: Self.userInfo([MSALErrorDescriptionKey: "Admin."], number: 90_094)
        )

        #expect(Failure(error).status == .failed)
    }

    @Test func `arguments in a command line are quoted for a shell`() throws {
        var command = SignInCommand(try ClientOptions.parse(["--ca-file", "/my files/ca.pem"]))
        command.loginHint = "o'neil@contoso.example; rm -rf ~ $(id) `id`"

        #expect(
            command.text
                == #"msal login --ca-file '/my files/ca.pem' --login-hint 'o'\''neil@contoso.example; rm -rf ~ $(id) `id`'"#
        )
    }

    @Test func `a shell parses a command line to the same arguments`() throws {
        var command = SignInCommand()
        let hint = "a'b\"c\\d$e`f\tg h'\u{301}; echo"
        command.loginHint = hint
        command.claims = ClaimsChallenge(#"{"access_token":{"x":{"value":"'$(id)\u0007é"}}}"#)
        let words = command.text.dropFirst("msal ".count)

        let output = try StartedProgram("/bin/sh", ["-c", "printf '%s\\n' \(words)"]).end().text

        #expect(
            output.split(separator: "\n").map(String.init) == [
                "login", "--login-hint", hint, "--claims",
                #"{"access_token":{"x":{"value":"'$(id)\u0007\u00e9"}}}"#,
            ]
        )
    }
}

/// The values that `--claims` accepts.
struct ClaimsChallengeTests {
    private let json = #"{"access_token":{"acrs":{"essential":true,"value":"c1"}}}"#
    private let base64 = "eyJhY2Nlc3NfdG9rZW4iOnsiYWNycyI6eyJlc3NlbnRpYWwiOnRydWUsInZhbHVlIjoiYzEifX19"

    @Test func `claims are accepted as JSON, as base64 and as a whole header`() {
        let spellings = [
            json, " \(json)\n", base64, #"Bearer error="insufficient_claims", claims="\#(base64)""#,
            #"WWW-Authenticate: Bearer realm="", error="insufficient_claims", claims="\#(base64)""#,
            #"www-authenticate: PoP nonce="n", Bearer error="insufficient_claims", claims="\#(base64)""#,
            #"Bearer error="insufficient_claims", claims="\#(json.replacing("\"", with: #"\""#))""#,
        ]

        for spelling in spellings { #expect(ClaimsChallenge(spelling)?.text == json, "\(spelling)") }
    }

    @Test(arguments: ["", "{}", "c1", "[1]", "Bearer error=\"invalid_token\"", "e30", "\"{}\"", "eyJh"])
    func `a text without claims is rejected before any request`(_ text: String) throws {
        let failure = try #require(throws: Failure.self) { try ClaimsChallenge.parse(text) }

        #expect(failure.status == .usage)
    }

    @Test(arguments: [#"{"userinfo":{"x":null}}"#, #"{"access_token":1}"#])
    func `claims that tokens cannot have are an invalid argument`(_ text: String) throws {
        let challenge = try #require(ClaimsChallenge(text))

        let failure = try #require(throws: Failure.self) { try challenge.request() }

        #expect(failure.status == .usage)
        #expect(failure.message.contains("claims request"))
    }
}
