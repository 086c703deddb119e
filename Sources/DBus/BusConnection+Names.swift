// Licensed under the MIT License. See LICENSE.

extension BusConnection {
    /// Whether a program has this well-known name.
    package func isOwned(_ name: String, until deadline: Deadline) throws(DBusError) -> Bool {
        try ask("NameHasOwner", arguments: [.string(name)], until: deadline).values.first?.boolean == true
    }

    /// Whether a program has this well-known name, or the bus can start one for it.
    package func canReach(_ name: String, until deadline: Deadline) throws(DBusError) -> Bool {
        if try isOwned(name, until: deadline) { return true }
        let activatable = try ask("ListActivatableNames", until: deadline)
        guard case .array(_, let names)? = activatable.values.first else { return false }
        return names.contains(.string(name))
    }

    /// Asks the bus to report when the program with this unique name goes. `isDeparture` recognises the signal.
    package func watchDeparture(of uniqueName: String, until deadline: Deadline) throws(DBusError) {
        let rule = SignalRule(
            sender: Self.bus,
            interface: Self.bus,
            member: "NameOwnerChanged",
            firstArgument: uniqueName
        )
        try watch(rule, until: deadline)
    }

    /// Whether a message of the bus reports that this program is gone.
    package static func isDeparture(_ message: DBusMessage, of uniqueName: String) -> Bool {
        // A message that cannot be parsed is not the one that is waited for.
        message.sender == bus && message.member == "NameOwnerChanged"
            && (try? message.values()) == [.string(uniqueName), .string(uniqueName), .string("")]
    }

    private func ask(
        _ member: String,
        arguments: [DBusValue] = [],
        until deadline: Deadline
    ) throws(DBusError) -> BusReply {
        try call(.bus(member, arguments: arguments), until: deadline)
    }
}
