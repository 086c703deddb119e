// Licensed under the MIT License. See LICENSE.

import Foundation
import UserFiles

/// The input that the user gives a request: headers, parameters, a body.
struct GraphInput: Equatable {
    /// Lines of `-H`.
    var headers: [String] = []
    /// Texts of `--param`.
    var parameters: [String] = []
    /// The text of `--body`.
    var text: String?
    /// The file of `--input`; `-` is standard input.
    var file: String?
    /// Texts of `-f`, whose values are texts.
    var textFields: [String] = []
    /// Texts of `-F`, whose values may be numbers, `true`, `false` and `null`.
    var typedFields: [String] = []

    /// The largest body, in bytes. Larger files are uploaded in ranges.
    static let maximumBody = 32 << 20

    /// Whether a body is sent.
    var hasBody: Bool { text != nil || file != nil || hasFields }

    private var hasFields: Bool { !textFields.isEmpty || !typedFields.isEmpty }

    /// Checks what can be checked without reading a file.
    ///
    /// - Throws: `Failure` with the status `usage`.
    func check() throws(Failure) {
        let sources = [text != nil, file != nil, hasFields].count { $0 }
        guard sources <= 1 else {
            throw .usage(
                "--body, --input and fields cannot be used together.",
                remedy: "The request has only one body."
            )
        }
        if let text, JSONSource(text.utf8) == nil {
            throw .usage(
                "--body is not valid JSON.",
                remedy: "To send other data, use --input FILE with -H 'Content-Type: …'."
            )
        }
        _ = try headerFields()
        _ = try queryItems()
        _ = try members()
    }

    /// The headers by their names.
    ///
    /// - Throws: `Failure` with the status `usage`, for a line that is not a header, and for a header that the command
    ///   sets itself.
    func headerFields() throws(Failure) -> [String: String] {
        var fields: [String: String] = [:]
        for line in headers {
            guard let colon = line.firstIndex(of: ":"), line[..<colon].utf8.allSatisfy(Self.isInToken),
                line.first != ":"
            else { throw .usage("\(line) is not a header.", remedy: "Write it like -H 'Prefer: return=minimal'.") }
            let name = String(line[..<colon])
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            guard !value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else {
                throw .usage("The header \(name) contains a control character, such as a line break.")
            }
            guard !Self.ownHeaders.contains(name.lowercased()) else {
                throw .usage("The header \(name) is set by the command.", remedy: "Leave it out.")
            }
            fields = fields.filter { $0.key.lowercased() != name.lowercased() }
            fields[name] = value
        }
        return fields
    }

    /// RFC 9110 §5.6.2: the characters of a header's name.
    private static func isInToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    /// The headers that the command sets itself: the token, and those that describe the form of the message.
    private static let ownHeaders: Set = [
        "authorization", "host", "content-length", "transfer-encoding", "connection", "upgrade", "te", "trailer",
    ]

    /// The parameters of the address, in their order.
    ///
    /// - Throws: `Failure` with the status `usage`.
    func queryItems() throws(Failure) -> [URLQueryItem] {
        var items: [URLQueryItem] = []
        for text in parameters {
            let (name, value) = try Self.pair(text, option: "--param")
            items.append(URLQueryItem(name: name, value: value))
        }
        return items
    }

    /// The bytes to send, and their content type; `nil` without a body.
    ///
    /// - Throws: `Failure`: `usage` for fields that are wrong and for a file that cannot be read, `failed` for standard
    ///   input that cannot be read.
    func body() throws(Failure) -> (bytes: Data, type: String)? {
        if let text { return (Data(text.utf8), "application/json") }
        if let file {
            let bytes = try Self.read(file)
            let isJSON = JSONSource(bytes) != nil
            return (bytes, isJSON ? "application/json" : "application/octet-stream")
        }
        guard let members = try members() else { return nil }
        return (Data(JSONSource(members).line.utf8), "application/json")
    }

    private static func read(_ file: String) throws(Failure) -> Data {
        do throws(FileFault) {
            guard file != "-" else { return Data(try UserFile.standardInput(limit: maximumBody)) }
            return Data(try UserFile(file, limit: maximumBody, pipeTimeout: .seconds(60)).bytes())
        } catch {
            let large = error == .tooLarge(limit: maximumBody) ? "Send large files with --upload FILE." : nil
            guard file != "-" else { throw .file("Standard input \(error.reason).", remedy: large) }
            throw .usage("\(file) \(error.reason).", remedy: large ?? "Check the file that --input names.")
        }
    }

    /// The object of the fields; `nil` without fields.
    private func members() throws(Failure) -> [(name: String, value: JSONSource)]? {
        guard hasFields else { return nil }
        var members: [(name: String, value: JSONSource)] = []
        for text in textFields {
            let (name, value) = try Self.pair(text, option: "-f")
            try Self.add(JSONSource(value), name: name, to: &members)
        }
        for text in typedFields {
            let (name, value) = try Self.pair(text, option: "-F")
            try Self.add(Self.typed(value), name: name, to: &members)
        }
        return members
    }

    private static func add(
        _ value: JSONSource,
        name: String,
        to members: inout [(name: String, value: JSONSource)]
    ) throws(Failure) {
        guard !members.contains(where: { $0.name == name }) else {
            throw .usage("The field \(name) is set twice.", remedy: "For lists, use --body.")
        }
        members.append((name, value))
    }

    /// A number, `true`, `false` or `null` as JSON has it, else the text.
    private static func typed(_ text: String) -> JSONSource {
        guard let value = JSONSource(text.utf8), value.string == nil, value.elements == nil, value.members == nil else {
            return JSONSource(text)
        }
        return value
    }

    private static func pair(_ text: String, option: String) throws(Failure) -> (name: String, value: String) {
        guard let sign = text.firstIndex(of: "="), sign != text.startIndex else {
            throw .usage("\(option) takes name=value, not \(text).")
        }
        return (String(text[..<sign]), String(text[text.index(after: sign)...]))
    }
}
