// Licensed under the MIT License. See LICENSE.

public import ArgumentParser
import CommandOutput
public import EntraEmulator
import Foundation
import MSALBase

/// `entra-emulator token`: an access token of the running emulator, without a sign-in.
struct TestTokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Print an access token without a sign-in, for a test of an API.",
        discussion: """
            The emulator has to run. Without --application the token is that of the directory's first application. Without \
            --user it is the application's own.

            EXAMPLES
              entra-emulator token --user megan@contoso.example --api https://graph.microsoft.com
              entra-emulator token --api api://tasks --set roles=Planner
            """
    )

    @Option(help: ArgumentHelp("The user that the token is about.", valueName: "name"))
    var user: String?

    @Option(help: ArgumentHelp("The application that has it, by its client id or name.", valueName: "name"))
    var application: String?

    @Option(help: ArgumentHelp("The tenant, if not the user's home.", valueName: "name"))
    var tenant: String?

    @Option(help: ArgumentHelp("The API, by its client id or another identifier.", valueName: "identifier"))
    var api: String

    @Option(help: "A permission of the API; repeat it for more. Without it, all that need no administrator.")
    var scope: [String] = []

    @Option(
        help: ArgumentHelp(
            "Set a claim, such as roles=Planner. The value is a text, or JSON. Repeat it for more.",
            valueName: "claim=value"
        )
    )
    var set: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How long it lives from now on; less than zero makes one that has ended.",
            valueName: "seconds"
        )
    )
    var expires: Int?

    @Option(help: "Make it wrong, in this way: an API has to refuse it.")
    var flaw: TestToken.Flaw?

    @OptionGroup var control: ControlOptions

    func validate() throws {
        guard user != nil || application != nil else {
            throw ValidationError("name whom the token is about, with --user or --application.")
        }
        for pair in set where pair.firstIndex(of: "=").map({ $0 == pair.startIndex }) ?? true {
            throw ValidationError("--set wants claim=value, and not '\(pair)'.")
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
        members["flaw"] = flaw.map { .string($0.rawValue) }
        return members
    }

    /// The claims of `--set`. A claim that is set twice becomes a list.
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

    /// JSON where the text is JSON, else the text itself.
    private static func value(_ text: String) -> JSONValue {
        JSONValue(parsing: Data(text.utf8)) ?? .string(text)
    }
}

extension TestToken.Flaw: ExpressibleByArgument {}
