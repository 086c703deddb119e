// Licensed under the MIT License. See LICENSE.

import Foundation
import Testing

@testable import MSALBase

struct Base64URLTests {
    /// The vectors of RFC 4648 §10, and bytes that need the two characters that differ between the alphabets.
    private static let vectors: [(bytes: [UInt8], text: String)] = [
        ([], ""), (Array("f".utf8), "Zg"), (Array("fo".utf8), "Zm8"), (Array("foo".utf8), "Zm9v"),
        (Array("foob".utf8), "Zm9vYg"), (Array("fooba".utf8), "Zm9vYmE"), (Array("foobar".utf8), "Zm9vYmFy"),
        ([0xFB, 0xEF, 0xBE], "----"), ([0xFF, 0xFF, 0xFF], "____"), ([0xFF], "_w"),
    ]

    @Test(arguments: vectors)
    func `bytes are encoded without padding and decoded again`(bytes: [UInt8], text: String) {
        #expect(Base64URL.encode(bytes) == text)
        #expect(Base64URL.encode(bytes.lazy.map(\.self)) == text)
        #expect(Base64URL.decode(text) == Data(bytes))
    }

    @Test(arguments: ["++--", "//__", "Zg==", "Zm8=", "=Zg", "Z=g", "Zm9v====", "=", "Zh", "Zm9"])
    func `both alphabets are decoded, with padding at any length and with trailing bits`(text: String) {
        let plain = text.filter { $0 != "=" }.replacing("+", with: "-").replacing("/", with: "_")

        #expect(Base64URL.decode(text) != nil)
        #expect(Base64URL.decode(text) == Base64URL.decode(plain))
        #expect(Base64URL.decode("x\(text)y".dropFirst().dropLast()) == Base64URL.decode(text))
    }

    @Test(arguments: [
        "Z", "Zm9vY", "Z===", "Zm 8", "Zm8\n", "\tZm8", "Zm8\u{0}", "Zm8.", "Zé", "Zg=\u{301}", "Ｚｇ", "🙂",
    ])
    func `invalid text is rejected`(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test(arguments: vectors)
    func `strict decoding accepts the canonical form`(bytes: [UInt8], text: String) {
        #expect(Base64URL.decodeStrictly(text[...]) == bytes)
    }

    @Test(arguments: ["Zg==", "Zh", "Zm9", "+-8A", "/-8A", "Z", "Zm8=", "Zm 8", "Zm8\n", "Zé", "Zm9vZh"])
    func `strict decoding rejects every other form`(text: String) {
        #expect(Base64URL.decodeStrictly(text[...]) == nil)
    }

    @Test func `a long text is decoded completely`() {
        let bytes = (0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 3) }

        let text = Base64URL.encode(bytes)

        #expect(
            text
                == Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
                    "=",
                    with: ""
                )
        )
        #expect(Base64URL.decode(text) == Data(bytes))
    }
}

struct TextPartsTests {
    @Test(arguments: [
        ("a.b.c", ["a", "b", "c"]), ("", [""]), (".", ["", ""]), ("a..é", ["a", "", "é"]), ("abc", ["abc"]),
        (".\u{301}.", ["", "\u{301}", ""]),
    ])
    func `a text is split at each separator`(text: String, parts: [String]) {
        #expect(text.parts(at: UInt8(ascii: ".")).map(String.init) == parts)
    }
}
