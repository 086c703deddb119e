// Licensed under the MIT License. See LICENSE.

/// The name of a table, with or without its schema, as it stands in a statement.
struct TableName: Sendable {
    /// Each part in quotation marks, in which no letter means anything else (PostgreSQL's documentation, "Identifiers and Key
    /// Words").
    var quoted: String { schema + Self.quote(last) }

    /// The name of the schema; `nil` if the name has none.
    let schemaName: String?
    /// The schema with its period, or nothing.
    let schema: String
    private let last: String

    init(_ name: String) {
        var parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        last = parts.removeLast()
        schemaName = parts.last
        schema = parts.map { Self.quote($0) + "." }.joined()
    }

    /// The name with something behind it, without its schema.
    func quoted(with suffix: String) -> String { Self.quote(last + suffix) }

    static func quote(_ part: String) -> String {
        "\"" + part.replacing("\"", with: "\"\"") + "\""
    }
}
