// Licensed under the MIT License. See LICENSE.

import Foundation
import Testing

@testable import EntraEmulator

/// The `server-match` cases of the conformance files; the client's runner leaves them to this side.
@Suite(.enabled(if: RedirectCase.hasFile, "MSAL_CONFORMANCE_DIR names a folder without redirect-uris.json."))
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

    private static let file: URL = {
        // The order is that of `ConformanceFiles` in TestSupport.
        let name = "redirect-uris.json"
        if let named = ProcessInfo.processInfo.environment["MSAL_CONFORMANCE_DIR"], !named.isEmpty {
            return URL(filePath: named).appending(path: name)
        }
        var package = URL(filePath: #filePath)
        for _ in 0..<4 { package.deleteLastPathComponent() }
        let beside = package.appending(path: "../shared/conformance").standardizedFileURL
        let isBeside = FileManager.default.fileExists(atPath: beside.path)
        return (isBeside ? beside : package.appending(path: "Tests/Conformance")).appending(path: name)
    }()

    static var hasFile: Bool { FileManager.default.fileExists(atPath: file.path) }

    /// The cases of the file, read once; none if it cannot be read, which fails where there is one.
    static let all: [RedirectCase] = {
        guard let data = try? Data(contentsOf: file),
            let file = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
            let cases = file["cases"] as? [[String: Any]]
        else { return [] }
        return cases.filter { $0["op"] as? String == "server-match" }.map { value in
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
