// Licensed under the MIT License. See LICENSE.

/// A request to the desktop portal, whose result arrives later as a signal (XDG Desktop Portal,
/// `org.freedesktop.portal.Request`). The portal closes its window when the caller leaves the bus.
package struct PortalRequest: Sendable {
    /// The portal's well-known name.
    package static let portalName = "org.freedesktop.portal.Desktop"
    /// The portal object that implements all its interfaces.
    package static let portalPath = "/org/freedesktop/portal/desktop"
    private static let interface = "org.freedesktop.portal.Request"

    /// The result of a request.
    package enum Outcome: Sendable {
        case done
        /// The user closed the portal's window.
        case canceled
        case failed
    }

    private let portal: TrustedName
    /// The path of the request object.
    package let handle: String

    /// Calls a method of the portal.
    ///
    /// `arguments`: The arguments before the options. `descriptors`: See ``BusCall``. Throws the same errors as
    /// ``BusConnection/call(_:until:)``.
    package init(
        to portal: TrustedName,
        on connection: BusConnection,
        interface: String,
        member: String,
        arguments: [DBusValue],
        descriptors: [CInt] = [],
        until deadline: Deadline
    ) throws(DBusError) {
        // The caller chooses the path of the request, so that it can subscribe to the result before it sends the
        // request.
        let token = "msal\(String(UInt64.random(in: .min ... .max), radix: 16))"
        let caller = String(connection.name.dropFirst().map { $0 == "." ? "_" : $0 })
        self.portal = portal
        handle = "\(Self.portalPath)/request/\(caller)/\(token)"
        let rule = SignalRule(from: portal, interface: Self.interface, member: "Response", path: handle)
        try connection.watch(rule, until: deadline)
        var call = BusCall(
            to: portal,
            at: Self.portalPath,
            interface: interface,
            member: member,
            arguments: arguments + [.variants([("handle_token", .string(token))])]
        )
        call.descriptors = descriptors
        _ = try connection.call(call, until: deadline)
    }

    /// Waits for the result.
    ///
    /// Throws the same errors as ``BusConnection/signal(of:until:where:)``.
    package func outcome(on connection: BusConnection, until deadline: Deadline) throws(DBusError) -> Outcome {
        let signal = try connection.signal(of: portal, until: deadline) { message in
            message.path == handle && message.member == "Response"
        }
        guard case .uint32(let code)? = try signal.values().first else { return .failed }
        switch code {
        case 0: return .done
        case 1: return .canceled
        default: return .failed
        }
    }
}
