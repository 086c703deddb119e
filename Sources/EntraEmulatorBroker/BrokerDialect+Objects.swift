// Licensed under the MIT License. See LICENSE.

import DBus
import MSALBase

extension BrokerDialect {
    /// The objects on the bus of a broker with this dialect.
    var objects: BusObjects {
        let interface = BusObject.Interface(BrokerAddress.interface, methods: BrokerAddress.methods)
        let broker = BusObject(BrokerAddress.path, interfaces: [interface], isIntrospectable: self != .current)
        guard self == .himmelblau else { return BusObjects([broker]) }
        // systemd's "The LogControl1 D-Bus interface".
        let log = BusObject.Interface(
            "org.freedesktop.LogControl1",
            properties: [
                ("LogLevel", .string("info")), ("LogTarget", .string("journal")),
                ("SyslogIdentifier", .string("himmelblau_broker")),
            ]
        )
        return BusObjects([
            broker, BusObject("/org/freedesktop/LogControl1", interfaces: [log], isIntrospectable: false),
        ])
    }
}
