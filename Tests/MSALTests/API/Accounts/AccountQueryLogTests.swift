// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Synchronization
import TestSupport
import Testing

/// The log lines of account queries. Runs in a separate process because a process has only one log callback.
struct AccountQueryLogTests {
    @Test func `a query logs its filters and the number of accounts found, with names masked`() async {
        await #expect(processExitsWith: .success) {
            let lines = Mutex<[String]>([])
            MSALGlobalConfig.loggerConfig.setLogCallback { level, line, _ in
                if level == .info { lines.withLock { $0.append(line ?? "") } }
            }
            let application = try BadInputBench().application
            func heard(_ body: () throws -> Void) rethrows -> [String] {
                try body()
                LogWriter.shared.flush()
                return lines.withLock { lines in
                    defer { lines = [] }
                    return lines.map { $0.split(separator: "] ", maxSplits: 1).last.map(String.init) ?? $0 }
                }
            }
            _ = heard {}

            let all = try heard { _ = try application.allAccounts() }
            let one = try heard { _ = try application.account(forUsername: Contoso.username) }
            let current = heard { application.getCurrentAccount(with: nil) { _, _, _ in } }
            let none = heard { _ = try? application.account(forIdentifier: "nobody.nowhere") }

            #expect(
                all == [
                    "Looking for accounts: identifier none, tenant profile none, user name none, signed in",
                    "Accounts found: 1",
                ]
            )
            #expect(one.count == 3)
            #expect(one.first?.contains("user name auth.placeholder-") == true)
            #expect(one.last?.hasPrefix("The account is ") == true)
            #expect(current.count == 1)
            #expect(current.first?.hasPrefix("The current account is auth.placeholder-") == true)
            #expect(current.first?.hasSuffix("the one before none") == true)
            #expect(none.last == "Accounts found: 0")
            #expect(!(all + one + current + none).contains { $0.contains(Contoso.username) || $0.contains("nobody") })
        }
    }
}
