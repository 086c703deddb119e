// Licensed under the MIT License. See LICENSE.

import Foundation
import Testing

@testable import MSALBase

struct JSONPartTests {
    private func part(_ text: String, depth: Int = JSONReader.maximumDepth) throws -> JSONPart {
        // A slice, whose first index is not zero.
        try JSONPart(checking: Data("x\(text)".utf8).dropFirst(), maximumDepth: depth)
    }

    @Test func `members come in the order of their names, the last one of each name`() throws {
        let part = try part(#" {"b":[1,{"c":2}],"a":null,"b":{"d":"é\n"},"\u0061\u0061":-1.5,"é":"x"} "#)

        let members = try #require(part.members)

        #expect(members.map(\.name) == ["a", "aa", "b", "é"])
        #expect(members.map(\.part.value) == [.null, .number(-1.5), .object(["d": .string("é\n")]), .string("x")])
        #expect(members.map(\.part.isNull) == [true, false, false, false])
        #expect(members[2].part.members?.map(\.name) == ["d"])
        #expect(members[0].part.members == nil)
        #expect(part.value.object?.count == 4)
    }

    @Test(arguments: [
        "", "{", "[1 2]", "{\"a\" 1}", "{\"a\": tru}", "[[[]]]", "{}x", "\"a\nb\"", #"["\x"]"#, "[1e999]", "[01]",
        "\u{FEFF}{}",
        "\"a", "nul", #"{"a":{"b":["\ud800"]}}"#,
    ])
    func `a text is accepted or rejected as by the value reader, at the same position`(text: String) {
        let value = Result { () throws(JSONReader.Fault) in try JSONReader.value(of: text.utf8, maximumDepth: 2) }
        let checked = Result { () throws(JSONReader.Fault) in
            try JSONPart(checking: Data(text.utf8), maximumDepth: 2).value
        }

        #expect(checked == value)
    }

    @Test func `values with shared texts are equal to the others`() throws {
        let part = try part(
            #"{"a_long_member_name":["a long text, again","a long text, \u0061gain","é é é é é é é é"]}"#
        )
        var texts: StringInterner? = StringInterner()

        let values = [part.value(sharing: &texts), part.value(sharing: &texts)]

        #expect(values == [part.value, part.value])
        #expect(texts != nil)
    }

    @Test func `bytes that are not UTF-8 are a fault`() {
        #expect(throws: JSONReader.Fault.self) { try JSONPart(checking: Data([0x22, 0xC3, 0x22])) }
        #expect(throws: JSONReader.Fault.self) { try JSONPart(checking: Data([0x22, 0x5C, 0x6E, 0xC3, 0x22])) }
    }
}
