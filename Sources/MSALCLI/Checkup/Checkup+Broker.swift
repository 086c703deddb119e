// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

extension Checkup {
    /// The check of the identity broker: which one this machine has, what it reports about the device, and whether a
    /// sign-in with these options would use it. A machine without a broker passes the check.
    static func broker(_ settings: Settings, visit: SignInVisit, environment: [String: String]) async -> Check {
        let findings = await MSALBrokerCheckup(settings.configuration(), environment: environment)
        // If there is no plan, another check gives the reason.
        let step = try? await visit.plan().steps.first { $0.mode == .broker }
        return broker(findings, refusal: step.flatMap { $0.isPossible ? nil : $0.reason })
    }

    /// The findings as a check. `refusal`: Why a sign-in would not use the broker; `nil` if it would.
    static func broker(_ findings: MSALBrokerCheckup, refusal: String?) -> Check {
        let name = "identity broker"
        if case .absent(let reason) = findings.presence {
            return Check(name: name, isGood: true, finding: "none: \(reason)")
        }
        var words = [findings.version.map { "version \($0)" } ?? "no version"]
        if let dialect = findings.dialect { words[0] += " (\(dialect.words))" }
        if let mode = findings.deviceMode { words.append("the device is \(mode == .shared ? "shared" : "private")") }
        if let isRegistered = findings.isDeviceRegistered {
            words.append(isRegistered ? "registered" : "not registered")
        }
        if let counts = findings.accountCounts {
            let sum = counts.values.reduce(0, +)
            words.append("\(sum) account\(sum == 1 ? "" : "s")")
        }
        words.append(refusal.map { "not used: \($0)" } ?? "a sign-in tries it first")
        guard let failure = findings.failure else {
            return Check(name: name, isGood: true, finding: words.joined(separator: ", "))
        }
        return Check(
            name: name,
            isGood: false,
            finding: "\(words.joined(separator: ", ")). \(failure.userMessage)",
            remedy: "To sign in without it: msal login --mode browser. To report the problem: msal doctor --broker"
        )
    }
}

extension MSALBrokerCheckup.Dialect {
    /// The family, for people.
    var words: String {
        switch self {
        case .early: "Microsoft's, up to 2.0.1"
        case .current: "Microsoft's, from 2.0.2 on"
        case .himmelblau: "Himmelblau's"
        default: "a version unknown to this command"
        }
    }
}
