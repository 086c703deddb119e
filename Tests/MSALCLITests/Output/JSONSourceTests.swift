// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import MSAL
import MSALBase
import TestSupport
import Testing

@testable import MSALCLI

/// JSON of a service, which is shown unchanged.
struct JSONSourceTests {
    private static let number = "1234567890123456789012345678901234567890"

    private func response(_ body: String, status: Int = 200) throws -> GraphResponse {
        let answer = GraphHTTPResponse(
            MSALAPIResponse(status: status, headers: ["Content-Type": "application/json"], body: Data(body.utf8))
        )
        return GraphResponse(answer, of: try #require(URL(string: "https://graph.example/")))
    }

    @Test(arguments: ["1e400", "-1E+999", number, "1.10", "0.1000000000000000055511151231257827", "-0"])
    func `a number of any size is shown unchanged`(number: String) throws {
        let response = try response("{\"b\": \(number), \"a\": [\(number)]}").chosen(by: nil)

        let text = "{\n  \"b\" : \(number),\n  \"a\" : [\n    \(number)\n  ]\n}"
        #expect(response.text(.plain).description == text)
        #expect(response.json.contains("\"b\" : \(number),"))
        #expect(JSONSource(response.json.utf8)?["body"]?["a"]?.line == "[\(number)]")
    }

    @Test func `the raw format contains the bytes of the body`() throws {
        let body = "\u{FEFF}{ \"b\":1e400,\t\"a\" : 1 }\r\n"

        #expect(try response(body).chosen(by: nil).rawBytes == Data(body.utf8))
        #expect(try response(body).chosen(by: GraphQuery("b")).rawBytes == nil)
        #expect(try response(body).chosen(by: GraphQuery("b")).raw == "1e400")
    }

    @Test func `an error that contains such a number keeps its message and its permission`() throws {
        let body = #"{"error": {"code": "C", "message": "requires one of 'User.Read.All'", "size": 1e400}}"#
        let failure = try #require(throws: Failure.self) { try response(body, status: 403).checked() }

        #expect(failure.message.hasSuffix("requires one of 'User.Read.All' (C)"))
        #expect(failure.remedy?.contains("User.Read.All") == true)
    }

    @Test(arguments: [
        ("{}", "{}"), ("[ ]", "[]"), ("[[],{}]", "[\n  [],\n  {}\n]"), (#""a\"{,:""#, #""a\"{,:""#),
        (#"{"a\\":"b"}"#, "{\n  \"a\\\\\" : \"b\"\n}"), ("true", "true"),
    ])
    func `only the layout changes`(source: String, text: String) throws {
        let value = try #require(JSONSource(source.utf8))

        #expect(value.indented == text)
        #expect(JSONSource(value.indented.utf8)?.line == value.line)
    }

    @Test(arguments: [
        "", " ", "{", "[1,]", "{\"a\"}", "{a:1}", "01", "1.", "1e", "-", "+1", "NaN", "\"\\x\"", "\"\\u12\"", "\"\n\"",
        "1 2",
        "{1:2}", "nul", "[1 2]", String(repeating: "[", count: 100_000),
    ])
    func `invalid JSON is rejected`(source: String) {
        #expect(JSONSource(source.utf8) == nil)
    }
}

/// Damaged JSON texts, such as those of Microsoft Graph.
struct JSONSourceFuzzTests {
    @Test func `random bytes are JSON exactly if the library can parse them, except for large numbers`() {
        var fuzz = Fuzz(
            corpus: [
                #"{"a": [1, -2.5e3, true, null], "b": "\u00e9\n", "c": {}}"#, "[1e400]", "  \"x\"  ", "[[[0]]]",
                #"{"id":"1","big":1e400,"long":12345678901234567890123456789012345678901}"#, "\u{FEFF}7",
                #"{"@odata.nextLink":"https://graph.microsoft.com/v1.0/users?$skiptoken=x","value":[{}]}"#,
            ].map { Array($0.utf8) },
            words: ["1e400", "-", "0", "\\u", "\"", "{", "}", "[", "]", ":", ",", "\\", "null", "e", "."]
        )

        fuzz.run { bytes in
            let source = JSONSource(bytes)
            // Foundation cannot be the reference: it accepts a comma before the end of an array.
            if JSONValue(parsing: Data(bytes)) != nil {
                #expect(source != nil, "\(String(decoding: bytes, as: UTF8.self))")
            }
            guard let source else { return }
            #expect(JSONSource(source.line.utf8)?.line == source.line)
            #expect(JSONSource(source.indented.utf8)?.line == source.line)
            _ = source.raw
        }
    }
}
