// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The byte before a claim's value.
private enum ClaimForm: UInt64 {
    case null, no, yes, integer, number, text, list, object
}

extension ValueWriter {
    /// Claims in the order of their names, so that equal claims are equal bytes.
    mutating func write(claims: [String: MSALClaimValue]) {
        write(count: claims.count)
        for (name, value) in claims.sorted(by: { $0.key < $1.key }) {
            write(text: name)
            write(claim: value)
        }
    }

    private mutating func write(claim: MSALClaimValue) {
        switch claim {
        case .null:
            write(.null)
        case .bool(let value):
            write(value ? .yes : .no)
        case .integer(let value):
            write(.integer)
            write(signed: value)
        case .number(let value):
            write(.number)
            write(number: value.bitPattern)
        case .string(let value):
            write(.text)
            write(text: value)
        case .array(let values):
            write(.list)
            write(count: values.count)
            for value in values { write(claim: value) }
        case .object(let members):
            write(.object)
            write(claims: members)
        }
    }

    private mutating func write(_ form: ClaimForm) { write(number: form.rawValue) }
}

extension ValueReader {
    /// Claims by their names. `depth`: the lists and objects around them.
    mutating func claims(depth: Int = 0) throws(Fault) -> [String: MSALClaimValue] {
        var claims: [String: MSALClaimValue] = [:]
        for _ in 0..<(try count()) {
            let name = try text()
            claims[name] = try claim(depth: depth)
        }
        return claims
    }

    private mutating func claim(depth: Int) throws(Fault) -> MSALClaimValue {
        // Claims were JSON, which has this limit, too.
        guard depth <= JSONReader.maximumDepth, let form = ClaimForm(rawValue: try number()) else { throw Fault() }
        switch form {
        case .null: return .null
        case .no: return .bool(false)
        case .yes: return .bool(true)
        case .integer: return .integer(try signed())
        case .number: return .number(Double(bitPattern: try number()))
        case .text: return .string(try text())
        case .list:
            var values: [MSALClaimValue] = []
            for _ in 0..<(try count()) { values.append(try claim(depth: depth + 1)) }
            return .array(values)
        case .object: return .object(try claims(depth: depth + 1))
        }
    }
}
