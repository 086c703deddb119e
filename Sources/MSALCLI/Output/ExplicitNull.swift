// Licensed under the MIT License. See LICENSE.

/// A member of a report that JSON always has: it is `null` if there is no value.
///
/// Without this wrapper Swift leaves the member out. A script could then not tell a missing value from a misspelled
/// name.
@propertyWrapper
struct ExplicitNull<Value: Encodable>: Encodable {
    var wrappedValue: Value?

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue {
            try container.encode(wrappedValue)
        } else {
            try container.encodeNil()
        }
    }
}

extension ExplicitNull: Equatable where Value: Equatable {}
