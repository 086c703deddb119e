// Licensed under the MIT License. See LICENSE.

/// The table cannot be used as it is. Whoever runs the database has to run a statement first.
public struct MSALPostgresStoreError: Error, Sendable, CustomStringConvertible {
    /// What is wrong with the table.
    public enum Reason: Sendable, Hashable {
        /// There is no such table. If the name has no schema: none in the schemas that the role may use.
        case tableMissing
        /// A table of this name has other columns or another key: another program's, or that of another version.
        case anotherShape
        /// The role may not do all that the store does, or not use the schema that the table's name has.
        case rightsMissing
    }

    /// What is wrong.
    public let reason: Reason

    /// The statement to run, or several with semicolons between them.
    public let statement: String

    init(_ reason: Reason, statement: String) {
        self.reason = reason
        self.statement = statement
    }

    /// What is wrong, and what to run.
    public var description: String {
        switch reason {
        case .tableMissing: "The table for shared tokens is missing. Run:\n\(statement);"
        case .anotherShape:
            "The table for shared tokens has other columns or another key. Name another one, or run:\n\(statement);"
        case .rightsMissing: "The role lacks rights on the table for shared tokens. Run:\n\(statement);"
        }
    }
}
