// Licensed under the MIT License. See LICENSE.

import Foundation
import TestSupport
import Testing

@testable import MSALCLI

/// What `--query` selects, and what it rejects.
struct GraphQueryTests {
    static let document = """
        {"@odata.count": 3, "name": "Megan", "a": {"b": [{"c": 1}, {"c": null}, {"c": [2, 3]}]},
         "value": [{"name": "x", "id": 1, "tags": ["p", "q"]}, {"name": "y", "id": 2}, {"name": "x", "id": 3}], "text": "é🙂"}
        """

    private func choice(_ query: String) throws -> String {
        let value = try #require(JSONSource(Self.document.utf8))
        return try GraphQuery(query).choice(from: value).bare
    }

    @Test(arguments: [
        ("name", "Megan"), ("a.b[0].c", "1"), ("a.b[-1].c[1]", "3"), ("a.b[7].c", ""), ("nothing.at.all", ""),
        ("\"@odata.count\"", "3"), ("a.b[*].c", "[1,[2,3]]"), ("a.b[*].c[0]", "[2]"), ("name[0]", ""), ("name[*]", ""),
        ("value[?name=='x'].id", "[1,3]"), ("value[? name == 'x' ].id", "[1,3]"), ("value[?name=='z']", "[]"),
        ("value[?tags[0]=='p'].name", "[\"x\"]"), ("value[*].tags[*]", "[[\"p\",\"q\"]]"), ("length(value)", "3"),
        ("length(value[?name=='x'])", "2"), ("length(text)", "2"), ("length(@)", "5"), ("length( a )", "1"),
        ("value[?name=='\\'']", "[]"), ("@.name", "Megan"),
    ])
    func `a query selects what JMESPath selects`(query: String, chosen: String) throws {
        #expect(try choice(query) == chosen)
    }

    @Test(arguments: [
        ("value | [0]", "the pipe |"), ("sort_by(value, &id)", "the function sort_by"),
        ("value[]", "[], which flattens"),
        ("value[0:1]", "the slice [0:…]"), ("value[:1]", "the slice [:1]"), ("{a: name}", "the object {…}"),
        ("value[?id!='x']", "the comparison !="), ("value[?id<'x']", "the comparison <"), ("name || a", "||"),
        ("name && a", "&&"), ("a.*", "* for all members"), ("value[?name==`x`]", "the literal `…`"),
        ("!name", "!"), ("value[?a[?b=='c']=='d']", "a condition within a condition"), ("a.[b]", "a list […]"),
        ("a..b", ".b"), ("1a", "1a"), ("a)", ")"), ("length(a))", ")"),
    ])
    func `any other expression is rejected by its name`(query: String, name: String) throws {
        let failure = try #require(throws: Failure.self) { try GraphQuery(query) }

        #expect(failure.status == .usage)
        #expect(failure.message == "--query does not support \(name).")
        #expect(failure.remedy == GraphQuery.forms)
    }

    @Test(arguments: ["a[99999999999999999999]", "[-9223372036854775809]"])
    func `an invalid position is named`(query: String) throws {
        let failure = try #require(throws: Failure.self) { try GraphQuery(query) }

        #expect(failure.status == .usage && failure.message.hasSuffix("in --query is too large."))
    }

    @Test(arguments: [
        ("[0].a", "1e400"), ("[0].b", "1234567890123456789012345678901234567890"), ("[0].c", "1.10"),
        ("[*].c", "[1.10]"), ("[0].z", "{\"y\":-0,\"x\":1E+2}"), ("length([0])", "4"),
    ])
    func `a query keeps each number and the order of members`(query: String, chosen: String) throws {
        let number = "1234567890123456789012345678901234567890"
        let text = "[{\"a\": 1e400, \"b\": \(number), \"c\": 1.10, \"z\": {\"y\": -0, \"x\": 1E+2}}]"
        let value = try #require(JSONSource(text.utf8))

        #expect(try GraphQuery(query).choice(from: value).bare == chosen)
    }

    @Test(arguments: ["", "a.", "a[?b==", "a[?b=='c", "length(", "a[", "a['", "\"a"])
    func `an incomplete query is rejected`(query: String) throws {
        let failure = try #require(throws: Failure.self) { try GraphQuery(query) }

        #expect(failure.status == .usage)
    }

    @Test func `only values with a length have one`() throws {
        let failure = try #require(throws: Failure.self) { try choice("length(nothing)") }

        #expect(failure.status == .failed)
    }

    @Test func `a query that is too long is rejected`() throws {
        #expect(throws: Failure.self) { try GraphQuery(String(repeating: "a", count: GraphQuery.maximumLength + 1)) }
    }
}

/// Random queries on a document.
struct GraphQueryFuzzTests {
    @Test func `no query traps, and every selection is JSON`() throws {
        let document = try #require(JSONSource(GraphQueryTests.document.utf8))
        var fuzz = Fuzz(
            corpus: [
                "a.b[0].c", "a.b[*].c[1]", "value[?name=='x'].id", "length(value[*])", "\"@odata.count\"", "@",
                "a[-1].b",
            ].map { Array($0.utf8) },
            words: [
                "[*]", "[?", "==", "'", "\"", "]", "length(", ")", "@", "[-9223372036854775808]", "\\", ".", "|", "`",
            ]
        )
        var accepted = 0

        fuzz.run { bytes in
            guard let query = try? GraphQuery(String(decoding: bytes, as: UTF8.self)) else { return }
            accepted += 1
            guard let chosen = try? query.choice(from: document) else { return }
            #expect(JSONSource(chosen.line.utf8)?.line == chosen.line)
        }

        #expect(accepted > 50)
    }
}
