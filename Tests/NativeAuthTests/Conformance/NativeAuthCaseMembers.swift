// Licensed under the MIT License. See LICENSE.

@testable import MSALBase

/// The members in a format of cases. A runner that ignores a member may pass a case for a wrong reason.
struct NativeAuthCaseMembers: Sendable {
    private let testCase: Set<String>
    private let step: Set<String>
    private let request: Set<String>
    private let response: Set<String>
    private let outcome: Set<String>
    private let error: Set<String>

    /// The form of part “Cases of native authentication V2” of Tests/Conformance/README.md.
    static let v2 = NativeAuthCaseMembers(
        testCase: [
            "id", "flow", "title", "quirk", "config", "delegateWithout", "steps", "expect", "note", "platform",
            "contested",
        ],
        step: ["call", "noRequest", "expectRequest", "respond", "then"],
        request: [
            "method", "path", "form", "formAbsent", "json", "headers", "query", "optional", "minDelay", "maxDelay",
            "sameAsPrevious",
        ],
        response: ["status", "json", "body", "headers", "networkError"],
        outcome: ["callback", "scenario", "async", "error", "state", "stateToken", "values"],
        error: [
            "class", "flags", "description", "descriptionContains", "descriptionExcludes", "descriptionNot", "codes",
            "correlationId",
        ]
    )

    /// The members of a case that are not in the format.
    func unknown(in testCase: JSONValue) -> [String] {
        var unknown: [String] = []
        func look(_ value: JSONValue?, known: Set<String>) {
            unknown += (value?.object ?? [:]).keys.filter { !known.contains($0) }
        }
        func lookAt(outcome value: JSONValue?) {
            look(value, known: outcome)
            look(value?.object?["error"], known: error)
        }
        look(testCase, known: self.testCase)
        lookAt(outcome: testCase.object?["expect"])
        for one in testCase.object?["steps"]?.array ?? [] {
            look(one, known: step)
            look(one.object?["expectRequest"], known: request)
            look(one.object?["respond"], known: response)
            lookAt(outcome: one.object?["then"])
        }
        return unknown.sorted()
    }
}
