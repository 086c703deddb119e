// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALCore
import TestSupport
import Testing

@testable import MSALCLI

/// Retries, pages, downloads and uploads, with a scripted Microsoft Graph.
struct GraphTransferTests {
    private typealias Response = ScriptedTransport.Response

    private static func redirect(_ location: String, to part: String) -> Response {
        .json("", status: 302, headers: ["Location": location], to: part)
    }

    // MARK: Retries

    @Test func `a request is retried when Microsoft Graph asks for it, after the time that it names`() async throws {
        let graph = try ScriptedGraph(
            .json("{}", status: 429, headers: ["Retry-After": "7"]),
            .json("{}", status: 503, headers: ["retry-after": "Sun, 06 Nov 1994 08:49:40 GMT"]),
            .json(#"{"a": 1}"#)
        )

        let answer = try await graph.sender.send(graph.call("/me"))

        #expect(answer.status == 200)
        #expect(graph.waited == [7, 3])
        #expect(graph.asked == Array(repeating: "GET graph.example [Authorization,client-request-id]", count: 3))
    }

    @Test(arguments: [
        ("soon", 60), ("", 60), ("-1", 0), ("2.128", 2), ("Sunday, 06-Nov-94 08:49:40 GMT", 3),
        ("Sun Nov  6 08:49:40 1994", 3),
    ])
    func `an unusual time is a bounded pause`(header: String, seconds: Int) async throws {
        let graph = try ScriptedGraph(.json("{}", status: 429, headers: ["Retry-After": header]), .json("{}"))

        #expect(try await graph.sender.send(graph.call("/me")).status == 200)
        #expect(graph.waited.map { Int($0) } == [seconds])
    }

    @Test(arguments: [nil, "121"])
    func `a request is not retried without a time, or if the time is too long`(header: String?) async throws {
        let graph = try ScriptedGraph(.json("{}", status: 429, headers: header.map { ["Retry-After": $0] } ?? [:]))

        #expect(try await graph.sender.send(graph.call("/me")).status == 429)
        #expect(graph.waited.isEmpty)
    }

    @Test func `a request is retried five times, and for 120 seconds in total`() async throws {
        let busy = Response.json("{}", status: 429, headers: ["Retry-After": "1"])
        let often = try ScriptedGraph(busy, busy, busy, busy, busy, busy)
        #expect(try await often.sender.send(often.call("/me")).status == 429)
        #expect(often.waited == [1, 1, 1, 1, 1])
        let slow = Response.json("{}", status: 503, headers: ["Retry-After": "70"])
        let long = try ScriptedGraph(slow, slow)
        #expect(try await long.sender.send(long.call("/me")).status == 503)
        #expect(long.waited == [70])
    }

    @Test func `a change is retried only with --retry`() async throws {
        let busy = Response.json("{}", status: 429, headers: ["Retry-After": "1"])
        let careful = try ScriptedGraph(busy)
        let asked = try ScriptedGraph(busy, .json("{}"), repeatsChanges: true)

        #expect(try await careful.sender.send(careful.call("/me", method: "POST")).status == 429)
        #expect(try await asked.sender.send(asked.call("/me", method: "POST")).status == 200)
    }

    private static let wait = "Microsoft Graph is throttling requests. Try again in 200 seconds."
    private static let shortWait = "Microsoft Graph is throttling requests. Try again in 1 second."
    private static let later = "Microsoft Graph is throttling requests. Try again in a minute."
    private static let retry = " With --retry, the command waits and sends the change again."

    /// `offersRetry`: Whether the command has the option `--retry`, and it was not given.
    @Test(
        arguments: [
            ("GET", 429, "200", true, wait), ("GET", 503, "200", true, wait), ("POST", 429, "200", true, wait),
            ("POST", 429, "1", true, shortWait + retry), ("POST", 503, "1", true, shortWait + retry),
            ("POST", 429, "1", false, shortWait), ("POST", 429, "0", true, later), ("POST", 429, "-5", true, later),
            ("GET", 503, nil, true, later), ("GET", 500, "200", true, nil),
        ] as [(String, Int, String?, Bool, String?)]
    )
    func `a pause that the command skips is the remedy`(
        method: String,
        status: Int,
        header: String?,
        offersRetry: Bool,
        remedy: String?
    ) async throws {
        let headers = header.map { ["Retry-After": $0] } ?? [:]
        let graph = try ScriptedGraph(.json("{}", status: status, headers: headers))
        let answer = try await graph.sender.send(graph.call("/me", method: method))

        let failure = try #require(throws: Failure.self) {
            try GraphResponse(answer, of: graph.sender.graph).checked(RemedyContext(offersRetry: offersRetry))
        }

        #expect(failure.remedy == remedy)
        #expect(failure.status == .failed)
        #expect(graph.waited.isEmpty)
    }

