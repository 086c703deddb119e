// Licensed under the MIT License. See LICENSE.

import Testing

@testable import DBus

struct BusObjectTests {
    private let objects = BusObjects([
        BusObject(
            "/com/contoso/greeter",
            interfaces: [
                .init(
                    "com.contoso.Greeter",
                    methods: [.init("greet", input: [.string], output: [.string])],
                    properties: [("Language", .string("en"))]
                )
            ],
            isIntrospectable: true
        ),
        BusObject(
            "/com/contoso/silent",
            interfaces: [.init("com.contoso.Silent", methods: [.init("wait", input: [], output: [])])],
            isIntrospectable: false
        ),
    ])

    private func call(
        _ member: String,
        interface: String? = "com.contoso.Greeter",
        path: String = "/com/contoso/greeter",
        arguments: [DBusValue] = [.string("Megan")]
    ) throws -> BusService.Response? {
        var message = DBusMessage(.call, serial: 1)
        (message.path, message.interface, message.member) = (path, interface, member)
        try message.setValues(arguments)
        return objects.response(to: message)
    }

    private func errorName(of response: BusService.Response?) -> BusService.ErrorName? {
        if case .error(let name, _) = response { name } else { nil }
    }

    @Test func `a call of a method is left to the service, with or without its interface`() throws {
        #expect(try call("greet") == nil)
        #expect(try call("greet", interface: nil) == nil)
    }

    @Test func `a call that matches nothing is rejected with the part that does not match`() throws {
        #expect(errorName(of: try call("greet", path: "/com/contoso/other")) == .unknownObject)
        #expect(errorName(of: try call("greet", interface: "com.contoso.Other")) == .unknownInterface)
        #expect(errorName(of: try call("shout")) == .unknownMethod)
        #expect(errorName(of: try call("greet", arguments: [])) == .invalidArguments)
        #expect(errorName(of: try call("greet", arguments: [.int32(1)])) == .invalidArguments)
    }

    @Test func `an object describes itself and its children`() throws {
        let introspectable = "org.freedesktop.DBus.Introspectable"
        func text(_ path: String) throws -> String {
            let response = try call("Introspect", interface: introspectable, path: path, arguments: [])
            guard case .values(let values) = response else { return "" }
            return values.first?.string ?? ""
        }

        #expect(try text("/com/contoso/greeter").contains("<method name=\"greet\">"))
        #expect(try text("/com/contoso/greeter").contains("<property name=\"Language\" type=\"s\" access=\"read\"/>"))
        #expect(try text("/com").contains("<node name=\"contoso\"/>"))
        #expect(try text("/com/contoso").contains("<node name=\"greeter\"/>"))
        #expect(try !text("/com/contoso").contains("silent"))
        let silent = try call("Introspect", interface: introspectable, path: "/com/contoso/silent", arguments: [])
        #expect(errorName(of: silent) == .unknownInterface)
    }

    @Test func `properties are read, one or all, and not changed`() throws {
        let properties = "org.freedesktop.DBus.Properties"
        func read(_ member: String, _ arguments: DBusValue...) throws -> BusService.Response? {
            try call(member, interface: properties, arguments: arguments)
        }
        let name = DBusValue.string("com.contoso.Greeter")

        #expect(try read("Get", name, .string("Language")) == .values([.variant(.string("en"))]))
        #expect(try read("GetAll", name) == .values([.variants([("Language", .string("en"))])]))
        #expect(errorName(of: try read("Get", name, .string("Size"))) == .unknownProperty)
        #expect(errorName(of: try read("Set", name, .string("Language"), .variant(.string("de")))) == .readOnlyProperty)
        #expect(errorName(of: try read("GetAll", .string("com.contoso.Other"))) == .unknownInterface)
        let silent = try call("GetAll", interface: properties, path: "/com/contoso/silent", arguments: [name])
        #expect(errorName(of: silent) == .unknownInterface)
    }

    @Test func `every object is reached by a ping`() throws {
        let response = try call("Ping", interface: "org.freedesktop.DBus.Peer", path: "/any", arguments: [])

        #expect(response == .values([]))
    }
}
