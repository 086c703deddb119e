// Licensed under the MIT License. See LICENSE.

import TestSupport
import Testing

/// The cases of native authentication, run with the public API and its delegates.
@Suite(
    "NativeAuthConformance",
    .enabled(if: NativeAuthCaseFolder.shared.exists, "\(ConformanceFiles.absence)")
)
struct NativeAuthConformance {
    @Test func `every file of the format can be read`() {
        #expect(NativeAuthCaseFolder.shared.complaints == [])
        #expect(!NativeAuthCaseFolder.shared.cases.isEmpty)
    }

    @Test(arguments: NativeAuthCaseException.allCases)
    func `every exception says how many cases it excludes`(_ exception: NativeAuthCaseException) {
        let matches = NativeAuthCaseFolder.shared.cases.filter { NativeAuthCaseException.matching($0) == exception }
        print("native authentication exception, \(matches.count) cases: \(exception.rawValue)")
        #expect(matches.count < NativeAuthCaseFolder.shared.cases.count)
    }

    @MainActor
    @Test(.timeLimit(.minutes(2)), arguments: NativeAuthCaseFolder.shared.runnable)
    func `a call ends as the case says`(_ testCase: NativeAuthCase) async throws {
        var run = try CaseRun(testCase)

        let differences = try await run.run()

        #expect(differences == [])
    }
}
