// Licensed under the MIT License. See LICENSE.

/// A member of a report that is always there in JSON: as `null` where there is no value.
///
/// Without it Swift leaves out the member, and a script could not tell a missing value from a misspelled name.
@propertyWrapper
struct OrNull<Value: Encodable>: Encodable {
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

extension OrNull: Equatable where Value: Equatable {}
