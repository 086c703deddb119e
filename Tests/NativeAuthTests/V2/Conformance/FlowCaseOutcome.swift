// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

@testable import MSALBase

/// The outcome of a call of V2, with either API.
struct FlowCaseOutcome {
    var outcome: CaseOutcome
    var scenario: MSALNativeAuthFlowScenario?

    init(_ outcome: CaseOutcome, scenario: MSALNativeAuthFlowScenario? = nil) {
        self.outcome = outcome
        self.scenario = scenario
    }

    /// How the delegate's call differs from what a case expects.
    func differences(from expected: [String: JSONValue]) -> [String] {
        var differences = outcome.differences(from: expected)
        if let wanted = expected["scenario"]?.string, scenario.map({ "\($0)" }) != wanted {
            differences.append("scenario is \(scenario.map { "\($0)" } ?? "absent"), not \(wanted)")
        }
        return differences
    }
}
