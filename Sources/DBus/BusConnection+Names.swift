// Licensed under the MIT License. See LICENSE.

/// Questions that the bus itself responds to.
extension BusConnection {
    /// Whether the bus can start a program for this well-known name.
    func canStart(_ name: String, until deadline: Deadline) throws(DBusError) -> Bool {
        let activatable = try call(.bus("ListActivatableNames"), until: deadline)
        guard case .array(_, let names)? = activatable.first else { return false }
        return names.contains(.string(name))
    }

    /// Has the bus start a program for this well-known name, unless one has it already.
    ///
    /// Throws `.remote` with the bus's error if nothing can be started for it.
    func start(_ name: String, until deadline: Deadline) throws(DBusError) {
        _ = try call(.bus("StartServiceByName", arguments: [.string(name), .uint32(0)]), until: deadline)
    }

    /// The unique name of the program that has this well-known name.
    ///
    /// Throws `.remote` with `NameHasNoOwner` if there is none.
    func owner(of name: String, until deadline: Deadline) throws(DBusError) -> String {
        let values = try call(.bus("GetNameOwner", arguments: [.string(name)]), until: deadline)
        guard let owner = values.first?.string else { throw .malformed("the bus gave no name") }
        return owner
    }

    /// The user whom the program with this name runs as, as the kernel told the bus.
    func user(of name: String, until deadline: Deadline) throws(DBusError) -> UInt32 {
        let values = try call(.bus("GetConnectionUnixUser", arguments: [.string(name)]), until: deadline)
        guard case .uint32(let user)? = values.first else { throw .malformed("the bus gave no user") }
        return user
    }

    /// Asks the bus to report when this name gets another owner, or loses the one that it has. `isChange` recognises the
    /// signal, and `isDeparture` that of a unique name.
    package func watchOwner(of name: String, until deadline: Deadline) throws(DBusError) {
        let rule = SignalRule(sender: Self.bus, interface: Self.bus, member: "NameOwnerChanged", firstArgument: name)
        try watch(rule, until: deadline)
    }

    /// Whether a message of the bus reports that a well-known name has another owner, or none.
    package static func isChange(_ message: DBusMessage, of name: String) -> Bool {
        message.sender == bus && message.member == "NameOwnerChanged"
            && (try? message.values())?.first == .string(name)  // A message that cannot be read is not this report.
    }

    /// Whether a message of the bus reports that the program with this unique name is gone.
    static func isDeparture(_ message: DBusMessage, of uniqueName: String) -> Bool {
        // A message with an unreadable body is not this report.
        message.sender == bus && message.member == "NameOwnerChanged"
            && (try? message.values()) == [.string(uniqueName), .string(uniqueName), .string("")]
    }
}
