// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import Testing

@testable import EntraEmulator

/// The texts that are written and read byte by byte: JSON, base64url, forms, digests.
struct TextTests {
    @Test(
        arguments: [
            .null, true, -7, .number(0.5), .number(1e300), "", "a\"b\\c/d", "\u{0}\u{1}\u{8}\n\r\t\u{1F}\u{7F}",
            "Zoë 😀 \u{2028}", [], [1, [], "x"], [:], ["b": 1, "a": ["é\n": .null]],
        ] as [JSONValue]
    )
    func `JSON that was written is read as the same value`(value: JSONValue) throws {
        let text = value.encoded()

        #expect(JSONValue(parsing: text) == value)
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: text, options: .fragmentsAllowed) }
    }

    @Test func `members are written in order, slashes as they are`() throws {
        let value: JSONValue = ["iss": "https://a/b", "aud": [true], "exp": 1]

        #expect(String(data: value.encoded(), encoding: .utf8) == #"{"aud":[true],"exp":1,"iss":"https://a/b"}"#)
    }

    // RFC 4648 §10, without the padding.
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("\u{FFFD}?", "77-9Pw"),
    ])
    func `base64url is that of the RFC, both ways`(text: String, encoded: String) {
        #expect(Data(text.utf8).base64URL == encoded)
        #expect(Data(base64URL: encoded) == Data(text.utf8))
    }

    @Test(arguments: ["Zg==", "Zh", "Zm8=", "77+9Pw", "77/9Pw", "Z", "Zg Zg", "Zé", "Zg\n"])
    func `another spelling of base64url is refused`(text: String) {
        #expect(Data(base64URL: text) == nil)
    }

    @Test func `a form is decoded as its bytes say`() throws {
        let form = try #require(FormValues("a=1+2&&b&=x&c=%C3%A9%2b%00&d=e=f&a=3&g&\u{301}h=i"))

        #expect(form.pairs.map(\.name) == ["a", "b", "", "c", "d", "a", "g", "\u{301}h"])
        #expect(form.pairs.map(\.value) == ["1 2", "", "x", "é+\0", "e=f", "3", "", "i"])
    }

    @Test(arguments: ["a=%", "a=%2", "a=%zz", "a=%+1", "%=1", "a=%FF", "a=%C3", "a=%2\u{301}0"])
    func `a form with a broken escape is none`(text: String) {
        #expect(FormValues(text) == nil)
    }

    @Test func `a digest is the hexadecimal SHA-256`() {
        // The example that every description of SHA-256 has.
        #expect(Secret("abc").digest == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test func `a random id has the version and the variant of one`() {
        let text = UUID.random().uuidString

        #expect(Array(text)[14] == "4")
        #expect(["8", "9", "A", "B"].contains(Array(text)[19]))
        #expect(UUID.random() != UUID.random())
    }

    // RFC 9110 §5.6.7.
    @Test(arguments: [(784_111_777.9, "Sun, 06 Nov 1994 08:49:37 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT")])
    func `the date of a response is that of the RFC`(seconds: Double, text: String) {
        #expect(Date(timeIntervalSince1970: seconds).httpText == text)
    }
}
