// Licensed under the MIT License. See LICENSE.

import MSALBase
import Synchronization

/// Sign-ins that a test has asked for: the next authorization requests that fit are answered without a page.
final class PlannedSignIns: Sendable {
    private struct Plan {
        let userID: String
        let clientID: String?
        var count: Int
    }

    private let plans = Mutex<[Plan]>([])
    private static let limit = 1_000

    /// Adds a sign-in for the next requests, behind the others.
    ///
    /// `clientID`: The application whose requests these are; `nil` means any.
    func add(userID: String, clientID: String?, count: Int) {
        plans.withLock { plans in
            if plans.count >= Self.limit { plans.removeFirst() }
            plans.append(Plan(userID: userID, clientID: clientID?.lowercased(), count: count))
        }
    }

    /// The id of the user who signs in at a request of the application, if one was asked for.
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

    /// Forgets all of them.
    func removeAll() {
        plans.withLock { $0.removeAll() }
    }
}

/// The ways to sign in without typing a password, and for whom they are.
struct Shortcuts: Sendable {
    let planned: PlannedSignIns
    let people: PeopleList
    let signsInByHint: Bool
    /// Whether other machines reach the emulator.
    let isOpen: Bool

    /// Whether they are for the client of a request. A client whose address is not known is somebody else.
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
