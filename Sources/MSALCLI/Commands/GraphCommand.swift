// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import Foundation
import MSAL

/// `msal graph`
struct GraphCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "graph",
        _superCommandName: "msal",
        abstract: "Call Microsoft Graph with the stored sign-in.",
        usage: "msal graph [<path>] [options]",
        discussion: """
            Text is the answer's JSON, indented; raw is the answer as it came; JSON is {"body": …, "status": …}.
            A status other than 200 to 299 makes the command fail, and redirects are not followed. Answers longer \
            than 4 MiB are refused.

            The token goes to the Microsoft Graph of its own cloud, which the authority's metadata name. --graph-url, \
            MSAL_GRAPH_URL and a profile's graph_url name another address; that of another cloud is refused.

            EXAMPLES
              msal graph
              msal graph '/me/messages?$top=5' --scope Mail.Read
              msal graph /beta/me -o raw
              msal graph /me/events --scope Calendars.ReadWrite --method POST \\
                --body '{"subject": "Lunch"}'
            """
    )

    @Argument(
        help: ArgumentHelp(
            "A path at Microsoft Graph, or a whole address there, such as @odata.nextLink.",
            discussion: "Paths are below /v1.0 unless they begin with /v1.0 or /beta."
        )
    )
    var path = "/me"

    @OptionGroup var client: ClientOptions

    @Option(help: ScopeOptions.help)
    var scope: [String] = []

    @Option(help: AccountOptions.help, completion: AccountOptions.completion)
    var account: String?

    @Option(name: OutputOptions.name, help: OutputOptions.help)
    var output = OutputFormat.text

    @Option(help: "The HTTP method.")
    var method = Method.get

    @Option(
        name: .customLong("graph-url"),
        help: ArgumentHelp("The address of Microsoft Graph. (MSAL_GRAPH_URL)", valueName: "url")
    )
    var graphURL: String?

    @Option(help: ArgumentHelp("JSON to send.", valueName: "json"))
    var body: String?

    /// The methods that Microsoft Graph knows.
    enum Method: String, CaseIterable, ExpressibleByArgument {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"

        init?(argument: String) {
            self.init(rawValue: argument.uppercased())
        }
    }

    func validate() throws {
        guard let body else { return }
        guard method != .get else { throw ValidationError("--body needs --method POST, PUT, PATCH or DELETE.") }
        guard JSONText.pretty(Data(body.utf8)) != nil else { throw ValidationError("--body is no JSON.") }
    }

    func run() async throws {
        let settings = try Settings(client, scopes: scope)
        let named = try graphURL.map(Settings.graph) ?? settings.graph
        if let named {
            // Arguments that cannot work are refused before a token is requested.
            let login = ServiceHost(settings.configuration().authority.url)?.environment
            try GraphChoice.check(named, environment: login ?? "")
            _ = try GraphAddress.url(path, at: named)
        }
        let application = try settings.application()
        var query = SilentQuery(settings, signIn: SignInCommand(client, scopes: scope))
        query.accountName = account
        let result = try await query.token(by: application)
        await output.warn(isPersisted: result.isPersisted)
        let graph = try await WaitLine.ofCallingThread.during(.network) {
            try await settings.connected {
                try await GraphChoice.url(named: named, environment: result.account.environment) {
                    try await application.graphHost(of: result.authority)
                }
            }
        }
        var request = MSALAPIRequest(url: try GraphAddress.url(path, at: graph))
        request.method = method.rawValue
        request.headers["Accept"] = "application/json"
        if let body {
            request.headers["Content-Type"] = "application/json"
            request.body = Data(body.utf8)
        }
        let response = try await WaitLine.ofCallingThread.during(.network) {
            try await settings.connected { try await application.send(request, with: result) }
        }
        try output.show(GraphResponse(response, of: graph).checked(query.situation))
    }
}
