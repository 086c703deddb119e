// Licensed under the MIT License. See LICENSE.

/// An object that a service exports on the bus, with its methods and properties.
package struct BusObject: Sendable {
    package struct Method: Sendable {
        package let name: String
        package let input: [DBusType]
        package let output: [DBusType]

        package init(_ name: String, input: [DBusType], output: [DBusType]) {
            (self.name, self.input, self.output) = (name, input, output)
        }
    }

    package struct Interface: Sendable {
        package let name: String
        package let methods: [Method]
        /// The readable properties, in order.
        package let properties: [(name: String, value: DBusValue)]

        package init(_ name: String, methods: [Method] = [], properties: [(name: String, value: DBusValue)] = []) {
            (self.name, self.methods, self.properties) = (name, methods, properties)
        }
    }

    package let path: String
    package let interfaces: [Interface]
    /// Whether the object supports introspection (`org.freedesktop.DBus.Introspectable`).
    package let isIntrospectable: Bool

    package init(_ path: String, interfaces: [Interface], isIntrospectable: Bool) {
        (self.path, self.interfaces, self.isIntrospectable) = (path, interfaces, isIntrospectable)
    }
}

/// The objects of a service. They implement the standard interfaces, and reject calls that match none of their methods.
package struct BusObjects: Sendable {
    private let objects: [BusObject]

    package init(_ objects: [BusObject]) { self.objects = objects }

    /// The response to a call that does not need the service's own code; `nil` for a call of one of its methods.
    ///
    /// Uses the errors that libraries know (D-Bus specification, "Standard interfaces" and the names of the reference
    /// implementation): `UnknownObject`, `UnknownInterface`, `UnknownMethod`, `InvalidArgs`.
    package func response(to call: DBusMessage) -> BusService.Response? {
        let (path, member) = (call.path ?? "", call.member ?? "")
        if call.interface == StandardName.peer, member == "Ping" { return .values([]) }
        guard let object = objects.first(where: { $0.path == path }) else {
            let children = children(of: path)
            guard !children.isEmpty else { return .error(.unknownObject, "There is no object \(path).") }
            guard call.interface ?? StandardName.introspectable == StandardName.introspectable, member == "Introspect"
            else { return .error(.unknownInterface, "The object \(path) has only children.") }
            return .values([.string(Introspection.text(of: [], children: children))])
        }
        if object.isIntrospectable, call.interface ?? StandardName.introspectable == StandardName.introspectable,
            member == "Introspect"
        {
            return .values([.string(Introspection.text(of: object.interfaces, children: children(of: path)))])
        }
        let hasProperties = object.interfaces.contains { !$0.properties.isEmpty }
        if hasProperties, call.interface == StandardName.properties { return properties(of: object, call: call) }
        return refusal(of: call, at: object)
    }

    private func refusal(of call: DBusMessage, at object: BusObject) -> BusService.Response? {
        // Without an interface, any method of that name matches (D-Bus specification, "Message types").
        let interfaces = object.interfaces.filter { $0.name == call.interface ?? $0.name }
        guard !interfaces.isEmpty else {
            return .error(.unknownInterface, "The object \(object.path) has no such interface.")
        }
        let method = interfaces.lazy.flatMap(\.methods).first { $0.name == call.member }
        guard let method else { return .error(.unknownMethod, "The object \(object.path) has no such method.") }
        guard call.signature == method.input else {
            let wanted = DBusSignature.text(method.input)
            return .error(.invalidArguments, "The method \(method.name) takes the arguments '\(wanted)'.")
        }
        return nil
    }

    private func properties(of object: BusObject, call: DBusMessage) -> BusService.Response {
        // A body that does not match its signature has no values, and is rejected with the same error.
        let arguments = ((try? call.values()) ?? []).map(\.string)
        guard let name = arguments.first.flatMap(\.self),
            let interface = object.interfaces.first(where: { $0.name == name })
        else { return .error(.unknownInterface, "The object \(object.path) has no such interface.") }
        switch (call.member, arguments.count) {
        case ("GetAll", 1): return .values([.variants(interface.properties.map { ($0.name, $0.value) })])
        case ("Get", 2):
            guard let property = interface.properties.first(where: { $0.name == arguments[1] }) else {
                return .error(.unknownProperty, "The interface \(name) has no such property.")
            }
            return .values([.variant(property.value)])
        case ("Set", 3): return .error(.readOnlyProperty, "The property cannot be changed.")
        default: return .error(.invalidArguments, "A property is read by Get or GetAll.")
        }
    }

    /// The next path elements below a path that lead to introspectable objects.
    private func children(of path: String) -> [String] {
        let prefix = path.hasSuffix("/") ? path : path + "/"
        let names = objects.filter { $0.isIntrospectable && $0.path.hasPrefix(prefix) }
            .compactMap { $0.path.dropFirst(prefix.count).split(separator: "/").first.map(String.init) }
        return Array(Set(names)).sorted()
    }
}

private enum StandardName {
    static let peer = "org.freedesktop.DBus.Peer"
    static let introspectable = "org.freedesktop.DBus.Introspectable"
    static let properties = "org.freedesktop.DBus.Properties"
}

/// The description of an object in XML (D-Bus specification, "Introspection data format"). All names are defined by a
/// service in this repository, and none contains a character that XML would escape.
private enum Introspection {
    static func text(of interfaces: [BusObject.Interface], children: [String]) -> String {
        let own = interfaces.map { interface in
            let methods = interface.methods.map { method in
                "    <method name=\"\(method.name)\">\n"
                    + arguments(method.input, direction: "in") + arguments(method.output, direction: "out")
                    + "    </method>\n"
            }
            let properties = interface.properties.map {
                "    <property name=\"\($0.name)\" type=\"\(DBusSignature.text([$0.value.type]))\" access=\"read\"/>\n"
            }
            return "  <interface name=\"\(interface.name)\">\n" + (methods + properties).joined() + "  </interface>\n"
        }
        let nodes = children.map { "  <node name=\"\($0)\"/>\n" }
        return """
            <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
            "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
            <node>
            \((own + nodes).joined())</node>

            """
    }

    private static func arguments(_ types: [DBusType], direction: String) -> String {
        types.map { "      <arg type=\"\(DBusSignature.text([$0]))\" direction=\"\(direction)\"/>\n" }.joined()
    }
}
