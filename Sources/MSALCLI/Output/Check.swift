// Licensed under the MIT License. See LICENSE.

import CommandOutput

/// The report of all checks.
struct DoctorReport: Report, Encodable {
    var checks: [Check]

    func text(_ style: Style) -> TerminalText {
        checks.map { check in
            let mark = check.isGood ? style.good("✓") : style.problem("✗")
            let line: TerminalText = "\(mark) \(style.strong(check.name)): \(check.finding)"
            return check.remedy.map { "\(line)\n    \($0)" } ?? line
        }.joined(separator: "\n")
    }

    var raw: String {
        checks.map { "\($0.isGood ? "ok" : "failed")\t\($0.name)\t\($0.finding)" }.joined(separator: "\n")
    }
}

/// The result of one check of `msal doctor`.
struct Check: Encodable, Equatable {
    var name: String
    var isGood: Bool
    var finding: String
    @ExplicitNull var remedy: String? = nil
    /// The exit status of the command if this check fails.
    var status = CommandExit.failed

    private enum CodingKeys: String, CodingKey {
        case name, isGood, finding, remedy
    }
}

extension Check {
    /// A failed check with the error that a command would report.
    init(_ name: String, failure: Failure) {
        self.init(
            name: name,
            isGood: false,
            finding: failure.message,
            remedy: failure.remedy,
            status: failure.status
        )
    }
}

/// A member of a report that JSON always has: it is `null` if there is no value.
///
/// Without this wrapper Swift leaves the member out. A script could then not tell a missing value from a misspelled
/// name.
@propertyWrapper
struct ExplicitNull<Value: Encodable>: Encodable {
    var wrappedValue: Value?

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue {
            try container.encode(wrappedValue)
        } else {
            try container.encodeNil()
        }
    }
}

extension ExplicitNull: Equatable where Value: Equatable {}
