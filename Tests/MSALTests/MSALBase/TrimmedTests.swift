// Licensed under the MIT License. See LICENSE.

import Foundation
import Testing

@testable import MSAL
@testable import MSALBase

@Suite struct TrimmedTests {
    @Test(arguments: [
        "", " ", "a", "a b", " a", "a\n", "\ta b\r\n", "\u{A0}a\u{2003}", "ä", "\u{85}ä ", "a\u{301}", "\u{7F}a",
        "a\u{0}",
    ])
    func trimsAsFoundationDoes(text: String) {
        #expect(text.trimmed == text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    @Test func keysAreNormalisedWhateverTheyHold() {
        let keys = ["Bearer", " Login.Windows.NET\n", "already-normal", "ÄÖ", "İ"]
        #expect(keys.map(\.normalizedKey) == ["bearer", "login.windows.net", "already-normal", "äö", "i̇"])
        #expect(keys.normalizedKeys == keys.map(\.normalizedKey))
    }
}
