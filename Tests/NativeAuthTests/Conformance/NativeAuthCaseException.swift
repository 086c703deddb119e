// Licensed under the MIT License. See LICENSE.

import MSAL

@testable import MSALBase

/// A rule that excludes conformance cases from the run, with its reason. There are no other exclusions.
enum NativeAuthCaseException: String, CaseIterable {
    case otherPlatform = "platform other than linux: the rules of Apple's systems are not ours"
    case contested = "contested: decided otherwise (docs/reference/Decisions.md#exceptions)"

    /// The first rule that excludes `testCase`.
    static func matching(_ testCase: NativeAuthCase) -> NativeAuthCaseException? {
        allCases.first { $0.applies(to: testCase) }
    }

    private func applies(to testCase: NativeAuthCase) -> Bool {
        switch self {
        case .otherPlatform: testCase.members["platform"].map { $0 != .string("linux") } ?? false
        case .contested: testCase.members["contested"] == .bool(true)
        }
    }
}
