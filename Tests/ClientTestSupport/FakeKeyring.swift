// Licensed under the MIT License. See LICENSE.

package import DBus
import Synchronization

/// A Secret Service with one collection, for a ``FakeBus``.
package final class FakeKeyring: Sendable {
    /// The state of the keyring.
    package struct State: Sendable {
        package var isLocked = false
        package var hasCollection = true
        /// The user's response to a prompt; `nil` for none.
        package var consents: Bool?
        /// The items of the collection, by path.
        package var items: [String: Item] = [:]
        /// Members of the service that were called.
        package var calls: [String] = []
        /// What happens instead when this member is called.
        package var failures: [String: [FakeBus.Action]] = [:]
        /// Whether the items of a locked collection can be found.
        package var showsLockedItems = true

        package init(
            isLocked: Bool = false,
            hasCollection: Bool = true,
            consents: Bool? = nil,
            failures: [String: [FakeBus.Action]] = [:],
            showsLockedItems: Bool = true
        ) {
            self.isLocked = isLocked
            self.hasCollection = hasCollection
            self.consents = consents
            self.failures = failures
            self.showsLockedItems = showsLockedItems
        }
    }

    /// One item of the collection.
    package struct Item: Sendable {
        package var attributes: DBusValue
        package var secret: [UInt8]

        package init(attributes: DBusValue, secret: [UInt8]) {
            self.attributes = attributes
            self.secret = secret
        }

        /// Whether the item has these attributes; a search need not name all of them.
        func has(_ wanted: DBusValue?) -> Bool {
            guard case .dictionary(_, _, let wanted)? = wanted, case .dictionary(_, _, let own) = attributes else {
                return false
            }
            return Set(wanted).isSubset(of: own)
        }
    }

    package static let name = "org.freedesktop.secrets"
    private static let collection = "/org/freedesktop/secrets/collection/login"
    private static let prompt = "/org/freedesktop/secrets/prompt/p1"
    private let state: Mutex<State>

    package init(_ state: State = State()) {
        self.state = Mutex(state)
    }

    /// A bus with this keyring on it.
    package func bus() throws -> FakeBus {
        try FakeBus(names: [Self.name], isRunning: true) { self.answer($0) }
    }

    /// Changes or reads the state.
    package func change<R: Sendable>(_ body: @Sendable (inout State) -> R) -> R {
        state.withLock { body(&$0) }
    }

    private func answer(_ call: DBusMessage) -> [FakeBus.Action] {
        state.withLock { state in
            let member = call.member ?? ""
            state.calls.append(member)
            // A call without readable values gets the same response as one without any.
            if let failure = state.failures[member] { return failure }
            let values = (try? call.values()) ?? []
            return Self.answer(member, at: call.path ?? "", values: values, state: &state)
        }
    }

    private static func answer(
        _ member: String,
        at path: String,
        values: [DBusValue],
        state: inout State
    ) -> [FakeBus.Action] {
        switch member {
        case "OpenSession": return [.answer([.variant(.string("")), .objectPath("/session/1")])]
        case "ReadAlias": return [.answer([.objectPath(state.hasCollection ? collection : "/")])]
        case "Get": return [.answer([.variant(.boolean(state.isLocked))])]
        case "SearchItems":
            let isShown = !state.isLocked || state.showsLockedItems
            let found = state.items.filter { isShown && $0.value.has(values.first) }.keys.sorted()
            let (open, locked) = state.isLocked ? ([], found) : (found, [])
            return [.answer([.objectPaths(open), .objectPaths(locked)])]
        case "GetSecret":
            guard !state.isLocked, let item = state.items[path] else {
                return [.error("org.freedesktop.Secret.Error.IsLocked")]
            }
            let secret =
                [.objectPath("/session/1"), .bytes([]), .bytes(item.secret), .string("text/plain")] as [DBusValue]
            return [.answer([.structure(secret)])]
        case "CreateItem": return create(values, state: &state)
        case "Delete":
            state.items[path] = nil
            return [.answer([.objectPath("/")])]
        case "Unlock", "CreateCollection":
            return [.answer([member == "Unlock" ? .objectPaths([]) : .objectPath("/"), .objectPath(prompt)])]
        case "Prompt": return [.answer([])] + answerPrompt(&state)
        case "Dismiss": return [.answer([])]
        default: return [.error("org.freedesktop.DBus.Error.UnknownMethod")]
        }
    }

    private static func create(_ values: [DBusValue], state: inout State) -> [FakeBus.Action] {
        guard values.count == 3, case .dictionary(_, _, let properties) = values[0],
            case .variant(let attributes)? = properties.first(where: {
                $0.key == .string("org.freedesktop.Secret.Item.Attributes")
            })?.value,
            case .structure(let parts) = values[1], case .bytes(let secret) = parts[2]
        else { return [.error("org.freedesktop.DBus.Error.InvalidArgs")] }
        let path = collection + "/\(state.items.count + 1)"
        state.items[path] = Item(attributes: attributes, secret: secret)
        return [.answer([.objectPath(path), .objectPath("/")])]
    }

    private static func answerPrompt(_ state: inout State) -> [FakeBus.Action] {
        guard let consents = state.consents else { return [] }
        let result: DBusValue
        if state.hasCollection {
            result = .objectPaths(consents ? [collection] + state.items.keys : [])
            if consents { state.isLocked = false }
        } else {
            result = .objectPath(consents ? collection : "/")
            state.hasCollection = consents
        }
        let interface = "org.freedesktop.Secret.Prompt"
        return [
            // A signal of another sender, and one for another prompt: both must be ignored.
            .signal(
                path: "/other",
                interface: interface,
                member: "Completed",
                [.boolean(true), .variant(.string(""))]
            ),
            .signal(path: prompt, interface: interface, member: "Completed", [.boolean(!consents), .variant(result)]),
        ]
    }
}
