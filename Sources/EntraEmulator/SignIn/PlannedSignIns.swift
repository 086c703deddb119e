// Licensed under the MIT License. See LICENSE.

import MSALBase
import Synchronization

/// Sign-ins requested by a test: the next matching authorization requests are answered without a page.
final class PlannedSignIns: Sendable {
    private struct Plan {
        let userID: String
        let clientID: String?
        var count: Int
    }

    private let plans = Mutex<[Plan]>([])
    private static let limit = 1_000

    /// Appends a sign-in for the next requests.
    ///
    /// `clientID`: The application that sends the requests; `nil` means any.
    func add(userID: String, clientID: String?, count: Int) {
        plans.withLock { plans in
            if plans.count >= Self.limit { plans.removeFirst() }
            plans.append(Plan(userID: userID, clientID: clientID?.lowercased(), count: count))
        }
    }

    /// Returns and consumes the ID of the user for an application's request, if there is one.
    func take(for clientID: String) -> String? {
        plans.withLock { plans in
            guard let index = plans.firstIndex(where: { $0.clientID == nil || $0.clientID == clientID.lowercased() })
            else { return nil }
            plans[index].count -= 1
            let userID = plans[index].userID
            if plans[index].count == 0 { plans.remove(at: index) }
            return userID
        }
    }

    /// Removes all planned sign-ins.
    func removeAll() {
        plans.withLock { $0.removeAll() }
    }
}

/// The options to sign in without typing a password, and the clients that may use them.
struct Shortcuts: Sendable {
    let planned: PlannedSignIns
    let people: PeopleList
    let signsInByHint: Bool
    /// Whether other machines can reach the emulator.
    let isOpen: Bool

    /// Whether the client of a request may use them. A client with an unknown address counts as another machine.
    func areFor(_ exchange: Exchange) -> Bool {
        switch people {
        case .hidden: false
        case .everywhere: true
        case .onLoopback: !isOpen && exchange.clientAddress.map(Self.isLoopback) == true
        }
    }

    /// Whether a login hint signs the client of a request in.
    func takesHints(of exchange: Exchange) -> Bool {
        guard signsInByHint else { return false }
        return people == .everywhere || (!isOpen && exchange.clientAddress.map(Self.isLoopback) == true)
    }

    private static let loopback = ["127.0.0.0/8", "::1"].compactMap { NetworkRange($0) }

    private static func isLoopback(_ address: String) -> Bool { loopback.contains { $0.contains(address) } }
}
