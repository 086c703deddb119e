// Licensed under the MIT License. See LICENSE.

import Foundation
import TestSupport
import Testing

@testable import MSALCLI

/// Headers, parameters, fields and bodies as somebody gives them.
struct GraphInputTests {
    private func body(_ input: GraphInput) throws -> String {
        let body = try #require(try input.body())
        return String(decoding: body.bytes, as: UTF8.self).filter { !$0.isWhitespace }
    }

    @Test func `fields become an object, and typed ones what they look like`() throws {
        let input = GraphInput(
            textFields: ["a=1", "b=x=y", "c="],
            typedFields: ["d=1.5", "e=true", "f=null", "g=text", "h={}", "i=[1]"]
        )

        #expect(
            try body(input)
                == #"{"a":"1","b":"x=y","c":"","d":1.5,"e":true,"f":null,"g":"text","h":"{}","i":"[1]"}"#
        )
        #expect(try input.body()?.type == "application/json")
    }

    @Test func `a body comes from a text or a file`() async throws {
        let folder = try TemporaryDirectory()
        let file = folder.url.appending(path: "picture")
        try Data([0, 1, 255]).write(to: file)

        #expect(try body(GraphInput(text: #"{"a": 1}"#)) == #"{"a":1}"#)
        let read = try #require(try GraphInput(file: file.path()).body())
        #expect(read.bytes == Data([0, 1, 255]) && read.type == "application/octet-stream")
        let missing = try #require(throws: Failure.self) { try GraphInput(file: folder.path + "/none").body() }
        #expect(missing.status == .usage)
        #expect(missing.message == "\(folder.path)/none does not exist.")
        #expect(missing.remedy == "Check the file that --input names.")

        try #require(truncate(file.path(), off_t(GraphInput.maximumBody + 1)) == 0)
        let large = try #require(throws: Failure.self) { try GraphInput(file: file.path()).body() }
        #expect(large.remedy == "Large files are sent with --upload FILE.")
    }

    @Test(arguments: [
        GraphInput(text: "{}", file: "x"), GraphInput(text: "{}", textFields: ["a=b"]), GraphInput(text: "nonsense"),
        GraphInput(textFields: ["a"]), GraphInput(textFields: ["=a"]), GraphInput(textFields: ["a=1", "a=2"]),
        GraphInput(textFields: ["a=1"], typedFields: ["a=2"]), GraphInput(parameters: ["a"]),
        GraphInput(headers: ["a"]),
        GraphInput(headers: [": b"]), GraphInput(headers: ["a b: c"]), GraphInput(headers: ["a: b\r\nc: d"]),
        GraphInput(headers: ["Authorization: x"]), GraphInput(headers: ["content-length: 1"]),
        GraphInput(headers: ["HOST: x"]), GraphInput(headers: ["é: b"]),
    ])
    func `wrong input is a wrong argument`(input: GraphInput) throws {
        let failure = try #require(throws: Failure.self) { try input.check() }

        #expect(failure.status == .usage)
    }

    @Test func `the last of two headers with one name counts`() throws {
        let input = GraphInput(headers: ["Prefer: a", "prefer:  b ", "X: "])

        #expect(try input.headerFields() == ["prefer": "b", "X": ""])
    }

    @Test(arguments: [
        ("/me", false, [], "https://g.example/v1.0/me"), ("me", true, [], "https://g.example/beta/me"),
        ("/beta/me", true, [], "https://g.example/beta/me"),
        (
            "/users", false, ["$top=5", "$filter=a eq 'b&c+d'"],
            "https://g.example/v1.0/users?$top=5&$filter=a%20eq%20%27b%26c%2Bd%27"
        ),
        ("/users?$top=5", false, ["a=b"], "https://g.example/v1.0/users?$top=5&a=b"),
        ("https://g.example/v1.0/users?x=%2B", false, ["a=b"], "https://g.example/v1.0/users?x=%2B&a=b"),
    ])
    func `parameters are added to an address`(path: String, isBeta: Bool, parameters: [String], url: String) throws {
        let graph = try #require(URL(string: "https://g.example/"))
        let items = try GraphInput(parameters: parameters).queryItems()

        #expect(try GraphPath(path, isBeta: isBeta, parameters: items).url(at: graph).absoluteString == url)
    }

    @Test(arguments: ["/v1.0/me", "https://g.example/v1.0/me"])
    func `a version that is named twice is refused`(path: String) throws {
        let graph = try #require(URL(string: "https://g.example/"))
        let failure = try #require(throws: Failure.self) { try GraphPath(path, isBeta: true).url(at: graph) }

        #expect(failure.status == .usage)
    }
}
