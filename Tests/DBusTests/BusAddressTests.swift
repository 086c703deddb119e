// Licensed under the MIT License. See LICENSE.

import Testing

@testable import DBus

struct BusAddressTests {
    private static let guid = "00112233445566778899aabbccddeeff"

    @Test(
        arguments: [
            (["DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/user/1/bus"], [BusAddress(.path("/run/user/1/bus"))]),
            (
                ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/a,guid=00112233445566778899AABBCCDDEEFF;unix:abstract=/b"],
                [BusAddress(.path("/a"), guid: Self.guid), BusAddress(.abstract("/b"))]
            ),
            (["DBUS_SESSION_BUS_ADDRESS": "unix:path=/with%20space%2C"], [BusAddress(.path("/with space,"))]),
            (["DBUS_SESSION_BUS_ADDRESS": "tcp:host=h,port=1;unix:path=/a"], [BusAddress(.path("/a"))]),
            (["DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": "/r"], [BusAddress(.path("/r/bus"))]),
            (["DBUS_SESSION_BUS_ADDRESS": "unix:runtime=yes", "XDG_RUNTIME_DIR": "/r"], [BusAddress(.path("/r/bus"))]),
            (["XDG_RUNTIME_DIR": "/r"], [BusAddress(.path("/r/bus"))]),
            (["XDG_RUNTIME_DIR": "relative"], []),
            (["DBUS_SESSION_BUS_ADDRESS": "disabled:", "XDG_RUNTIME_DIR": "/r"], []),
            (
                [
                    "DBUS_SESSION_BUS_ADDRESS":
                        "unix:path=/a,path=/b;unix:path=/a,guid=00;unix:path=/%zz;unix:path=/%00;unix:"
                ], []
            ),
            (["DBUS_SESSION_BUS_ADDRESS": "unix:path=/a,abstract=/b;unix:tmpdir=/tmp"], []),
            ([:], []),
        ] as [([String: String], [BusAddress])]
    )
    func `the session bus is found`(_ environment: [String: String], _ addresses: [BusAddress]) {
        #expect(BusAddress.session(environment) == addresses)
    }

    @Test func `an address without a usable transport is reported as no bus`() {
        let deadline = Deadline(after: .seconds(5))
        let long = "/" + String(repeating: "x", count: 200)

        for environment in [[:], ["XDG_RUNTIME_DIR": "/nonexistent"], ["XDG_RUNTIME_DIR": long]] {
            let error = #expect(throws: DBusError.self) { try BusConnection.session(environment, until: deadline) }
            #expect(error?.kind == .noBus)
        }
    }
}
