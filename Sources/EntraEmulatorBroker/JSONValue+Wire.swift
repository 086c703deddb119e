// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import MSALBase

/// Accessors of a JSON value for requests and responses of a broker.
extension JSONValue {
    /// Parses a text; `nil` if it is not JSON.
    init?(parsing text: some StringProtocol) { self.init(parsing: Data(text.utf8)) }

    /// The string, unless it is empty. Brokers treat an empty string as missing.
    var nonEmptyString: String? { string.flatMap { $0.isEmpty ? nil : $0 } }

    var isObject: Bool { if case .object = self { true } else { false } }

    /// The object with additional members. A value that is not an object is returned unchanged.
    func adding(_ members: [String: JSONValue]) -> JSONValue {
        guard case .object(let own) = self else { return self }
        return .object(own.merging(members) { _, new in new })
    }
}
