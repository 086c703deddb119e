// Licensed under the MIT License. See LICENSE.

import Hummingbird
import MSALBase

/// `GET` and `POST /managed-identity`: the managed identities of the machine, and the failures of its endpoints.
extension ControlAPI {
    /// The identities, the environment variables for programs on each host, and the failures that are still pending.
    func managedIdentity() throws -> Response {
        let machine = parts.machine
        var environments: [String: JSONValue] = [:]
        for source in machine.addresses == nil ? [] : ManagedIdentitySource.allCases {
            let variables = machine.addresses?.environment(for: source) ?? [:]
            environments[source.rawValue] = .object(variables.mapValues { .string($0) })
        }
        return .json([
            "identities": .array(machine.all.map { Self.json($0.identity, isAssigned: $0.isAssigned) }),
            "environments": .object(environments),
            "failures": .array(machine.failures.map(Self.json)),
        ])
    }

    /// Assigns an identity to the machine or removes it (`identity`, `assigned`), makes requests fail (`status`;
    /// optionally `source`, `retryAfter`, `message`, `count`), or makes responses invalid (`flaw`; optionally `source`,
    /// `count`).
    func changeManagedIdentity(_ body: JSONValue) throws -> Response {
        let body = try ControlBody(body, of: .changeManagedIdentity)
        let name = try body.text("identity")
        let effect = try effect(body)
        guard (name == nil) != (effect == nil) else {
            throw ControlRefusal("the body needs either 'identity' with 'assigned', or 'status', or 'flaw'")
        }
        guard parts.machine.addresses != nil else {
            throw ControlRefusal("managed identity is off; start the emulator with --managed-identity")
        }
        if let name {
            let isAssigned = try body.required("assigned", read: body.flag)
            guard parts.machine.assign(name, isAssigned: isAssigned) else {
                let all = parts.directory.managedIdentities.map(\.name).joined(separator: ", ")
                throw ControlRefusal("'identity' \(name) is not one of \(all)")
            }
        } else if let effect {
            let count = try body.number("count", in: 1...1_000_000) ?? 1
            let source: ManagedIdentitySource? = try body.choice("source", otherwise: "all hosts fail")
            parts.machine.enqueue(.init(source: source, effect: effect, count: count))
        }
        return try managedIdentity()
    }

    private func effect(_ body: ControlBody) throws(ControlRefusal) -> MachineIdentities.Failure.Effect? {
        let status = try body.number("status", in: 400...599)
        guard let flaw: ManagedIdentityFlaw = try body.choice("flaw") else {
            let retryAfter = try body.number("retryAfter", in: 0...86_400)
            let message = try body.text("message")
            return status.map { .refusal(status: $0, retryAfter: retryAfter, message: message) }
        }
        guard status == nil else { throw ControlRefusal("'flaw' and 'status' exclude each other") }
        return .flaw(flaw)
    }

    private static func json(_ identity: EmulatorDirectory.ManagedIdentity, isAssigned: Bool) -> JSONValue {
        [
            "name": .string(identity.name), "clientId": .string(identity.clientID),
            "objectId": .string(identity.objectID),
            "resourceId": identity.resourceID.map { .string($0) } ?? .null, "assigned": .bool(isAssigned),
        ]
    }

    private static func json(_ failure: MachineIdentities.Failure) -> JSONValue {
        var members: [String: JSONValue] = [
            "count": .int(failure.count), "source": failure.source.map { .string($0.rawValue) } ?? .null,
        ]
        switch failure.effect {
        case .refusal(let status, let retryAfter, let message):
            members["status"] = .int(status)
            members["retryAfter"] = retryAfter.map { .int($0) } ?? .null
            members["message"] = message.map { .string($0) } ?? .null
        case .flaw(let flaw): members["flaw"] = .string(flaw.rawValue)
        }
        return .object(members)
    }
}
