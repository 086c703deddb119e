// Licensed under the MIT License. See LICENSE.

import Testing

@testable import MSALBase

struct StringInternerTests {
    private static let tenant = "11111111-1111-4111-8111-111111111111"

    /// The address of the characters of a text.
    private func address(_ text: String) -> Int {
        var text = text
        return text.withUTF8 { Int(bitPattern: $0.baseAddress) }
    }

    @Test func `a text that occurs again shares the stored copy`() {
        var texts = StringInterner()
        var (first, second) = (String(Array(Self.tenant)), String(Array(Self.tenant)))
        #expect(address(first) != address(second))

        texts.share(&first)
        texts.share(&second)

        #expect(first == Self.tenant && second == Self.tenant)
        #expect(address(first) == address(second))
    }

    @Test func `any number of texts stay unchanged`() {
        var texts = StringInterner()
        for number in 0..<2000 {
            let text = "a text with the number \(number)"
            var copy = text
            texts.share(&copy)
            #expect(copy == text)
        }
    }

    @Test func `texts that look equal but have different bytes stay separate`() {
        var texts = StringInterner()
        // A precomposed letter with accent, and the letter with a combining accent.
        for text in ["a long text with \u{E9} in it", "a long text with e\u{301} in it"] {
            var copy = text
            texts.share(&copy)
            #expect(Array(copy.utf8) == Array(text.utf8))
        }
    }

    @Test(arguments: ["", "short", String(repeating: "t", count: 2000)])
    func `short texts and tokens are not shared`(text: String) {
        var texts = StringInterner()
        var optional: String? = text
        texts.share(&optional)
        #expect(optional == text)
    }
}
