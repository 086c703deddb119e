// Licensed under the MIT License. See LICENSE.

import Foundation
import Testing

@testable import EntraEmulator

/// The `server-match` cases of the conformance files; the client's runner leaves them to this side.
@Suite(.enabled(if: RedirectCase.all != nil, "There is no redirect-uris.json; set MSAL_CONFORMANCE_DIR."))
struct RedirectMatchingTests {
    @Test(arguments: RedirectCase.all ?? [])
    func `a requested URI matches as the conformance file says`(_ testCase: RedirectCase) throws {
        let requested = try #require(RedirectURI(testCase.requested))

        let matches = testCase.registered.compactMap(RedirectURI.init).contains { $0.matches(requested) }

        #expect(matches == testCase.matches)
    }

    @Test func `there are such cases`() {
        #expect(RedirectCase.all?.isEmpty == false)
    }
}

struct RedirectCase: CustomTestStringConvertible, Sendable {
    let id: String
    let registered: [String]
    let requested: String
    let matches: Bool

    var testDescription: String { id }

    /// The cases of the file, read once; `nil` where there is no file. A malformed case ends as an empty one, which
    /// fails.
    static let all: [RedirectCase]? = {
        let configured = ProcessInfo.processInfo.environment["MSAL_CONFORMANCE_DIR"]
        var package = URL(filePath: #filePath)
        for _ in 0..<3 { package.deleteLastPathComponent() }
        let folder = configured.map { URL(filePath: $0) } ?? package.appending(path: "../shared/conformance")
        guard
            let data = try? Data(contentsOf: folder.appending(path: "redirect-uris.json")),  // Absent: skipped.
            let file = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
            let cases = file["cases"] as? [[String: Any]]
        else { return nil }
        return cases.filter { $0["op"] as? String == "server-match" }.map { value in
            let input = value["in"] as? [String: Any] ?? [:]
            return RedirectCase(
                id: value["id"] as? String ?? "",
                registered: input["registered"] as? [String] ?? [],
                requested: input["requested"] as? String ?? "",
                matches: (value["out"] as? [String: Any])?["match"] as? Bool ?? false
            )
        }
    }()
}