    @Test func `an error without an id has the id that was sent, and one with an id has that one`() async throws {
        let graph = try ScriptedGraph(
            .json("{}", status: 502),
            .json("{}", status: 400, headers: ["Request-Id": "of the service"])
        )

        let bare = try await graph.sender.send(graph.call("/me"))
        let named = try await graph.sender.send(graph.call("/me"))

        for (answer, id) in [(bare, "id"), (named, "of the service")] {
            let failure = try #require(throws: Failure.self) {
                try GraphResponse(answer, of: graph.sender.graph).checked()
            }
            #expect(failure.correlationID == id)
        }
    }

    // MARK: Pages

    private func pages(
        _ graph: ScriptedGraph,
        query: String? = nil,
        output: OutputFormat = .text
    ) async throws -> String {
        var lines: [String] = []
        var writer = GraphArrayWriter(output) { lines.append($0) }
        try await GraphPages(sender: graph.sender, query: try query.map { try GraphQuery($0) }).follow(
            from: graph.call("/users"),
            check: checkedSuccess,
            add: { try writer.add($0) }
        )
        try writer.end(status: 200)
        return lines.joined(separator: "\n")
    }

    private func twoPages() throws -> ScriptedGraph {
        try ScriptedGraph(
            .json(
                #"{"value": [{"id": 1}, {"id": 2}], "@odata.nextLink": "https://graph.example/v1.0/users?$skiptoken=2"}"#
            ),
            .json(#"{"value": [{"id": 3}]}"#, to: "skiptoken=2")
        )
    }

    @Test func `pages are merged into one array`() async throws {
        let text = try await pages(twoPages())
        let json = try await pages(twoPages(), output: .json)
        let body = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]

        #expect(text.filter { !$0.isWhitespace } == #"[{"id":1},{"id":2},{"id":3}]"#)
        #expect((body?["body"] as? [Any])?.count == 3 && body?["status"] as? Int == 200)
        #expect(try await pages(twoPages(), output: .raw) == "{\"id\":1}\n{\"id\":2}\n{\"id\":3}")
        #expect(try await pages(ScriptedGraph(.json(#"{"value": []}"#))) == "[\n]")
    }

    @Test(arguments: [("[*].id", "1\n2\n3"), ("length(@)", "3"), ("[?name=='x']", "")])
    func `a query applies to the merged array`(query: String, result: String) async throws {
        #expect(try await pages(twoPages(), query: query, output: .raw) == result)
    }

    @Test(arguments: [
        ("https://elsewhere.example/v1.0/users", "links to elsewhere.example"),
        ("http://graph.example/v1.0/users?a", "links to graph.example"), ("/x?https://graph.example/", "invalid link"),
        ("https://graph.example:444/v1.0/users", "links to graph.example"),
        ("https://u@graph.example/v1.0/users", "links to graph.example"),
        ("https://graph.example/v1.0/users", "an earlier page"), ("/users?a", "invalid link"),
    ])
    func `a page that links to another host or to itself ends the list`(link: String, words: String) async throws {
        let graph = try ScriptedGraph(.json(#"{"value": [], "@odata.nextLink": "\#(link)"}"#))

        let failure = await #expect(throws: Failure.self) { _ = try await pages(graph) }

        #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
        #expect(failure?.status == .failed)
        #expect(graph.transport.messages.count == 1)
    }

    @Test(arguments: ["no JSON", "{}", "[]", #"{"value": {}}"#])
    func `a response that is not a list is rejected`(body: String) async throws {
        let graph = try ScriptedGraph(.json(body))

        await #expect(throws: Failure.self) { _ = try await pages(graph) }
    }

    // MARK: Downloads

    @Test func `a download follows its redirect without the token and without any header`() async throws {
        let folder = try TemporaryDirectory()
        let graph = try ScriptedGraph(
            Self.redirect("https://files.example/a?sig=1", to: "graph.example"),
            Self.redirect("/b", to: "files.example/a"),
            .json("content", to: "files.example/b")
        )
        let file = try GraphFile(folder.path + "/film")

        let answer = try await GraphDownload(sender: graph.sender).save(graph.call("/content"), to: file)
        try file.finish()

        #expect(answer.status == 200 && answer.body.isEmpty && file.size == 7)
        #expect(try String(contentsOfFile: folder.path + "/film", encoding: .utf8) == "content")
        #expect(
            graph.asked == [
                "GET graph.example [Authorization,client-request-id]", "GET files.example []", "GET files.example []",
            ]
        )
        #expect(graph.transport.messages.map(\.namesLibrary) == [true, false, false])
    }

    @Test(arguments: ["http://files.example/a", "ftp://files.example/", "https://u:p@files.example/", "https:///a"])
    func `a download follows redirects to https only`(location: String) async throws {
        let folder = try TemporaryDirectory()
        let graph = try ScriptedGraph(Self.redirect(location, to: ""))
        let file = try GraphFile(folder.path + "/film")
        let download = GraphDownload(sender: graph.sender)

        let failure = await #expect(throws: Failure.self) {
            _ = try await download.save(try graph.call("/content"), to: file)
        }

        #expect(failure?.message.contains("not https") == true)
        #expect(graph.transport.messages.count == 1)
    }

    @Test func `a download follows at most three redirects`() async throws {
        let folder = try TemporaryDirectory()
        let hop = Self.redirect("https://files.example/a", to: "")
        let graph = try ScriptedGraph(hop, hop, hop, hop)
        let file = try GraphFile(folder.path + "/film")
        let download = GraphDownload(sender: graph.sender)

        let failure = await #expect(throws: Failure.self) {
            _ = try await download.save(try graph.call("/content"), to: file)
        }

        #expect(failure?.message.contains("more than 3 times") == true)
        #expect(graph.transport.messages.count == 4)
    }

    @Test func `an error response is not written to a file`() async throws {
        let folder = try TemporaryDirectory()
        let graph = try ScriptedGraph(.json(#"{"error": {"message": "No."}}"#, status: 404))
        let file = try GraphFile(folder.path + "/film")

        let answer = try await GraphDownload(sender: graph.sender).save(graph.call("/content"), to: file)

        #expect(answer.status == 404 && file.size == 0)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("No."))
        file.discard()
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/film"))
    }

    @Test func `an existing file stays unchanged`() throws {
        let folder = try TemporaryDirectory()
        try Data("old".utf8).write(to: folder.url.appending(path: "film"))

        let failure = try #require(throws: Failure.self) { try GraphFile(folder.path + "/film") }

        #expect(failure.status == .usage && failure.message.contains("already exists"))
        #expect(try String(contentsOfFile: folder.path + "/film", encoding: .utf8) == "old")
    }

    @Test(arguments: [
        ("nowhere/film", "Create its directory"), ("film/part", "Create its directory"), ("", "another path"),
    ])
    func `a file that cannot be created has the remedy`(name: String, remedy: String) throws {
        let folder = try TemporaryDirectory()
        try Data("old".utf8).write(to: folder.url.appending(path: "film"))

        let failure = try #require(throws: Failure.self) { try GraphFile(folder.path + "/" + name) }

        #expect(failure.status == .usage && failure.message.contains("cannot be created"))
        #expect(failure.remedy?.contains(remedy) == true)
    }

    // MARK: Uploads

    private static let session = Response.json(
        #"{"uploadUrl": "https://up.example/s?sig=1"}"#,
        to: "createUploadSession"
    )

    private func file(_ length: Int, in folder: TemporaryDirectory) throws -> UploadFile {
        let path = folder.path + "/film"
        try Data(repeating: 7, count: length).write(to: URL(filePath: path))
        return try UploadFile(path)
    }

    private func upload(_ graph: ScriptedGraph, length: Int) async throws -> GraphHTTPResponse {
        let folder = try TemporaryDirectory()
        return try await GraphUpload(sender: graph.sender).send(
            file(length, in: folder),
            by: graph.call(GraphUpload.path("/me/drive/root:/film:"), method: "POST"),
            check: checkedSuccess
        )
    }

    private static func expecting(_ start: Int, status: Int = 202) -> Response {
        .json(#"{"nextExpectedRanges": ["\#(start)-"]}"#, status: status, to: "up.example")
    }

    private func ranges(_ graph: ScriptedGraph) -> [String] {
        graph.transport.messages.dropFirst().map { message in
            let size = message.body.map { " \($0.count)" } ?? ""
            return message.method + (message.headers["Content-Range"].map { " \($0)" } ?? "") + size
        }
    }

    @Test func `a file is sent in ranges, to an address that receives neither the token nor a header`() async throws {
        let (step, size) = (GraphUpload.rangeLength, 2 * GraphUpload.rangeLength + 1)
        let graph = try ScriptedGraph(
            Self.session,
            Self.expecting(step),
            Self.expecting(2 * step, status: 200),
            .json(#"{"id": "item"}"#, status: 201, to: "up.example")
        )

        let answer = try await upload(graph, length: size)

        #expect(answer.status == 201)
        #expect(
            ranges(graph) == [
                "PUT bytes 0-\(step - 1)/\(size) \(step)", "PUT bytes \(step)-\(2 * step - 1)/\(size) \(step)",
                "PUT bytes \(2 * step)-\(2 * step)/\(size) 1",
            ]
        )
        #expect(graph.asked.dropFirst().allSatisfy { $0 == "PUT up.example [Content-Range]" })
        #expect(graph.transport.messages.map(\.namesLibrary) == [true, false, false, false])
        #expect(graph.transport.messages.first?.url.path() == "/v1.0/me/drive/root:/film:/createUploadSession")
    }

    @Test func `after a lost connection and a wait, an upload continues where the server expects it`() async throws {
        let step = GraphUpload.rangeLength
        let graph = try ScriptedGraph(
            Self.session,
            .failure(.connectionLost, hasSentBody: true, to: "up.example"),
            Self.expecting(100),
            .json("{}", status: 503, headers: ["Retry-After": "4"], to: "up.example"),
            Self.expecting(200),
            .json("{}", status: 201, to: "up.example")
        )

        #expect(try await upload(graph, length: 300).status == 201)
        #expect(
            ranges(graph) == [
                "PUT bytes 0-299/300 300", "GET", "PUT bytes 100-299/300 200", "GET", "PUT bytes 200-299/300 100",
            ]
        )
        #expect(graph.waited == [2, 4])
        #expect(step > 300)
    }

    @Test(arguments: [(200, "{}"), (201, ""), (204, ""), (200, "created"), (201, #"{"id": 1e400}"#)])
    func `the last range is confirmed with or without a body`(status: Int, body: String) async throws {
        let graph = try ScriptedGraph(Self.session, .json(body, status: status, to: "up.example"))

        #expect(try await upload(graph, length: 300).status == status)
    }

    private static let begun = Response.json(
        #"{"UploadUrl": "https://up.example/s"}"#,
        headers: ["Date": "Sun, 06 Nov 1994 08:49:37 GMT"],
        to: "createUploadSession"
    )
    private static let lost = Response.failure(.connectionLost, hasSentBody: true, to: "up.example")
    private static let gone = Response.json("{}", status: 404, to: "up.example")

    private static func item(size: Int, changed: String) -> Response {
        .json(
            #"{"size": \#(size), "lastModifiedDateTime": "\#(changed)"}"#,
            to: "graph.example/v1.0/me/drive/root:/film:"
        )
    }

    @Test(arguments: [
        [lost, gone], [.json("", status: 202, to: "up.example"), gone], [gone, gone],
        [.json("{}", status: 503, to: "up.example"), .json("{}", to: "up.example")],
    ])
    func `a file is confirmed by its item when the server does not confirm the last range`(
        responses: [ScriptedTransport.Response]
    ) async throws {
        for changed in ["1994-11-06T08:49:38Z", "1994-11-06T08:49:37.5Z"] {
            let graph = try ScriptedGraph([Self.begun] + responses + [Self.item(size: 300, changed: changed)])

            let answer = try await upload(graph, length: 300)

            #expect(answer.status == 200)
            #expect(graph.asked.last == "GET graph.example [Authorization,client-request-id]")
        }
    }

    @Test(arguments: [
        item(size: 299, changed: "1995-01-01T00:00:00Z"), item(size: 300, changed: "1994-11-06T08:49:36Z"),
        item(size: 300, changed: "yesterday"), .json("{}", status: 404, to: "graph.example"),
        .failure(.connectionLost, to: "graph.example"),
    ])
    func `the state of a file is unknown when neither the session nor the item confirms it`(
        item: ScriptedTransport.Response
    ) async throws {
        let graph = try ScriptedGraph([Self.begun, Self.lost, Self.gone, item])

        let failure = await #expect(throws: Failure.self) { _ = try await upload(graph, length: 300) }

        #expect(failure?.message.hasSuffix("Its state is unknown.") == true, "\(failure?.message ?? "")")
    }

    @Test func `a response without ranges continues after the confirmed bytes`() async throws {
        let (step, size) = (GraphUpload.rangeLength, GraphUpload.rangeLength + 2)
        let graph = try ScriptedGraph(
            Self.begun,
            .json("", status: 202, to: "up.example"),
            .json(#"{"NextExpectedRanges": ["\#(step + 1)-"]}"#, status: 202, to: "up.example"),
            .json("", status: 204, to: "up.example")
        )

        #expect(try await upload(graph, length: size).status == 204)
        #expect(
            ranges(graph) == [
                "PUT bytes 0-\(step - 1)/\(size) \(step)", "PUT bytes \(step)-\(size - 1)/\(size) 2",
                "PUT bytes \(step + 1)-\(size - 1)/\(size) 1",
            ]
        )
    }

    @Test func `a server that requests the same bytes repeatedly ends the upload`() async throws {
        let graph = try ScriptedGraph(
            Self.session,
            Self.expecting(0),
            Self.expecting(0),
            Self.expecting(0),
            Self.expecting(0),
            Self.expecting(0),
            Self.expecting(0)
        )

        await #expect(throws: Failure.self) { _ = try await upload(graph, length: 300) }
        #expect(graph.waited.count == 5)
    }

    @Test(arguments: ["900-", "-1-", "x", ""])
    func `a range outside the file ends the upload`(range: String) async throws {
        let graph = try ScriptedGraph(
            Self.session,
            .json(#"{"nextExpectedRanges": ["\#(range)"]}"#, status: 202, to: "up.example")
        )

        await #expect(throws: Failure.self) { _ = try await upload(graph, length: 300) }
    }

    @Test(arguments: [
        #"{"uploadUrl": "http://up.example/"}"#, #"{"uploadUrl": "https://u@up.example/"}"#, "{}", "no JSON", "",
    ])
    func `an upload session without an https address receives nothing`(body: String) async throws {
        let graph = try ScriptedGraph(.json(body))

        let failure = await #expect(throws: Failure.self) { _ = try await upload(graph, length: 300) }
        #expect(graph.transport.messages.count == 1)
        // There is no --query that could be omitted.
        #expect(failure?.remedy?.contains("--query") == false)
    }

    @Test func `an empty file, a folder and a missing file cannot be uploaded`() throws {
        let folder = try TemporaryDirectory()

        let empty = try #require(throws: Failure.self) { try file(0, in: folder) }
        let other = try #require(throws: Failure.self) { try UploadFile(folder.path) }
        let missing = try #require(throws: Failure.self) { try UploadFile(folder.path + "/none") }

        #expect([empty, other, missing].map(\.status) == [.usage, .usage, .usage])
        #expect(missing.message == "\(folder.path)/none does not exist.")
        #expect(missing.remedy == "Check the file that --upload names.")
    }

    // MARK: Progress

    @Test(
        arguments: [
            (0, 100, 80, "░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░    0 %       0 B of 100 B"),
            (50_000_000, 100_000_000, 60, "████████████████░░░░░░░░░░░░░░░░   50 %   50.0 MB of 100.0 MB"),
            (5, nil, 80, "5 B"), (100, 100, 20, "100 %     100 B of"),
        ] as [(Int, Int?, Int, String)]
    )
    func `a bar shows the progress in the available width`(done: Int, total: Int?, width: Int, line: String) {
        let shown = ProgressBar.line(done, of: total, width: width)

        #expect(shown.count < width)
        #expect(width == 60 || shown == line || shown.hasPrefix(line), "\(shown)")
    }
}
