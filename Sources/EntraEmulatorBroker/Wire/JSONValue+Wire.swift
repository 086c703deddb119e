// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import MSALBase

/// What requests and responses of a broker need of a JSON value.
extension JSONValue {
    /// The value that a text holds; `nil` for a text that is not JSON.
    init?(parsing text: some StringProtocol) {
        self.init(parsing: Data(text.utf8))
    }

    /// The text, if this is one that is not empty. Brokers treat an empty text as one that was left out.
    var nonEmptyString: String? {
        string.flatMap { $0.isEmpty ? nil : $0 }
    }

    var isObject: Bool {
        if case .object = self { true } else { false }
    }

    /// The object with further members. A value that is no object stays as it is.
    func adding(_ members: [String: JSONValue]) -> JSONValue {
        guard case .object(let own) = self else { return self }
        return .object(own.merging(members) { _, new in new })
    }
}
