// Licensed under the MIT License. See LICENSE.

import Foundation
import Logging
import MSALBase
import Synchronization

/// Writes why requests were refused. An untrusted client can cause any number of refusals. So each reason has at most eight
/// lines a minute, one for each value of a claim, and the next line counts the refusals that had none.
final class RejectionLog: Sendable {
    private struct Written {
        let at: Duration
        var findings: Set<RejectionFinding?> = []
        var silent = 0
    }

    private static let pause: Duration = .seconds(60)
    /// A difference of the clocks that explains a refusal, in seconds.
    private static let largeOffset: TimeInterval = 60

    private let written = Mutex<[MSALTokenRejection.Code: Written]>([:])

    private static let linesPerPause = 8

    /// Notes a refusal of one API. The finding is made only if there may be a line for it.
    func note(_ rejection: MSALTokenRejection, of rules: APIRules, finding: () -> RejectionFinding?) {
        let now = rules.environment.time.uptime
        let isFull = written.withLock { written in
            guard let known = written[rejection.code], now - known.at < Self.pause else { return false }
            guard known.findings.count >= Self.linesPerPause else { return false }
            written[rejection.code]?.silent += 1
            return true
        }
        if isFull { return }
        let finding = finding()
        let silent = written.withLock { written -> Int? in
            var known = written[rejection.code] ?? Written(at: now)
            let silent = known.silent
            if now - known.at >= Self.pause { known = Written(at: now) }
            defer { written[rejection.code] = known }
            guard known.findings.count < Self.linesPerPause, known.findings.insert(finding).inserted else {
                known.silent += 1
                return nil
            }
            known.silent = 0
            return silent
        }
        guard let silent else { return }
        var metadata: Logger.Metadata = [
            "msal_rejection": "\(rejection.code.rawValue)", "msal_status": "\(rejection.status)",
            "msal_silent": "\(silent)",
        ]
        if let finding {
            metadata["msal_claim"] = "\(finding.claim)"
            metadata["msal_received"] = "\(finding.received)"
            metadata["msal_expected"] = "\(finding.expected)"
        }
        rules.configuration.logger.info("\(message(for: rejection.code, of: rules))", metadata: metadata)
    }

    private func message(for code: MSALTokenRejection.Code, of rules: APIRules) -> String {
        switch code {
        case .expired, .notYetValid, .issuedInFuture:
            let offset = rules.allKeys.map(\.clockOffset).max { abs($0) < abs($1) } ?? 0
            guard abs(offset) > Self.largeOffset else { return "A request was refused." }
            let minutes = Int((abs(offset) / 60).rounded())
            return
                "A request was refused. This machine's clock is \(minutes) minutes \(offset > 0 ? "ahead of" : "behind") "
                + "the issuer's. Set the clock."
        case .keysUnavailable:
            return "A request was refused, because the issuer's keys cannot be fetched."
        default:
            return "A request was refused."
        }
    }
}
