// Licensed under the MIT License. See LICENSE.

public import Foundation

extension EmulatorDirectory {
    /// A directory file that cannot be used, with all errors.
    public struct InvalidFile: LocalizedError, Sendable, Equatable, CustomStringConvertible {
        /// An error in the file. Its message contains no secret.
        public struct Issue: Sendable, Equatable, CustomStringConvertible {
            /// The file name as it was specified; `nil` if the text is not from a file.
            public var file: String?
            /// The line, starting at 1; `nil` for the whole file.
            public var line: Int?
            /// The column in the line, starting at 1.
            public var column: Int?
            /// A description of the error.
            public var problem: String
            /// How to fix it.
            public var remedy: String

            /// One line: the position, the problem, and the remedy.
            public var description: String {
                let place = [file, line.map(String.init), column.map(String.init)].compactMap(\.self)
                    .joined(separator: ":")
                return (place.isEmpty ? "" : place + ": ") + "\(problem); \(remedy)"
            }
        }

        /// The issues, at least one, in the order of their lines.
        public let issues: [Issue]

        /// A line for each issue.
        public var description: String { issues.map(\.description).joined(separator: "\n") }
        /// The same as ``description``; `localizedDescription` returns it.
        public var errorDescription: String? { description }
    }
}
