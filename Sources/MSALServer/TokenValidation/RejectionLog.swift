// Licensed under the MIT License. See LICENSE.

import Foundation
import Logging
import MSALBase
import Synchronization

/// Writes why requests were refused. A stranger can cause any number of refusals. So each reason has one line a minute,
/// and the line counts the refusals that had none.
final class RejectionLog: Sendable {
    private struct Written {
        var at: Duration
        var silent = 0
    }

    private static let pause: Duration = .seconds(60)
    /// A difference of the clocks that explains a refusal, in seconds.
    private static let largeOffset: TimeInterval = 60

    private let written = Mutex<[MSALTokenRejection.Code: Written]>([:])

    /// Notes a refusal of one API.
    func note(_ rejection: MSALTokenRejection, of rules: APIRules) {
        let now = rules.environment.time.uptime
        let silent = written.withLock { written -> Int? in
            if var known = written[rejection.code], now - known.at < Self.pause {
                known.silent += 1
                written[rejection.code] = known
                return nil
            }
            defer { written[rejection.code] = Written(at: now) }
            return written[rejection.code]?.silent ?? 0
        }
        guard let silent else { return }
        rules.configuration.logger.info(
            "\(message(for: rejection.code, of: rules))",
            metadata: [
                "msal_rejection": "\(rejection.code.rawValue)", "msal_status": "\(rejection.status)",
                "msal_silent": "\(silent)",
            ]
        )
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
