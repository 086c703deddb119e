// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

@testable import MSALBase

/// Reproducible randomness (SplitMix64), and ways to damage JSON.
struct Dice {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

    var isLucky: Bool {
        mutating get { below(3) > 0 }
    }

    /// The text of `value`, usually with an error in it.
    mutating func mutated(_ value: JSONValue) -> Data {
        switch below(6) {
        case 0:
            return Data(value.text.utf8)
        case 1:
            var bytes = Array(value.text.utf8)
            for _ in 0..<3 where !bytes.isEmpty { bytes[below(bytes.count)] = UInt8(below(256)) }
            return Data(bytes)
        case 2:
            return Data(value.text.utf8.prefix(below(value.text.utf8.count + 1)))
        case 3:
            return Data(String(repeating: "[", count: below(5000)).utf8)
        default:
            guard var members = value.object, let name = members.keys.sorted().randomElement(by: &self) else {
                return Data(anything().text.utf8)
            }
            members[name] = isLucky ? anything() : nil
            return Data(JSONValue.object(members).text.utf8)
        }
    }

    private mutating func anything() -> JSONValue {
        switch below(10) {
        case 0: .null
        case 1: .bool(true)
        case 2: .integer(Int64(bitPattern: next()))
        case 3: .number(1e300)
        case 4: .string("")
        case 5: .string(String(repeating: "é\u{0}", count: below(50)))
        case 6: .array([.null, .object([:])])
        case 7: .object(["name": .integer(1)])
        case 8: .string("redirect")
        default: .string("oob")
        }
    }
}

extension [String] {
    fileprivate func randomElement(by dice: inout Dice) -> String? {
        isEmpty ? nil : self[dice.below(count)]
    }
}
