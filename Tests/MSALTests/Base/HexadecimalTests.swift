// Licensed under the MIT License. See LICENSE.

import MSALBase
import Testing

struct HexadecimalTests {
    // RFC 4648 §10 has these pairs.
    @Test(arguments: [("", ""), ("f", "66"), ("fo", "666F"), ("foob", "666F6F62"), ("foobar", "666F6F626172")])
    func `the vectors of RFC 4648 hold in both directions`(text: String, digits: String) {
        #expect(Hexadecimal.text(text.utf8, uppercase: true) == digits)
        #expect(Hexadecimal.text(text.utf8) == digits.lowercased())
        #expect(Hexadecimal.bytes(digits) == Array(text.utf8))
        #expect(Hexadecimal.bytes(digits.lowercased()) == Array(text.utf8))
    }

    @Test(arguments: ["6", "6g", "6 ", "٦٦", "0x66"])
    func `another text is refused`(text: String) {
        #expect(Hexadecimal.bytes(text) == nil)
    }
}

struct FormEncodedTests {
    // The pairs follow the parser and the serialiser of WHATWG URL §5.
    @Test(arguments: [("a+b", "a b"), ("a%2Bb", "a+b"), ("%e2%82%ac", "€"), ("", ""), ("a=b", "a=b")])
    func `a name or a value is decoded`(encoded: String, text: String) {
        #expect(String(formEncoded: encoded.utf8) == text)
    }

    @Test(arguments: ["%", "%4", "%4g", "%zz", "%ff", "%c3"])
    func `broken escapes and broken UTF-8 are refused`(encoded: String) {
        #expect(String(formEncoded: encoded.utf8) == nil)
    }
}
