// Licensed under the MIT License. See LICENSE.

package import DBus
import Foundation
import Glibc
import TestSupport

/// A session bus on a socket of its own, and one service on it that does what the test says.
package final class FakeBus: Sendable {
    /// The reactions of the service to a call. Without any the caller waits.
    package enum Action: Sendable {
        case answer([DBusValue])
        case error(String)
        case signal(path: String, interface: String, member: String, [DBusValue])
        /// The bus says that the service is gone.
        case departure
        /// The bus itself goes.
        case hangUp
    }

    package typealias Service = @Sendable (_ call: DBusMessage) -> [Action]

    /// The service's unique name.
    package static let serviceName = ":1.100"
    private static let bus = "org.freedesktop.DBus"

    /// The variables by which programs find this bus.
    package let environment: [String: String]
    private let listener: Int32
    private let folder: TemporaryDirectory

    /// Starts a bus.
    ///
    /// `names`: The well-known names that the bus could start a service for; calls to any other are refused.
    /// `isRunning`: Whether these services run already.
    package init(names: [String], isRunning: Bool = false, service: @escaping Service) throws {
        folder = try TemporaryDirectory()
        let path = folder.path + "/s"
        environment = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(path)"]
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0, listen(listener, 16) == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
        self.listener = listener
        Thread.detachNewThread {
            while case let client = accept(listener, nil, nil), client >= 0 {
                // A client that leaves ends its thread.
                Thread.detachNewThread {
                    try? Guest(descriptor: client, names: names, isRunning: isRunning, service: service).serve()
                }
            }
            // The listener closes here and not with the bus, because by then its number could be another bus's.
            close(listener)
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private struct Guest {
        struct Left: Error {}

        let descriptor: Int32
        let names: [String]
        let isRunning: Bool
        let service: Service

        func serve() throws {
            defer { close(descriptor) }
            while try take(1) != [UInt8(ascii: "\n")] {}
            try send(Array("OK 00112233445566778899aabbccddeeff\r\n".utf8))
            _ = try take("BEGIN\r\n".utf8.count)
            while true {
                let prefix = try take(DBusMessage.prefixLength)
                let rest = try take(try DBusMessage.length(prefix[...]) - prefix.count)
                guard let call = try DBusMessage(parsing: prefix + rest) else { continue }
                for action in try actions(call) { try perform(action, on: call) }
            }
        }

        private func actions(_ call: DBusMessage) throws -> [Action] {
            guard call.destination == bus else {
                let isKnown = names.contains(call.destination ?? "")
                return isKnown ? service(call) : [.error("org.freedesktop.DBus.Error.ServiceUnknown")]
            }
            switch call.member {
            case "Hello": return [.answer([.string(":1.1")])]
            case "NameHasOwner": return [.answer([.boolean(isRunning)])]
            case "ListActivatableNames": return [.answer([.array(of: .string, names.map(DBusValue.string))])]
            case "AddMatch": return [.answer([])]
            default: return [.error("org.freedesktop.DBus.Error.UnknownMethod")]
            }
        }

        private func perform(_ action: Action, on call: DBusMessage) throws {
            var message: DBusMessage
            switch action {
            case .answer(let values):
                message = DBusMessage(.methodReturn, serial: 1)
                message.replySerial = call.serial
                try message.setValues(values)
            case .error(let name):
                message = DBusMessage(.error, serial: 1)
                message.replySerial = call.serial
                message.errorName = name
            case .signal(let path, let interface, let member, let values):
                message = DBusMessage(.signal, serial: 1)
                (message.path, message.interface, message.member) = (path, interface, member)
                try message.setValues(values)
            case .departure:
                message = DBusMessage(.signal, serial: 1)
                (message.path, message.interface, message.member) = ("/org/freedesktop/DBus", bus, "NameOwnerChanged")
                try message.setValues([.string(serviceName), .string(serviceName), .string("")])
                message.sender = bus
            case .hangUp:
                throw Left()
            }
            message.sender = message.sender ?? (call.destination == bus ? bus : serviceName)
            try send(try message.encoded())
        }

        private func send(_ bytes: [UInt8]) throws {
            guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { throw Left() }
        }

        private func take(_ count: Int) throws -> [UInt8] {
            var bytes: [UInt8] = []
            while bytes.count < count {
                var buffer = [UInt8](repeating: 0, count: count - bytes.count)
                let step = recv(descriptor, &buffer, buffer.count, 0)
                guard step > 0 else { throw Left() }
                bytes += buffer.prefix(step)
            }
            return bytes
        }
    }
}
