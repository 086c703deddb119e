// Licensed under the MIT License. See LICENSE.

import TestSupport
import Testing

@testable import MSALBase

/// The cases of native authentication V2, run with both public APIs.
@Suite(
    "NativeAuthV2Conformance",
    .enabled(if: NativeAuthCaseFolder.v2.exists, "\(ConformanceFiles.absence)")
)
struct NativeAuthV2Conformance {
    @Test func `every file of the format can be read`() {
        #expect(NativeAuthCaseFolder.v2.complaints == [])
        #expect(!NativeAuthCaseFolder.v2.cases.isEmpty)
    }

    @MainActor
    @Test(.timeLimit(.minutes(2)), arguments: NativeAuthCaseFolder.v2.runnable)
    func `a call with a delegate ends as the case says`(_ testCase: NativeAuthCase) async throws {
        var run = try FlowCaseRun(testCase)

        let differences = try await run.run()

        #expect(differences == [])
    }

    @MainActor
    @Test(.timeLimit(.minutes(2)), arguments: NativeAuthCaseFolder.v2.runnable)
    func `an asynchronous call ends as the case says`(_ testCase: NativeAuthCase) async throws {
        // An API without delegates has no outcome for a delegate that lacks a protocol.
        guard testCase.calls.last?.expected["async"] != JSONValue.null else { return }
        var run = try FlowCaseAsyncRun(testCase)

        let differences = try await run.run()

        #expect(differences == [])
    }
}
