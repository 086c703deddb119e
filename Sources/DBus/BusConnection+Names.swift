// Licensed under the MIT License. See LICENSE.

extension BusConnection {
    /// Whether somebody has this well-known name.
    package func isOwned(_ name: String, _ deadline: Deadline) throws(DBusError) -> Bool {
        try ask("NameHasOwner", [.string(name)], deadline).values.first?.boolean == true
    }

    /// Whether somebody has this well-known name, or the bus knows a program to start for it.
    package func canReach(_ name: String, _ deadline: Deadline) throws(DBusError) -> Bool {
        if try isOwned(name, deadline) { return true }
        let activatable = try ask("ListActivatableNames", [], deadline)
        guard case .array(_, let names)? = activatable.values.first else { return false }
        return names.contains(.string(name))
    }

    /// Has the bus report when the program with this unique name goes; `isDeparture` tells such a signal.
    package func watchDeparture(of uniqueName: String, _ deadline: Deadline) throws(DBusError) {
        let rule = SignalRule(
            sender: Self.bus,
            interface: Self.bus,
            member: "NameOwnerChanged",
            firstArgument: uniqueName
        )
        try watch(rule, deadline)
    }

    /// Whether a message is the bus's word that this program is gone.
    package static func isDeparture(_ message: DBusMessage, of uniqueName: String) -> Bool {
        // Only absence is read from a message that cannot be parsed: it is none of ours.
        message.sender == bus && message.member == "NameOwnerChanged"
            && (try? message.values()) == [.string(uniqueName), .string(uniqueName), .string("")]
    }

    private func ask(_ member: String, _ arguments: [DBusValue], _ deadline: Deadline) throws(DBusError) -> BusReply {
        try call(BusCall(to: Self.bus, at: "/org/freedesktop/DBus", interface: Self.bus, member, arguments), deadline)
    }
}
