// Licensed under the MIT License. See LICENSE.

import MSALBase

/// A rule that takes conformance cases out of the run, with its reason. There are no others.
enum ServerException: String, CaseIterable {
    case contested = "contested: the peers disagree, and this project has not decided"
    case onBehalfOf = "on-behalf-of, with and without a session key, is not built yet"

    private static let laterFlows: Set<String> = ["onBehalfOf", "startLongRunning", "longRunning", "endLongRunning"]

    /// The first rule that takes `testCase` out.
    static func matching(_ testCase: ServerCase) -> ServerException? {
        allCases.first { $0.applies(to: testCase) }
    }

    private func applies(to testCase: ServerCase) -> Bool {
        switch self {
        case .contested:
            testCase.isContested
        case .onBehalfOf:
            testCase.flows.contains(where: Self.laterFlows.contains) && testCase.op != "host"
                || testCase.op == "lookup" && testCase.hasIncomingToken
        }
    }
}

extension ServerCase {
    /// Whether a token of a look-up was got for an incoming token, or the query has one.
    fileprivate var hasIncomingToken: Bool {
        let entries = input.peek("entries")?.array ?? []
        return input.peek("query")?.object?["userAssertion"] != nil
            || entries.contains { $0.object?["oboKey"] != nil }
    }

    /// The flows that the case or one of its steps names.
    fileprivate var flows: [String] {
        let steps = input.peek("steps")?.array ?? []
        return [input.peek("flow")?.string].compactMap(\.self) + steps.compactMap { $0.object?["flow"]?.string }
    }
}
