// Licensed under the MIT License. See LICENSE.

/// The name of a table, with or without its schema, in the notation of a statement.
struct TableName: Sendable {
    /// Each part in quotation marks, in which no character has a special meaning (PostgreSQL's documentation, "Identifiers and
    /// Key Words").
    var quoted: String { schema + Self.quote(last) }

    /// The name of the schema; `nil` if the name has none.
    let schemaName: String?
    /// The schema with its period, or empty.
    let schema: String
    private let last: String

    init(_ name: String) {
        var parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        last = parts.removeLast()
        schemaName = parts.last
        schema = parts.map { Self.quote($0) + "." }.joined()
    }

    /// The name with a suffix, without its schema.
    func quoted(with suffix: String) -> String { Self.quote(last + suffix) }

    static func quote(_ part: String) -> String {
        "\"" + part.replacing("\"", with: "\"\"") + "\""
    }
}
