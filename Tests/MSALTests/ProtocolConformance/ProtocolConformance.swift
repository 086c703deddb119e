// Licensed under the MIT License. See LICENSE.

import TestSupport
import Testing

/// Replays the conformance files: one test per family, in the extension files next to this one.
@Suite(
    .enabled(if: ConformanceFolder.shared.exists, "\(ConformanceFiles.absence)")
)
struct ProtocolConformance {
    @Test func `every file can be read and belongs to a family`() {
        #expect(ConformanceFolder.shared.complaints == [])
        #expect(!ConformanceFolder.shared.all.isEmpty)
    }

    @Test(arguments: ConformanceException.allCases)
    func `every exception states how many cases it excludes`(_ exception: ConformanceException) {
        let matches = ConformanceFolder.shared.all.filter { ConformanceException.matching($0) == exception }
        print("conformance exception, \(matches.count) cases: \(exception.rawValue)")
        #expect(matches.count < ConformanceFolder.shared.all.count)
    }

    /// Fails for an op that a runner does not support.
    func failForUnknownOp(_ testCase: ConformanceCase) {
        Issue.record("The runner of \(testCase.family.rawValue) does not support the op \(testCase.op).")
    }
}
