// Licensed under the MIT License. See LICENSE.

import Foundation

/// The pages of a list, one after the other (Microsoft's page "Paging Microsoft Graph data in your app").
struct GraphPages {
    let sender: GraphSender
    var query: GraphQuery?

    /// Requests all pages up to the last one, and passes on the elements of each page.
    ///
    /// - Parameters:
    ///   - first: The request for the first page. Its headers are sent for every page.
    ///   - check: Throws for a response that is not a success.
    ///   - add: Gets the elements of a page, or what the query chooses of them.
    /// - Throws: `Failure`; what the library throws if no response came.
    func follow(
        from first: GraphRequest,
        check: (GraphHTTPResponse) throws -> Void,
        add: ([JSONSource]) throws -> Void
    ) async throws {
        var (call, seen, length) = (first, Set<URL>(), 0)
        while true {
            guard seen.insert(call.url).inserted else {
                throw Failure.file("A page of Microsoft Graph links to an earlier page: \(call.url.path()).")
            }
            let answer = try await sender.send(call)
            try check(answer)
            guard let page = try answer.document(), let value = page["value"], let list = value.elements else {
                throw Failure.usage(
                    "--paginate is for lists, and \(call.url.path()) is not a list.",
                    remedy: "A list has the member value. Run the command without --paginate."
                )
            }
            let chosen = try query?.choice(from: value) ?? value
            if query?.isLength == true {
                length += Int(chosen.line) ?? 0
            } else {
                try add(query == nil ? list : chosen.elements ?? [])
            }
            guard let link = page["@odata.nextLink"] else { break }
            call.url = try next(link)
        }
        if query?.isLength == true { try add([JSONSource(length)]) }
    }

    private func next(_ link: JSONSource) throws(Failure) -> URL {
        guard let text = link.string, GraphAddress.isAddress(text) else {
            throw .file("A page of Microsoft Graph has an invalid link.")
        }
        do throws(Failure) {
            return try GraphAddress.url(text, at: sender.graph)
        } catch {
            let host = URL(string: text)?.host() ?? "another host"
            throw .file(
                "A page of \(sender.graph.host() ?? "Microsoft Graph") links to \(host), and the token is not sent "
                    + "there.",
                remedy: "No request was sent. The pages so far are complete."
            )
        }
    }
}

/// Writes one array whose elements come in parts.
struct GraphArrayWriter {
    private let output: OutputFormat
    /// Writes a line.
    private let write: (_ json: String) throws -> Void
    private var held: String?
    private(set) var hasBegun = false

    init(_ output: OutputFormat, write: @escaping (_ json: String) throws -> Void) {
        self.output = output
        self.write = write
    }

    /// Writes elements. The last one is written later, when it is known whether a comma follows it.
    mutating func add(_ elements: [JSONSource]) throws {
        for element in elements {
            guard output != .raw else {
                try write(element.bare)
                hasBegun = true
                continue
            }
            try begin()
            if let held { try write(held + ",") }
            held = indent + element.indented.replacing("\n", with: "\n" + indent)
        }
    }

    /// Ends the array.
    mutating func end(status: Int) throws {
        guard output != .raw else { return }
        try begin()
        if let held { try write(held) }
        held = nil
        try write(output == .json ? "  ],\n  \"status\" : \(status)\n}" : "]")
    }

    private var indent: String { output == .json ? "    " : "  " }

    private mutating func begin() throws {
        guard !hasBegun else { return }
        hasBegun = true
        try write(output == .json ? "{\n  \"body\" : [" : "[")
    }
}
