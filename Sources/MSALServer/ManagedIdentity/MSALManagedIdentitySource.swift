// Licensed under the MIT License. See LICENSE.

/// The Azure host that issues a program's managed identity tokens, and why it was chosen.
public struct MSALManagedIdentitySource: Sendable, Hashable, CustomStringConvertible {
    /// The kind of host. Later versions may add kinds.
    public struct Kind: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind. Later versions do not change it.
        public let rawValue: String

        /// A kind by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name.
        public var description: String { rawValue }
    }

    /// The kind of host.
    public let kind: Kind

    /// The variables or the file that led to the choice.
    public let reason: String

    /// The kind and the reason.
    public var description: String { "\(kind): \(reason)" }
}

extension ServerEnvironment {
    /// The sentence that all these variables are set; `nil` if one is not.
    func reason(_ variables: [String]) -> String? {
        guard let last = variables.last, variables.allSatisfy({ variable($0) != nil }) else { return nil }
        let others = variables.dropLast().joined(separator: ", ")
        return others.isEmpty ? "\(last) is set" : "\(others) and \(last) are set"
    }
}
