// Licensed under the MIT License. See LICENSE.

import MSALBase

/// A rule that excludes conformance cases from the run, with its reason. There are no other exclusions.
enum ServerException: String, CaseIterable {
    case contested = "contested: the peers disagree, and this project has not decided"
    case finalSlash =
        "an App ID URI is accepted with and without a final slash (docs/reference/TokenValidation.md#order)"

    /// The first rule that excludes `testCase`.
    static func matching(_ testCase: ServerCase) -> ServerException? {
        allCases.first { $0.applies(to: testCase) }
    }

    private func applies(to testCase: ServerCase) -> Bool {
        switch self {
        case .contested:
            testCase.isContested
        case .finalSlash:
            testCase.id == "at-au-004"
        }
    }
}
