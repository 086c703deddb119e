// Licensed under the MIT License. See LICENSE.

import TestSupport
import Testing

/// The conformance files, replayed: one test per family, in the extension files beside this one.
@Suite(
    .enabled(if: ConformanceFolder.shared.exists, "\(ConformanceFiles.absence)")
)
struct ProtocolConformance {
    @Test func `every file can be read and belongs to a family`() {
        #expect(ConformanceFolder.shared.complaints == [])
        #expect(!ConformanceFolder.shared.all.isEmpty)
    }

    @Test(arguments: ConformanceException.allCases)
    func `every exception says how many cases it takes out`(_ exception: ConformanceException) {
        let matches = ConformanceFolder.shared.all.filter { ConformanceException.matching($0) == exception }
        print("conformance exception, \(matches.count) cases: \(exception.rawValue)")
        #expect(matches.count < ConformanceFolder.shared.all.count)
    }

    /// What a runner does with an op it does not know.
    func failForUnknownOp(_ testCase: ConformanceCase) {
        Issue.record("The runner of \(testCase.family.rawValue) does not know the op \(testCase.op).")
    }
}
