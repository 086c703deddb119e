// Licensed under the MIT License. See LICENSE.

package import Foundation
import Synchronization

/// The result of a sign-in on the pages that a broker in this process has opened.
package enum BrokerWindowResult: Sendable {
    case signedIn(userID: String, authenticatedAt: Date, hasSecondFactor: Bool, authenticationContexts: [String])
    case refused(ServiceError)
}

/// An error of the service.
package struct ServiceError: Error, Sendable, Hashable {
    /// The AADSTS number.
    package let number: Int
    /// The OAuth error.
    package let error: String
    package let suberror: String?
    /// `AADSTS<number>: …`.
    package let text: String

    package init(number: Int, error: String, suberror: String?, text: String) {
        self.number = number
        self.error = error
        self.suberror = suberror
        self.text = text
    }

    init(_ error: EntraError) {
        let error = error.inTenant("organizations")
        self.init(
            number: error.number,
            error: error.error,
            suberror: error.suberror,
            text: "AADSTS\(error.number): \(error.message)"
        )
    }
}

/// The sign-ins whose responses stay in this process: a broker waits for them by the `state` that it has sent.
///
/// On a desktop, a broker reads the redirect in its own window. Here, any browser can be used.
final class BrokerWindows: Sendable {
    private let waiting = Mutex<[String: AsyncStream<BrokerWindowResult>.Continuation]>([:])

    /// The result of the sign-in with a state. If the emulator discards the sign-in, the stream ends without a value.
    func results(state: String) -> AsyncStream<BrokerWindowResult> {
        let (stream, continuation) = AsyncStream.makeStream(of: BrokerWindowResult.self)
        continuation.onTermination = { [weak self] _ in self?.waiting.withLock { $0[state] = nil } }
        waiting.withLock { $0[state] = continuation }
        return stream
    }

    /// Delivers the result of a sign-in. Returns whether a broker is waiting for it.
    func finish(state: String?, _ result: BrokerWindowResult) -> Bool {
        guard let state, let continuation = waiting.withLock({ $0.removeValue(forKey: state) }) else { return false }
        continuation.yield(result)
        continuation.finish()
        return true
    }

    func removeAll() {
        let all = waiting.withLock { waiting in
            defer { waiting = [:] }
            return Array(waiting.values)
        }
        for continuation in all { continuation.finish() }
    }
}
