// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import MSAL

/// The output of `msal doctor --broker`. It has all facts that can disprove this library's assumptions about brokers.
/// It contains no secrets.
struct BrokerFindings: Report, Encodable {
    /// One call, and the form of its response.
    struct Call: Encodable, Equatable {
        var method: String
        var outcome: String
        /// The kind of failure, as the library classifies it.
        var meaning: String?
        var milliseconds: Int
        var response: [Member]
    }

    /// One member of a response.
    struct Member: Encodable, Equatable {
        var path: String
        var form: String
    }

    var msalVersion: String
    var system: String
    var architecture: String
    /// `nil` if there is one.
    @ExplicitNull var absence: String? = nil
    @ExplicitNull var version: String? = nil
    @ExplicitNull var dialect: String? = nil
    var accountsByCloud: [String: Int]
    @ExplicitNull var failure: String? = nil
    var calls: [Call]

    func text(_ style: Style) -> TerminalText {
        let state = absence.map { "none: \($0)" } ?? "version \(version ?? "unknown"), form \(dialect ?? "unknown")"
        var lines: [TerminalText] = [
            "msal \(msalVersion), \(system), \(architecture)",
            "identity broker: \(state)",
        ]
        for (cloud, count) in accountsByCloud.sorted(by: { $0.key < $1.key }) {
            lines.append("accounts at \(cloud): \(String(count))")
        }
        if let failure { lines.append("first failure: \(failure)") }
        for call in calls {
            let meaning = call.meaning.map { ", treated as \($0)" } ?? ""
            lines.append("\(style.strong(call.method)): \(call.outcome)\(meaning), \(String(call.milliseconds)) ms")
            lines += call.response.map { "  \($0.path.isEmpty ? "the whole" : $0.path): \($0.form)" }
        }
        return lines.joined(separator: "\n")
    }

    var raw: String { text(.plain).description }
}

extension BrokerFindings {
    init(_ findings: MSALBrokerCheckup, report: MSALBrokerReport) {
        msalVersion = MSALPublicClientApplication.sdkVersion ?? "unknown"
        system = Self.systemName(in: try? String(contentsOfFile: "/etc/os-release", encoding: .utf8))
        #if arch(x86_64)
            architecture = "x86_64"
        #elseif arch(arm64)
            architecture = "arm64"
        #else
            architecture = "another architecture"
        #endif
        if case .absent(let reason) = findings.presence { absence = reason }
        version = findings.version
        dialect = findings.dialect?.rawValue
        accountsByCloud = findings.accountCounts ?? [:]
        failure = findings.failure.map { "\($0.code) \($0.internalError.map { String($0.rawValue) } ?? "")" }
        calls = report.calls.map { call in
            Call(
                method: call.method,
                outcome: call.outcome,
                meaning: call.meaning,
                milliseconds: Int(call.duration / .milliseconds(1)),
                response: call.members.map { Member(path: $0.path, form: $0.form) }
            )
        }
    }

    /// `ID` and `VERSION_ID` of os-release(5).
    static func systemName(in text: String?) -> String {
        // Swift's "\n" does not split CR LF.
        let lines = text?.split(whereSeparator: \.isNewline) ?? []
        let values = ["ID=", "VERSION_ID="].compactMap { name in
            lines.first { $0.hasPrefix(name) }?.dropFirst(name.count).trimmingCharacters(in: ["\""])
        }
        return values.isEmpty ? "unknown system" : values.joined(separator: " ")
    }
}
