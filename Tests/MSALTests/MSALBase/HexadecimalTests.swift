// Licensed under the MIT License. See LICENSE.

import MSALBase
import Testing

struct HexadecimalTests {
    // RFC 4648 §10 has these pairs.
    @Test(arguments: [("", ""), ("f", "66"), ("fo", "666F"), ("foob", "666F6F62"), ("foobar", "666F6F626172")])
    func `the vectors of RFC 4648 are encoded and decoded`(text: String, digits: String) {
        #expect(Hexadecimal.text(text.utf8, uppercase: true) == digits)
        #expect(Hexadecimal.text(text.utf8) == digits.lowercased())
        #expect(Hexadecimal.bytes(digits) == Array(text.utf8))
        #expect(Hexadecimal.bytes(digits.lowercased()) == Array(text.utf8))
    }

    @Test(arguments: ["6", "6g", "6 ", "٦٦", "0x66"])
    func `other text is rejected`(text: String) {
        #expect(Hexadecimal.bytes(text) == nil)
    }
}

struct PercentEncodedTests {
    // RFC 3986 §2.3 lists the characters without an escape, and §2.5 has the three pairs beyond ASCII.
    @Test(arguments: [
        ("", ""), ("ABCXYZabcxyz0189-._~", "ABCXYZabcxyz0189-._~"), ("À", "%C3%80"), ("ア", "%E3%82%A2"), ("A", "A"),
        (":/?#[]@", "%3A%2F%3F%23%5B%5D%40"), ("!$&'()*+,;=", "%21%24%26%27%28%29%2A%2B%2C%3B%3D"),
        ("100% \n\0", "100%25%20%0A%00"),
    ])
    func `all characters except the unreserved ones are escaped`(text: String, encoded: String) {
        #expect(text.percentEncoded() == encoded)
        #expect(String(formEncoded: encoded.utf8) == text)
    }

    // WHATWG URL §5.2.
    @Test func `a form has a plus sign for a space`() {
        #expect("a b+c".percentEncoded(space: "+") == "a+b%2Bc")
    }
}

struct FormEncodedTests {
    // The pairs follow the parser and the serializer of WHATWG URL §5.
    @Test(arguments: [("a+b", "a b"), ("a%2Bb", "a+b"), ("%e2%82%ac", "€"), ("", ""), ("a=b", "a=b")])
    func `a name or a value is decoded`(encoded: String, text: String) {
        #expect(String(formEncoded: encoded.utf8) == text)
    }

    @Test(arguments: ["%", "%4", "%4g", "%zz", "%ff", "%c3"])
    func `invalid escapes and invalid UTF-8 are rejected`(encoded: String) {
        #expect(String(formEncoded: encoded.utf8) == nil)
    }
}
