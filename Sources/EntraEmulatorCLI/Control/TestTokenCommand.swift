// Licensed under the MIT License. See LICENSE.

public import ArgumentParser
import CommandOutput
public import EntraEmulator
import Foundation
import MSALBase

/// `entra-emulator token`: prints an access token of the running emulator, without a sign-in.
struct TestTokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Print an access token without a sign-in, to test an API.",
        discussion: """
            The emulator must be running. Pass --user, --application, or both: a user's token is issued to the directory's \
            first application unless --application names another one. Without --user, it is an app-only token.

            EXAMPLES
              entra-emulator token --user megan@contoso.example \\
                --api https://graph.microsoft.com
              entra-emulator token --application ID --api api://tasks --set roles=Planner
            """
    )

    @Option(help: ArgumentHelp("The user of the token.", valueName: "name"))
    var user: String?

    @Option(help: ArgumentHelp("The application that it is issued to, by its client ID or name.", valueName: "name"))
    var application: String?

    @Option(help: ArgumentHelp("The tenant. Defaults to the user's home tenant.", valueName: "name"))
    var tenant: String?

    @Option(help: ArgumentHelp("The API, by its client ID or another identifier.", valueName: "identifier"))
    var api: String

    @Option(help: "A permission of the API; repeat it for more. Defaults to all that do not require an administrator.")
    var scope: [String] = []

    @Option(
        help: ArgumentHelp(
            "Set a claim, such as roles=Planner. The value is a string, or JSON. Repeat it for more.",
            valueName: "claim=value"
        )
    )
    var set: [String] = []

    @Flag(help: "Allow --set for restricted claims, such as iss, aud, and exp.")
    var force = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The lifetime from now on. A negative value creates an expired token.", valueName: "seconds")
    )
    var expires: Int?

    @Option(help: "Make it invalid in this way, so that an API has to reject it.")
    var flaw: TestToken.Flaw?

    @OptionGroup var control: ControlOptions

    func validate() throws {
        guard user != nil || application != nil else { throw ValidationError("Pass --user, --application, or both.") }
        for pair in set where pair.firstIndex(of: "=").map({ $0 == pair.startIndex }) ?? true {
            throw ValidationError("--set must have the form claim=value, not '\(pair)'.")
        }
    }

    func run() async throws {
        try Terminal.output.deliver(token: try await control.client().token(request))
    }

    /// The body of the request.
    private var request: [String: JSONValue] {
        var members: [String: JSONValue] = ["api": .string(api)]
        members["user"] = user.map { .string($0) }
        members["application"] = application.map { .string($0) }
        members["tenant"] = tenant.map { .string($0) }
        if !scope.isEmpty { members["scopes"] = .strings(scope) }
        if !set.isEmpty { members["set"] = .object(claims) }
        members["expires"] = expires.map { .int($0) }
        if force { members["force"] = true }
        members["flaw"] = flaw.map { .string($0.rawValue) }
        return members
    }

    /// The claims of `--set`. A claim that is set twice becomes an array.
    private var claims: [String: JSONValue] {
        var claims: [String: JSONValue] = [:]
        for pair in set {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let value = Self.value(parts.count == 2 ? parts[1] : "")
            let known = claims[parts[0]]
            claims[parts[0]] = known.map { .array(($0.array ?? [$0]) + [value]) } ?? value
        }
        return claims
    }

    /// Parses JSON if the text is valid JSON; otherwise the text itself.
    private static func value(_ text: String) -> JSONValue {
        JSONValue(parsing: Data(text.utf8)) ?? .string(text)
    }
}

extension TestToken.Flaw: ExpressibleByArgument {}
