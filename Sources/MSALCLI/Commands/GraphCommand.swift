// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
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
            Text output is the response's JSON, indented; raw output is the unchanged response; JSON output is \
            {"body": …, "status": …}.
            The command fails if the status is not 200 to 299. Responses longer than 4 MiB require --save.

            The token is sent to the Microsoft Graph of its own cloud, as named in the authority's metadata. \
            --graph-url, MSAL_GRAPH_URL and a profile's graph_url set another address; an address in another cloud is \
            rejected. The token is never sent to other hosts: upload addresses and download redirects carry their own \
            permission.

            Throttled requests (429 and 503 with Retry-After) are retried after the requested time, at most five times \
            and for at most 120 seconds in total. Requests that change something are retried only with --retry.

            EXAMPLES
              msal graph
              msal graph /me/messages --param '$top=5' --scope Mail.Read
              msal graph /users --paginate --query "[?jobTitle=='Engineer'].mail" -o raw
              msal graph '/users/$count' -H 'ConsistencyLevel: eventual' -o raw
              msal graph /me --beta -i
              msal graph /me/events --scope Calendars.ReadWrite \\
                --body '{"subject": "Lunch"}'
              msal graph /me/messages -f subject=Lunch -F isRead=false
              msal graph /me -X PATCH -f mobilePhone=+15550100
              msal graph /me/drive/root:/film.mp4:/content --save film.mp4
              msal graph /me/drive/root:/film.mp4: --upload film.mp4
              msal graph /users --client ID --tenant T --certificate app.pem

            QUERIES
            --query selects part of the response, with a subset of JMESPath: a.b, "@odata.count", [0], [-1], [*], \
            [?name=='x'] and length(…). Anything else is rejected. With --paginate, it applies to the combined array.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "A Microsoft Graph path, or a full URL such as @odata.nextLink.",
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

    @Option(
        name: [.long, .customShort("X")],
        help: ArgumentHelp("The HTTP method; GET by default, or POST with a body.", valueName: "method")
    )
    var method: Method?

    @Option(
        name: .customLong("graph-url"),
        help: ArgumentHelp("The address of Microsoft Graph. (MSAL_GRAPH_URL)", valueName: "url")
    )
    var graphURL: String?

    @Flag(help: "Use /beta instead of /v1.0.")
    var beta = false

    @Option(
        name: [.customLong("header"), .customShort("H")],
        help: ArgumentHelp("A header, 'Name: value'; may be repeated.", valueName: "header")
    )
    var headers: [String] = []

    @Option(
        help: ArgumentHelp("The header ConsistencyLevel, for $count and $search in a directory.", valueName: "level")
    )
    var consistencyLevel: String?

    @Option(
        name: .customLong("param"),
        help: ArgumentHelp("A query parameter; may be repeated.", valueName: "name=value")
    )
    var parameters: [String] = []

    @Option(help: ArgumentHelp("JSON to send.", valueName: "json"))
    var body: String?

    @Option(
        help: ArgumentHelp("A file to send as the body; - for standard input.", valueName: "file"),
        completion: .file()
    )
    var input: String?

    @Option(
        name: [.customLong("field"), .customShort("f")],
        help: ArgumentHelp("A string member of the JSON to send; may be repeated.", valueName: "name=text")
    )
    var textFields: [String] = []

    @Option(
        name: [.customLong("typed-field"), .customShort("F")],
        help: ArgumentHelp(
            "Like --field, but numbers, true, false and null are not sent as strings.",
            valueName: "name=value"
        )
    )
    var typedFields: [String] = []

    @Option(help: ArgumentHelp("The part of the response to select.", valueName: "query"))
    var query: String?

    @Flag(help: "Fetch all pages of a list, and write one array.")
    var paginate = false

    @Flag(name: [.long, .customShort("i")], help: "Also show the status and headers.")
    var include = false

    @Flag(help: "Write nothing on success.")
    var silent = false

    @Option(
        help: ArgumentHelp("Save the response, of any size, to a new file; - for standard output.", valueName: "file"),
        completion: .file()
    )
    var save: String?

    @Option(
        help: ArgumentHelp("Upload a file of any size to the item, in chunks.", valueName: "file"),
        completion: .file()
    )
    var upload: String?

    @Flag(help: "Also retry throttled requests that change something.")
    var retry = false

    @OptionGroup var service: ServiceOptions

    /// The methods that Microsoft Graph knows.
    enum Method: String, CaseIterable, ExpressibleByArgument {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"

        init?(argument: String) { self.init(rawValue: argument.uppercased()) }
    }

    func validate() throws {
        let kinds = [("--paginate", paginate), ("--save", save != nil), ("--upload", upload != nil)]
        let chosen = kinds.filter(\.1).map(\.0)
        guard chosen.count <= 1 else {
            throw ValidationError("\(chosen.joined(separator: " and ")) cannot be used together.")
        }
        guard !sent.hasBody || method != .get else {
            throw ValidationError("A body needs --method POST, PUT, PATCH or DELETE.")
        }
        guard !paginate || (method ?? .get) == .get && !sent.hasBody else {
            throw ValidationError("--paginate works only with GET.")
        }
        guard !paginate || !include else { throw ValidationError("--include and --paginate cannot be used together.") }
        guard save == nil || query == nil else { throw ValidationError("--save and --query cannot be used together.") }
        guard upload == nil || method == nil || method == .post, upload == nil || input == nil else {
            throw ValidationError("--upload cannot be used with --method or --input.")
        }
        guard !service.choice.isChosen || account == nil else {
            throw ValidationError("--account is for users and cannot be used with an application or managed identity.")
        }
    }

    func run() async throws {
        let sent = sent
        try sent.check()
        let query = try query.map { try GraphQuery($0) }
        if paginate, let query, !query.isByElement {
            throw Failure.usage(
                "With --paginate, --query applies to the combined array.",
                remedy: "Start it with [*] or [?…], as in [*].id, or use length(@)."
            )
        }
        let file = try save.map { try GraphFile($0) }
        do {
            try await run(sent, query: query, file: file)
        } catch {
            file?.discard()
            throw error
        }
    }

    private var sent: GraphInput {
        GraphInput(
            headers: headers + (consistencyLevel.map { ["ConsistencyLevel: \($0)"] } ?? []),
            parameters: parameters,
            text: body,
            file: input,
            textFields: textFields,
            typedFields: typedFields
        )
    }

    private func run(_ sent: GraphInput, query: GraphQuery?, file: GraphFile?) async throws {
        let upload = try upload.map { try UploadFile($0) }
        let path = upload == nil ? path : GraphUpload.path(path)
        let address = GraphPath(path, isBeta: beta, parameters: try sent.queryItems())
        let access = try await access(for: address)
        var call = GraphRequest(url: try address.url(at: access.sender.graph), headers: try sent.headerFields())
        call.headers["Accept"] = call.headers["Accept"] ?? "application/json"
        if let (bytes, type) = try sent.body() {
            call.body = bytes
            if !call.headers.contains(where: { $0.key.lowercased() == "content-type" }) {
                call.headers["Content-Type"] = type
            }
        }
        call.method = (method ?? (sent.hasBody || upload != nil ? .post : .get)).rawValue
        if paginate { return try await list(call, query: query, access: access) }
        if let file { return try await download(call, to: file, access: access) }
        let answer = try await access.connected {
            guard let upload else {
                return try await WaitLine.ofCallingThread.during(.network) { try await access.sender.send(call) }
            }
            let bar = ProgressBar()
            defer { bar.end() }
            let sending = GraphUpload(sender: access.sender) { bar.show($0, of: $1) }
            return try await sending.send(upload, by: call) { _ = try access.response($0) }
        }
        var response = try access.response(answer)
        // The raw format is the response as it came, even if the headers say JSON and the body is not JSON.
        if query != nil || output != .raw { response = try response.chosen(by: query) }
        response.showsHead = include
        guard !silent else { return }
        guard output == .raw, let bytes = response.rawBytes else { return try output.show(response) }
        try Terminal.output.result { (output) throws(OutputError) in try output.deliver(raw: bytes) }
    }

    private func download(_ call: GraphRequest, to file: GraphFile, access: GraphAccess) async throws {
        let answer = try await access.connected {
            let bar = ProgressBar()
            defer { bar.end() }
            return try await GraphDownload(sender: access.sender) { bar.show($0, of: $1) }.save(call, to: file)
        }
        var response = try access.response(answer)
        try file.finish()
        guard let save, save != "-", !silent else { return }
        if include {
            response.showsHead = true
            Terminal.errors.write(response.text(Style(Terminal.errors)))
        }
        try output.show(SavedFile(file: save, bytes: file.size, status: answer.status))
    }

    private func list(_ call: GraphRequest, query: GraphQuery?, access: GraphAccess) async throws {
        var writer = GraphArrayWriter(output) { line in
            try Terminal.output.result { (output) throws(OutputError) in
                switch self.output {
                case .text: try output.deliver(TerminalText(json: line))
                case .json: try output.deliver(json: line)
                case .raw: try output.deliver(value: line)
                }
            }
        }
        let isSilent = silent
        do {
            try await access.connected {
                try await GraphPages(sender: access.sender, query: query).follow(
                    from: call,
                    check: { _ = try access.response($0) },
                    add: { if !isSilent { try writer.add($0) } }
                )
            }
            if !isSilent { try writer.end(status: 200) }
        } catch {
            // Half an array is on standard output. With a JSON error after it, the output would not be JSON, so the
            // reason goes to standard error.
            guard writer.hasBegun, output == .json, case .failure(let failure) = ErrorReport(error) else { throw error }
            Terminal.errors.write(failure.text(Style(Terminal.errors)))
            throw ExitCode(failure.status.rawValue)
        }
    }
}
