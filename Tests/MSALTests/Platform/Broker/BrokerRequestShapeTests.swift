// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import Testing

@testable import MSAL

/// This library's requests compared with those of Microsoft's own client, member by member
/// (docs/reference/Broker.md#requests).
struct BrokerRequestShapeTests {
    /// Members that only Microsoft's client sends. The page has the reason for each.
    private static let leftOut = ["onboardingBlob"]

    @Test(arguments: [
        "getAccounts", "silent token", "bound token", "sign-in", "interactive token of an account",
    ])
    func `a request has the members of Microsoft's own client, with values of the same types`(name: String) throws {
        let expected = try Self.members(of: name).filter { path, _ in
            !Self.leftOut.contains { path.hasSuffix("." + $0) }
        }

        #expect(Self.kinds(of: try Self.request(name)) == expected)
    }

    @Test func `omitted members are listed on the page`() throws {
        let page = try String(contentsOf: Self.root.appending(path: "docs/reference/Broker.md"), encoding: .utf8)
        let uncertain = page.components(separatedBy: "<a id=\"low-confidence\"></a>").last ?? ""

        for name in Self.leftOut { #expect(uncertain.contains("| `\(name)`"), "\(name)") }
    }

    // MARK: - Microsoft's client

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../..")

    struct Fixture: Decodable {
        struct Request: Decodable {
            let members: [String: String]
        }
        let requests: [String: Request]
        /// The outcomes to which it maps the numbers of `status`.
        let statuses: [String: String]
    }

    static func fixture() throws -> Fixture {
        let file = root.appending(path: "Tests/Fixtures/MicrosoftRuntime/pymsalruntime.json")
        return try JSONDecoder().decode(Fixture.self, from: Data(contentsOf: file))
    }

    private static func members(of name: String) throws -> [String: String] {
        try #require(try fixture().requests[name]).members
    }

    // MARK: - This library

    private static func request(_ name: String) throws -> JSONValue {
        var request = BrokerSample.request()
        if name != "sign-in" { request.account = try BrokerSample.knownAccount() }
        switch name {
        case "getAccounts": return BrokerRequests.accounts(BrokerSample.accountsRequest)
        case "sign-in", "interactive token of an account": return BrokerRequests.tokenInteractively(request)
        case "bound token": request.proof = BrokerSample.proof
        default: break
        }
        return BrokerRequests.tokenSilently(request)
    }

    private static func kinds(of value: JSONValue, at path: String = "") -> [String: String] {
        switch value {
        case .object where path.hasSuffix(".account"): return [path: "account"]
        case .object where path.hasSuffix(".additionalQueryParametersForAuthorization"):
            return [path: "object of texts"]
        case .object(let members):
            return members.reduce(into: [:]) { found, member in
                let place = path.isEmpty ? member.key : "\(path).\(member.key)"
                found.merge(kinds(of: member.value, at: place)) { $1 }
            }
        case .array: return [path: "array of texts"]
        case .string: return [path: "text"]
        case .null, .bool, .integer, .number: return [path: value.text]
        }
    }
}
