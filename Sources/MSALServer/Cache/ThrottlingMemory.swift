// Licensed under the MIT License. See LICENSE.

private import Synchronization

/// The pauses that the service asked for (docs/reference/Services.md#throttling).
final class ThrottlingMemory: Sendable {
    /// The requests that the service throttles together.
    private struct Key: Hashable {
        let partition: AccessTokenCache.Partition
        let realm: String
        let target: String

        init(_ key: AccessTokenKey) {
            let key = key.lowercased ?? key
            partition = key.partition
            realm = key.realm
            target = key.target
        }
    }

    private struct Pause {
        let refusal: MSALTokenError
        /// The end of the pause in seconds since 1970.
        let end: Int64
        let start: Int64
    }

    private let pauses = Mutex<[Key: Pause]>([:])
    private static let most = 1000

    /// The refusal for a request that may not be sent yet; `nil` if it may.
    func refusal(of key: AccessTokenKey, at now: Int64) -> MSALTokenError? {
        pauses.withLock { pauses in
            // Nearly always there are no pauses, and no key has to be made.
            guard !pauses.isEmpty, let pause = pauses[Key(key)] else { return nil }
            // A clock that was set back must not make the pause longer.
            guard (pause.start..<pause.end).contains(now) else {
                pauses[Key(key)] = nil
                return nil
            }
            return MSALTokenError(repeating: pause.refusal, retryAfter: .seconds(pause.end - now))
        }
    }

    /// Notes a failure of the service, if it asks for a pause or is out of order.
    func note(_ failure: MSALTokenError, of key: AccessTokenKey, at now: Int64) {
        guard let pause = Self.pause(after: failure) else { return }
        let seconds = pause.components.seconds + (pause.components.attoseconds > 0 ? 1 : 0)
        guard seconds > 0 else { return }
        pauses.withLock { pauses in
            if pauses.count >= Self.most {
                pauses = pauses.filter { $0.value.end > now }
                let first = pauses.count >= Self.most ? pauses.min { $0.value.end < $1.value.end } : nil
                if let first { pauses[first.key] = nil }
            }
            pauses[Key(key)] = Pause(refusal: failure, end: now + min(seconds, 3600), start: now)
        }
    }

    private static func pause(after failure: MSALTokenError) -> Duration? {
        if let asked = failure.retryAfter { return asked }
        switch failure.kind {
        case .throttled: return .seconds(60)
        case .serviceUnavailable: return .seconds(5)
        default: return nil
        }
    }
}
