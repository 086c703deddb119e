// Licensed under the MIT License. See LICENSE.

/// A call of a method of an object on the bus.
package struct BusCall: Sendable {
    /// The unique name of the program, or the name of the bus.
    let destination: String
    /// The name of the program, for messages.
    private(set) var callee: String
    package var path: String
    package var interface: String
    package var member: String
    package var arguments: [DBusValue]
    /// The file descriptors to send with the call. The callee receives copies. A `.descriptor` in the arguments is an
    /// index into this list. Requires a connection that passes descriptors.
    package var descriptors: [CInt] = []

    package init(
        to program: TrustedName,
        at path: String,
        interface: String,
        member: String,
        arguments: [DBusValue] = []
    ) {
        self.init(to: program.uniqueName, at: path, interface: interface, member: member, arguments: arguments)
        callee = program.wellKnownName
    }

    init(to destination: String, at path: String, interface: String, member: String, arguments: [DBusValue] = []) {
        self.destination = destination
        callee = destination
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }

    /// A call of a method of the bus itself.
    static func bus(_ member: String, arguments: [DBusValue] = []) -> BusCall {
        let name = BusConnection.bus
        return BusCall(to: name, at: "/org/freedesktop/DBus", interface: name, member: member, arguments: arguments)
    }

    func message(serial: UInt32) throws(DBusError) -> DBusMessage {
        var message = DBusMessage(.call, serial: serial)
        message.destination = destination
        message.path = path
        message.interface = interface
        message.member = member
        message.descriptorCount = UInt32(clamping: descriptors.count)
        try message.setValues(arguments)
        return message
    }

    /// The error in `response`, a response to this call.
    func error(in response: DBusMessage) -> DBusError {
        let name = response.errorName ?? ""
        // An unreadable body is ignored because callers check only the name.
        let text = (try? response.values())?.first?.string
        return DBusError(
            .remote(name: name),
            message: "\(callee) responded to the call of \(member) with \(name).",
            foreignText: text.map { String($0.prefix(2048)) }
        )
    }
}

/// The signals that the bus should forward (D-Bus specification, "Match rules").
package struct SignalRule: Sendable {
    let sender: String
    let interface: String
    let member: String
    var path: String?
    /// The first argument, if it is a string.
    var firstArgument: String?

    /// The rule as text for the bus. No value contains an apostrophe: all are names and paths.
    var text: String {
        var text = "type='signal',sender='\(sender)',interface='\(interface)',member='\(member)'"
        if let path { text += ",path='\(path)'" }
        if let firstArgument { text += ",arg0='\(firstArgument)'" }
        return text
    }
}

extension SignalRule {
    /// Signals of a program.
    package init(from program: TrustedName, interface: String, member: String, path: String) {
        self.init(sender: program.uniqueName, interface: interface, member: member, path: path)
    }
}
