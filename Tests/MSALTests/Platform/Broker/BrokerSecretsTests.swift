// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSALBase
import Synchronization
import TestSupport
import Testing

@testable import MSAL

/// No secret of a request or a response is logged or part of a failure.
struct BrokerSecretsTests {
    private static let secrets = [
        "stale-access-token", "opaque-access-token", "cookie-content", BrokerSample.idToken(),
    ]

    private static let replies: [IdentityBrokerMethod: FakeBroker.Reply] = [
        .version: .json(.object(["linuxBrokerVersion": .string("3.0.1")])),
        .accounts: .json(.object(["accounts": .array([.object(BrokerSample.account), .null])])),
        .tokenSilently: .json(BrokerSample.token()),
        .tokenInteractively: .json(BrokerSample.token()),
        .cookie: .json(.object(["cookieName": .string("c"), "cookieContent": .string("cookie-content")])),
        .removal: .json(.object([:])),
    ]

    /// The log lines of `body`, and its result.
    private func words(
        _ replies: [IdentityBrokerMethod: FakeBroker.Reply],
        _ body: (BusBroker) async throws -> [String]
    ) async throws -> [String] {
        let lines = Mutex<[String]>([])
        let bus = try FakeBroker(replies.mapValues { [$0] }).bus()
        let words = try await Log.$listener.withValue(Log.Listener { _, line in lines.withLock { $0.append(line) } }) {
            try await body(BusBroker(bus))
        }
        return lines.withLock { $0 } + words
    }

    /// A silent request that contains an access token, and its result as text.
    private func renewal(_ broker: BusBroker) async throws -> String {
        var request = BrokerSample.request(account: try BrokerSample.knownAccount())
        request.accessTokenToRenew = Secret("stale-access-token")
        do throws(BrokerFailure) {
            return "\(try await broker.tokenSilently(request))"
        } catch {
            return "\(error)"
        }
    }

    private func expectNoSecrets(in words: [String]) {
        for secret in Self.secrets {
            let isClean = !words.contains { $0.contains(secret) }
            #expect(isClean)
        }
    }

    @Test func `a call that succeeds reveals no secret`() async throws {
        let words = try await words(Self.replies) { broker in
            for method in Self.replies.keys {
                let failure = try await broker.failure(of: method)
                #expect(failure == nil)
            }
            return [try await renewal(broker)]
        }

        expectNoSecrets(in: words)
    }

    @Test func `a broker that repeats secrets in its errors does not reveal them`() async throws {
        let echo = "You sent stale-access-token, and have \(BrokerSample.idToken())."
        let method = IdentityBrokerMethod.tokenSilently
        let asJSON = FakeBroker.Reply.json(
            BrokerSample.failure(["status": .integer(2), "context": .string(echo)], method: method)
        )
        for reply in [asJSON, .error("org.freedesktop.DBus.Error.Failed", text: echo), .text(echo)] {
            let words = try await words([method: reply]) { [try await renewal($0)] }
            expectNoSecrets(in: words)
            #expect(!words.isEmpty)
        }
    }
}
