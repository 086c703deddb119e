// Licensed under the MIT License. See LICENSE.

import DBus
import Synchronization

/// A desktop portal that has secrets, for a ``FakeBus``, with one app in its sandbox.
package final class FakeSecretPortal: Sendable {
    /// The state of the portal.
    package struct State: Sendable {
        package var secret: [UInt8]
        /// The code of the response: 0 done, 1 the user closed the dialog, 2 failed. `nil` for no response.
        package var code: UInt32? = 0
        /// Whether the desktop has the backend that stores secrets.
        package var hasSecrets = true
        /// Members of the portal that were called.
        package var calls: [String] = []
        /// What happens instead when this member is called.
        package var failures: [String: [FakeBus.Action]] = [:]

        package init(secret: [UInt8] = Array(1...64), code: UInt32? = 0, hasSecrets: Bool = true) {
            self.secret = secret
            self.code = code
            self.hasSecrets = hasSecrets
        }
    }

    private let state: Mutex<State>

    package init(_ state: State = State()) {
        self.state = Mutex(state)
    }

    /// A bus with this portal on it.
    package func bus() throws -> FakeBus {
        try FakeBus(names: [PortalRequest.portalName], isRunning: true) { self.answer($0) }
    }

    /// Changes or reads the state.
    package func change<R: Sendable>(_ body: @Sendable (inout State) -> R) -> R {
        state.withLock { body(&$0) }
    }

    private func answer(_ call: DBusMessage) -> [FakeBus.Action] {
        state.withLock { state in
            let member = call.member ?? ""
            state.calls.append(member)
            if let failure = state.failures[member] { return failure }
            switch member {
            case "Get":
                let missing = FakeBus.Action.error("org.freedesktop.DBus.Error.InvalidArgs")
                return [state.hasSecrets ? .answer([.variant(.uint32(1))]) : missing]
            case "RetrieveSecret" where state.hasSecrets: return Self.retrieve(call, state: state)
            default: return [.error("org.freedesktop.DBus.Error.UnknownMethod")]
            }
        }
    }

    private static func retrieve(_ call: DBusMessage, state: State) -> [FakeBus.Action] {
        guard call.descriptorCount == 1, let values = try? call.values(), values.count == 2,
            values[0] == .descriptor(0), case .dictionary(_, _, let options) = values[1],
            case .variant(.string(let token))? = options.first(where: { $0.key == .string("handle_token") })?.value
        else { return [.error("org.freedesktop.DBus.Error.InvalidArgs")] }
        // The caller is `:1.1` on every fake bus.
        let handle = "\(PortalRequest.portalPath)/request/1_1/\(token)"
        let response = state.code.map { code in
            FakeBus.Action.signal(
                path: handle,
                interface: "org.freedesktop.portal.Request",
                member: "Response",
                [.uint32(code), .variants([])]
            )
        }
        let content = state.code == 0 ? FakeBus.Action.write(state.secret) : nil
        return [.answer([.objectPath(handle)]), content, response].compactMap(\.self)
    }
}
