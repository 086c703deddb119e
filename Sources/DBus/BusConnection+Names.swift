// Licensed under the MIT License. See LICENSE.

/// Methods of the bus itself.
extension BusConnection {
    /// Whether the bus can start a program for this well-known name.
    func canStart(_ name: String, until deadline: Deadline) throws(DBusError) -> Bool {
        let activatable = try call(.bus("ListActivatableNames"), until: deadline)
        guard case .array(_, let names)? = activatable.first else { return false }
        return names.contains(.string(name))
    }

    /// Makes the bus start a program for this well-known name, unless the name already has an owner.
    ///
    /// Throws `.remote` with the bus's error if no program can be started for it.
    func start(_ name: String, until deadline: Deadline) throws(DBusError) {
        _ = try call(.bus("StartServiceByName", arguments: [.string(name), .uint32(0)]), until: deadline)
    }

    /// The unique name of the owner of this well-known name.
    ///
    /// Throws `.remote` with `NameHasNoOwner` if the name has no owner.
    func owner(of name: String, until deadline: Deadline) throws(DBusError) -> String {
        let values = try call(.bus("GetNameOwner", arguments: [.string(name)]), until: deadline)
        guard let owner = values.first?.string else { throw .malformed("the bus returned no name") }
        return owner
    }

    /// The user ID of the owner of this name, which the bus has from the kernel.
    func user(of name: String, until deadline: Deadline) throws(DBusError) -> UInt32 {
        let values = try call(.bus("GetConnectionUnixUser", arguments: [.string(name)]), until: deadline)
        guard case .uint32(let user)? = values.first else { throw .malformed("the bus returned no user") }
        return user
    }

    /// Makes the bus report when the owner of this name changes. `isChange` recognizes the signal, and `isDisconnection`
    /// the signal for a unique name.
    package func watchOwner(of name: String, until deadline: Deadline) throws(DBusError) {
        let rule = SignalRule(sender: Self.bus, interface: Self.bus, member: "NameOwnerChanged", firstArgument: name)
        try watch(rule, until: deadline)
    }

    /// Whether a message of the bus reports that the owner of a well-known name has changed.
    package static func isChange(_ message: DBusMessage, of name: String) -> Bool {
        message.sender == bus && message.member == "NameOwnerChanged"
            && (try? message.values())?.first == .string(name)  // An unreadable message is not this report.
    }

    /// Whether a message of the bus reports that the program with this unique name has left.
    static func isDisconnection(_ message: DBusMessage, of uniqueName: String) -> Bool {
        // A message with an unreadable body is not this report.
        message.sender == bus && message.member == "NameOwnerChanged"
            && (try? message.values()) == [.string(uniqueName), .string(uniqueName), .string("")]
    }
}
