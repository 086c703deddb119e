// Licensed under the MIT License. See LICENSE.

public import Foundation

extension EmulatorDirectory {
    /// A directory file that cannot be used, with everything that is wrong with it.
    public struct InvalidFile: LocalizedError, Sendable, Equatable, CustomStringConvertible {
        /// A fault of the file. Its text repeats no secret.
        public struct Issue: Sendable, Equatable, CustomStringConvertible {
            /// The file as it was named; `nil` for text that is in no file.
            public var file: String?
            /// The line, from 1; `nil` where the whole file is meant.
            public var line: Int?
            /// The column in that line, from 1.
            public var column: Int?
            /// The fault, in words.
            public var problem: String
            /// The advice to the author of the file.
            public var remedy: String

            /// One line: the place, the problem and the remedy.
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
        /// The lines of `description`, which `localizedDescription` returns.
        public var errorDescription: String? { description }
    }
}
