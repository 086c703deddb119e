// Licensed under the MIT License. See LICENSE.

import Foundation
import TestSupport
import Testing

@testable import EntraEmulator

/// The `server-match` cases of the conformance files; the client's runner leaves them to this side.
@Suite(.enabled(if: RedirectCase.hasFile, "\(ConformanceFiles.absence)"))
struct RedirectMatchingTests {
    @Test(arguments: RedirectCase.all)
    func `a requested URI matches as the conformance file says`(_ testCase: RedirectCase) throws {
        let requested = try #require(RedirectAddress(testCase.requested))
        let expected: Bool = try #require(testCase.matches as Bool?, "The case does not say what is right.")

        let matches = testCase.registered.compactMap(RedirectAddress.init).contains { $0.matches(requested) }

        #expect(matches == expected)
    }

    @Test func `there are such cases`() {
        #expect(!RedirectCase.all.isEmpty)
    }
}

struct RedirectCase: CustomTestStringConvertible, Sendable {
    let id: String
    let registered: [String]
    let requested: String
    /// `nil` in a malformed case, which fails.
    let matches: Bool?

    var testDescription: String { id }

    private static let file = ConformanceFiles.folder.appending(path: "redirect-uris.json")

    static var hasFile: Bool { FileManager.default.fileExists(atPath: file.path) }

    /// The cases of the file, read once; none if it cannot be read, which fails where there is one.
    static let all: [RedirectCase] = {
        guard let data = try? Data(contentsOf: file),
            let file = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
            let cases = file["cases"] as? [[String: Any]]
        else { return [] }
        let matches = cases.filter { $0["op"] as? String == "server-match" }
        ConformanceFiles.announce(matches.count, for: "RedirectMatchingTests")
        return matches.map { value in
            let input = value["in"] as? [String: Any] ?? [:]
            return RedirectCase(
                id: value["id"] as? String ?? "",
                registered: input["registered"] as? [String] ?? [],
                requested: input["requested"] as? String ?? "",
                matches: (value["out"] as? [String: Any])?["match"] as? Bool
            )
        }
    }()
}
