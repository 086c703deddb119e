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
    ///   - check: Refuses a response that is no success.
    ///   - add: Gets the elements of a page, or what the query chooses of them.
    /// - Throws: `Failure`; what the library throws if no response came.
    func follow(
        from first: GraphCall,
        check: (GraphAnswer) throws -> Void,
        add: ([Any]) throws -> Void
    ) async throws {
        var (call, seen, length) = (first, Set<URL>(), 0)
        while true {
            guard seen.insert(call.url).inserted else {
                throw Failure.file("A page of Microsoft Graph links to a page before it: \(call.url.path()).")
            }
            let answer = try await sender.send(call)
            try check(answer)
            guard let page = try answer.document() as? [String: Any], let list = page["value"] as? [Any] else {
                throw Failure.usage(
                    "--paginate is for lists, and \(call.url.path()) is none.",
                    remedy: "A list has the member value. Leave --paginate out."
                )
            }
            switch try query?.choice(from: list) {
            case nil: try add(list)
            case let count as Int where query?.isLength == true: length += count
            case let chosen as [Any]: try add(chosen)
            case .some: break
            }
            guard let link = page["@odata.nextLink"] else { break }
            call.url = try next(link)
        }
        if query?.isLength == true { try add([length]) }
    }

    private func next(_ link: Any) throws(Failure) -> URL {
        guard let text = link as? String, GraphAddress.isAddress(text) else {
            throw .file("A page of Microsoft Graph links to something that is no address.")
        }
        do throws(Failure) {
            return try GraphAddress.url(text, at: sender.graph)
        } catch {
            let host = URL(string: text)?.host() ?? "another place"
            throw .file(
                "A page of \(sender.graph.host() ?? "Microsoft Graph") links to \(host), which gets no token.",
                remedy: "Nothing was sent there. The pages so far are complete."
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
    mutating func add(_ elements: [Any]) throws {
        for element in elements {
            guard output != .raw else {
                try write(GraphValue.line(element))
                hasBegun = true
                continue
            }
            try begin()
            if let held { try write(held + ",") }
            held = indent + GraphValue.text(element).replacing("\n", with: "\n" + indent)
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

/// Writes a value of Microsoft Graph for people and for programs.
enum GraphValue {
    /// Indented JSON.
    static func text(_ value: Any) -> String { JSONText.pretty(value) ?? "null" }

    /// A bare value: a text without quotes, the elements of an array on lines of their own, an object as JSON in a line.
    static func raw(_ value: Any) -> String {
        guard let list = value as? [Any] else { return line(value) }
        return list.map(line).joined(separator: "\n")
    }

    /// A value in one line.
    static func line(_ value: Any) -> String {
        if let text = value as? String { return text }
        if value is NSNull { return "" }
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed]
        // Foundation's own objects are always JSON.
        let data = try? JSONSerialization.data(withJSONObject: value, options: options)
        return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
