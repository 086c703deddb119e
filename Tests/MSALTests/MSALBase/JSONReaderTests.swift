// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Testing

@testable import MSALBase

struct JSONReaderTests {
    private func value(_ text: String, depth: Int = JSONReader.maximumDepth) throws -> JSONValue {
        try JSONReader.value(of: text.utf8, maximumDepth: depth)
    }

    @Test func `every kind of value is read`() throws {
        let text = #" { "a" : [ null , true , false , -12 , 0 , 1.5e2 , "x" ] , "b" : { } , "c" : [ ] } "#

        let value = try value(text)

        #expect(
            value
                == .object([
                    "a": .array([
                        .null, .bool(true), .bool(false), .integer(-12), .integer(0), .number(150), .string("x"),
                    ]),
                    "b": .object([:]), "c": .array([]),
                ])
        )
    }

    @Test(arguments: [
        (#"{"a":1,"b":2}"#, ["a": 1, "b": 2]), (#"{"b":2,"a":1}"#, ["a": 1, "b": 2]), (#"{"a":1,"a":2}"#, ["a": 2]),
        (#"{"b":1,"a":2,"b":3}"#, ["a": 2, "b": 3]), ("{}", [:]),
    ])
    func `a list of members is in order, and has the last of each name`(text: String, expected: [String: Int64]) throws
    {
        let members = try #require(try JSONReader.members(of: Data(text.utf8)))

        #expect(members.map(\.name) == expected.keys.sorted())
        #expect(members.map(\.value) == expected.sorted { $0.key < $1.key }.map { .integer($0.value) })
        #expect(String(decoding: JSONWriter.bytes(ofMembers: members), as: UTF8.self) == (try value(text).text))
    }

    @Test func `a value that is not an object has no members, and a fault is thrown`() throws {
        #expect(try JSONReader.members(of: Data("[1]".utf8)) == nil)
        #expect(throws: JSONReader.Fault.self) { try JSONReader.members(of: Data(#"{"a":1} x"#.utf8)) }
    }

    @Test(arguments: [
        (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
        (#""\u00e9\u20AC""#, "é€"),
        (#""\uD83D\uDE00""#, "😀"),
        (#""a\uD83Db""#, "a\u{FFFD}b"),
        (#""\uDE00""#, "\u{FFFD}"),
        (#""\uD83D\u0041""#, "\u{FFFD}A"),
        (#""é😀""#, "é😀"),
    ])
    func `escapes are resolved, and lone surrogates replaced`(text: String, expected: String) throws {
        #expect(try value(text) == .string(expected))
    }

    @Test func `the last of equal names counts, and a byte order mark is skipped`() throws {
        #expect(try value("\u{FEFF}{\"a\": 1, \"a\": 2}") == .object(["a": .integer(2)]))
    }

    @Test(arguments: [
        ("", "the text ends early", 1, 1),
        ("{\n  \"a\": tru\n}", "an unexpected word", 2, 8),
        ("{}x", "more text after the end of the value", 1, 3),
        ("{\"a\" 1}", "a colon is missing", 1, 6),
        ("{\"a\": 1,}", "a member needs a name in quotation marks", 1, 9),
        ("[1 2]", "a comma or the end of an array is missing", 1, 4),
        ("\"a", "an unterminated string", 1, 3),
        ("\"a\nb\"", "a control character in a string", 1, 3),
        (#""\x""#, "an unknown escape in a string", 1, 4),
        (#""\u12G4""#, "an escape that is not hexadecimal", 1, 4),
        ("01", "more text after the end of the value", 1, 2),
        ("-", "a number without digits", 1, 2),
        ("1.", "a number without digits", 1, 3),
        ("1e999", "a number out of range", 1, 6),
        ("[[[]]]", "more than 2 nested arrays and objects", 1, 3),
    ])
    func `a fault has a reason and a position`(text: String, reason: String, line: Int, column: Int) throws {
        let fault = try #require(throws: JSONReader.Fault.self) { try value(text, depth: 2) }

        #expect(fault.reason == reason)
        #expect((fault.line, fault.column) == (line, column))
    }

    @Test(arguments: [
        ("9223372036854775807", JSONValue.integer(.max)), ("-9223372036854775808", .integer(.min)), ("-0", .integer(0)),
        ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("-9223372036854775809", .number(-0x1p63)),
        ("100000000000000000000", .number(1e20)),
    ])
    func `integers of 64 bits are exact, longer ones become numbers`(text: String, expected: JSONValue) throws {
        #expect(try value(text) == expected)
    }

    /// The object and the array of RFC 8259 §13.
    @Test func `the examples of the standard are read`() throws {
        let image = """
            { "Image": { "Width": 800, "Height": 600, "Title": "View from 15th Floor",
                "Thumbnail": { "Url": "http://www.example.com/image/481989943", "Height": 125, "Width": 100 },
                "Animated" : false, "IDs": [116, 943, 234, 38793] } }
            """
        let cities = """
            [ { "precision": "zip", "Latitude": 37.7668, "Longitude": -122.3959, "Address": "",
                "City": "SAN FRANCISCO", "State": "CA", "Zip": "94107", "Country": "US" },
              { "precision": "zip", "Latitude": 37.371991, "Longitude": -122.026020 } ]
            """

        let members = try #require(try value(image).object?["Image"]?.object)
        let places = try #require(try value(cities).array)

        #expect(members["Width"] == .integer(800) && members["Animated"] == .bool(false))
        #expect(members["Thumbnail"]?.object?["Url"]?.string == "http://www.example.com/image/481989943")
        #expect(members["IDs"] == .array([.integer(116), .integer(943), .integer(234), .integer(38793)]))
        #expect(places.count == 2 && places[0].object?.count == 8)
        #expect(places[1].object?["Longitude"] == .number(-122.02602))
    }

    @Test(arguments: 0..<20)
    func `characters that end a text or need an escape are found at any position`(length: Int) throws {
        let start = String(repeating: "a", count: length)
        for rest in ["", "b", "bcdefghijklmnopq", "é", "\u{7F}"] {
            #expect(try value("\"\(start)\(rest)\"") == .string(start + rest))
            #expect(try value("[\"\(start)\(rest)\",1]") == .array([.string(start + rest), .integer(1)]))
            #expect(try value("\"\(start)\\n\(rest)\"") == .string("\(start)\n\(rest)"))
            for control in ["\u{0}", "\u{1F}", "\n"] {
                let fault = #expect(throws: JSONReader.Fault.self) { try value("\"\(start)\(control)\(rest)\"") }
                #expect(fault?.reason == "a control character in a string")
                #expect(fault?.offset == length + 1)
            }
        }
    }

    @Test func `a character is escaped at any position`() {
        #expect(JSONValue.string("").text == #""""#)
        #expect(JSONValue.string("\"a\\b\n\u{1}é\t").text == #""\"a\\b\n\u0001é\t""#)
    }

    @Test func `nested objects keep their own members, the last of equal names`() throws {
        #expect(
            try value(#"{"a":{"a":1,"b":{"c":2},"a":3},"b":[{"a":4},{}],"a":{"d":5}}"#)
                == .object([
                    "a": .object(["d": .integer(5)]), "b": .array([.object(["a": .integer(4)]), .object([:])]),
                ])
        )
    }

    @Test func `bytes that are not UTF-8 are a fault`() {
        #expect(throws: JSONReader.Fault.self) { try JSONReader.value(of: [0x22, 0xC3, 0x22]) }
    }

    @Test func `written values are read again, and numbers keep their value`() throws {
        let original = JSONValue.object([
            "text": .string("\u{0}\u{1F}\"\\/é😀\u{2028}"),
            "numbers": .array([.integer(.max), .integer(.min), .number(0.1), .number(1e300), .number(-2)]),
            "": .object(["b": .null, "a": .bool(false)]),
        ])

        for indentation in [nil, 4] {
            let bytes = JSONWriter.bytes(of: original, indentation: indentation)
            let again = try JSONReader.value(of: bytes)
            #expect(JSONWriter.bytes(of: again, indentation: indentation) == bytes)
            #expect(again.object?["text"] == original.object?["text"])
        }
        #expect(JSONValue.number(2).text == "2")
        #expect(JSONValue.number(.infinity).text == "null")
    }

    @Test func `the indented form is that of MSAL Python`() {
        let value = JSONValue.object(["b": .object([:]), "a": .array([.integer(1)])])

        #expect(
            String(decoding: JSONWriter.bytes(of: value, indentation: 4), as: UTF8.self) == """
                {
                    "a": [
                        1
                    ],
                    "b": {}
                }
                """
        )
    }
}
