// Licensed under the MIT License. See LICENSE.

extension CaseIterable where Self: RawRepresentable<String> {
    /// The names of all cases, for a message.
    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
