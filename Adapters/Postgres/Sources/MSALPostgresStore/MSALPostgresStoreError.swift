// Licensed under the MIT License. See LICENSE.

/// The table cannot be used until a database administrator has run a statement.
public struct MSALPostgresStoreError: Error, Sendable, CustomStringConvertible {
    /// The problem with the table.
    public enum Reason: Sendable, Hashable {
        /// The table does not exist. If the name has no schema: in none of the schemas that the role may use.
        case tableMissing
        /// A table with this name has other columns or another key: it belongs to another program, or to another version.
        case anotherShape
        /// The role lacks privileges that the store needs on the table, or on the schema in its name.
        case rightsMissing
    }

    /// The problem.
    public let reason: Reason

    /// The statement to run, or several, separated by semicolons.
    public let statement: String

    init(_ reason: Reason, statement: String) {
        self.reason = reason
        self.statement = statement
    }

    /// The problem, and what to run.
    public var description: String {
        switch reason {
        case .tableMissing: "The table for shared tokens is missing. Run:\n\(statement);"
        case .anotherShape:
            "The table for shared tokens has other columns or another key. Choose another name, or run:\n\(statement);"
        case .rightsMissing: "The role lacks privileges on the table for shared tokens. Run:\n\(statement);"
        }
    }
}
