// Licensed under the MIT License. See LICENSE.

import Foundation
import TestSupport
import Testing

@testable import MSALCLI

/// Headers, parameters, fields and bodies as a user passes them.
struct GraphInputTests {
    private func body(_ input: GraphInput) throws -> String {
        let body = try #require(try input.body())
        return String(decoding: body.bytes, as: UTF8.self).filter { !$0.isWhitespace }
    }

    @Test func `fields form an object, and typed ones are converted`() throws {
        let input = GraphInput(
            textFields: ["a=1", "b=x=y", "c="],
            typedFields: ["d=1.50", "e=true", "f=null", "g=text", "h={}", "i=[1]", "j=1e400", "k=\"x\"", "l=01"]
        )

        #expect(
            try body(input)
                == #"{"a":"1","b":"x=y","c":"","d":1.50,"e":true,"f":null,"g":"text","h":"{}","i":"[1]","j":1e400,"k":"\"x\"","l":"01"}"#
        )
        #expect(try input.body()?.type == "application/json")
    }

    @Test func `a body is a text or a file`() async throws {
        let folder = try TemporaryDirectory()
        let file = folder.url.appending(path: "picture")
        try Data([0, 1, 255]).write(to: file)

        #expect(try body(GraphInput(text: #"{"a": 1}"#)) == #"{"a":1}"#)
        #expect(throws: Never.self) { try GraphInput(text: "[1e400]").check() }
        let read = try #require(try GraphInput(file: file.path()).body())
        #expect(read.bytes == Data([0, 1, 255]) && read.type == "application/octet-stream")
        let missing = try #require(throws: Failure.self) { try GraphInput(file: folder.path + "/none").body() }
        #expect(missing.status == .usage)
        #expect(missing.message == "\(folder.path)/none does not exist.")
        #expect(missing.remedy == "Check the file that --input names.")

        try #require(truncate(file.path(), off_t(GraphInput.maximumBody + 1)) == 0)
        let large = try #require(throws: Failure.self) { try GraphInput(file: file.path()).body() }
        #expect(large.remedy == "Send large files with --upload FILE.")
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
    func `invalid input is an invalid argument`(input: GraphInput) throws {
        let failure = try #require(throws: Failure.self) { try input.check() }

        #expect(failure.status == .usage)
    }

    @Test func `the last of two headers with the same name is used`() throws {
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

    @Test(arguments: [
        ("/users/a_b.example#EXT#@contoso.example", "/v1.0/users/a_b.example%23EXT%23@contoso.example"),
        ("/users/a%23EXT%23@b", "/v1.0/users/a%23EXT%23@b"),
        ("/me/drive/root:/100% of é.txt:", "/v1.0/me/drive/root:/100%25%20of%20%C3%A9.txt:"),
        ("/a%2", "/v1.0/a%252"), ("/users?$filter=a eq 'b?#c'", "/v1.0/users?$filter=a%20eq%20'b?%23c'"),
        ("/me/drive/root:/a://b:", "/v1.0/me/drive/root:/a://b:"),
        ("/search?q=https://other.example/", "/v1.0/search?q=https://other.example/"),
        ("https://g.example/v1.0/users/a#EXT#@b", "/v1.0/users/a%23EXT%23@b"), ("/beta?a", "/beta?a"),
        ("a\\b[c]|\"d", "/v1.0/a%5Cb%5Bc%5D%7C%22d"), ("/me/messages/AAk=/x..y/.z", "/v1.0/me/messages/AAk=/x..y/.z"),
    ])
    func `a path is sent as it was written`(path: String, target: String) throws {
        let graph = try #require(URL(string: "https://g.example/"))
        let url = try GraphAddress.url(path, at: graph)

        #expect(url.absoluteString == "https://g.example" + target)
        #expect(try GraphAddress.url(url.absoluteString, at: graph) == url, "The sender checks the address again.")
        #expect(url.fragment == nil)
    }

    @Test(arguments: [
        "/users/../me", "/users/.", "..", "/users/%2e%2E/me", "https://g.example/v1.0/../beta",
        "https://g.example#/v1.0/me", "/users/../\u{301}me", "/users/..?\u{301}",
        "https://g.example\\@other.example/", "https://other.example/#g.example", "http://g.example/v1.0/me",
        "https://g.example#@other.example/", "https://g.éxample/",
    ])
    func `a path that could reach another object is rejected`(path: String) throws {
        let graph = try #require(URL(string: "https://g.example/"))
        let failure = try #require(throws: Failure.self) { try GraphAddress.url(path, at: graph) }

        #expect(failure.status == .usage)
    }

    @Test(arguments: [
        ("/me/drive/root:/a#b:", "/me/drive/root:/a#b:/createUploadSession"),
        ("/items/1/?a=/", "/items/1/createUploadSession?a=/"),
        ("/items/1/createUploadSession?a", "/items/1/createUploadSession?a"),
    ])
    func `an upload session belongs to the path before the query`(path: String, session: String) {
        #expect(GraphUpload.path(path) == session)
    }

    @Test(arguments: ["/v1.0/me", "https://g.example/v1.0/me"])
    func `a version that is named twice is rejected`(path: String) throws {
        let graph = try #require(URL(string: "https://g.example/"))
        let failure = try #require(throws: Failure.self) { try GraphPath(path, isBeta: true).url(at: graph) }

        #expect(failure.status == .usage)
    }
}
