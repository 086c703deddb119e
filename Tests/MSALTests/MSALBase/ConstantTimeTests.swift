// Licensed under the MIT License. See LICENSE.

import MSAL
import Testing

@testable import MSALBase

/// The comparison of states, nonces, start addresses and secrets. Only its result can be tested, not its duration.
struct ConstantTimeTests {
    @Test(arguments: ["", "U", "Uw", "ünïcode", String(repeating: "a", count: 300)])
    func `a text equals itself`(text: String) {
        #expect(constantTimeEqual(text, to: String(text.unicodeScalars.map(Character.init))))
        #expect(Secret(text) == Secret(text))
    }

    @Test(arguments: [
        ("", "U"), ("U", "Uw"), ("Uw", "Uwx"), ("Uw", "Ux"), ("Uw", "uw"), ("Uw", "wU"), ("Uw", "Vv"),
        ("a\u{301}", "\u{E1}"),  // Equal texts for Swift, but different bytes.
    ])
    func `texts that differ anywhere are not equal, in either order`(one: String, other: String) {
        #expect(!constantTimeEqual(one, to: other))
        #expect(!constantTimeEqual(other, to: one))
        #expect(Secret(one) != Secret(other))
    }
}
