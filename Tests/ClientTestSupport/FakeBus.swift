// Licensed under the MIT License. See LICENSE.

package import DBus
import Foundation
import Glibc
import Synchronization
import TestSupport

/// A session bus on a separate socket, with one service on it that behaves as the test says.
package final class FakeBus: Sendable {
    /// The reactions of the service to a call. Without any the caller waits.
    package enum Action: Sendable {
        case answer([DBusValue])
        case error(String)
        /// An error with a text.
        case failure(String, text: String)
        case signal(path: String, interface: String, member: String, [DBusValue])
        /// Writes into the file descriptor that came with the call, and closes it.
        case write([UInt8])
        /// The bus reports that the service has left.
        case departure
        /// The bus itself ends.
        case hangUp
    }

    package typealias Service = @Sendable (_ call: DBusMessage) -> [Action]

    /// The bus's information about the service.
    package struct Standing: Sendable {
        /// Whether the service runs.
        package var isRunning: Bool
        /// Whether the bus can start the service.
        package var isActivatable = true
        /// The error of the bus when it tries to start the service, whatever the bus lists.
        package var startError: String?
        package var uniqueName = FakeBus.serviceName
        /// The user under which the service runs.
        package var user: Int = FakeBus.ownUser
        /// Whether the bus responds to nothing after the handshake.
        package var isMute = false
        /// The members of the bus that were called.
        package fileprivate(set) var questions: [String] = []
        fileprivate var guests: [Int32] = []
    }

    /// The user who runs the tests.
    package static let ownUser: Int = Int(geteuid())
    /// The service's unique name.
    package static let serviceName = ":1.100"
    /// The identifier of each of these buses.
    package static let id = "00112233445566778899aabbccddeeff"
    private static let bus = "org.freedesktop.DBus"

    /// The variables with which programs find this bus.
    package let environment: [String: String]
    private let listener: Int32
    private let folder: TemporaryDirectory
    private let names: [String]
    private let standing: Shared

    /// Starts a bus.
    ///
    /// `names`: The well-known names for which the bus could start a service; calls to names other than these and the
    /// service's unique name are rejected.
    /// `isRunning`: Whether these services are already running.
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
        self.names = names
        let standing = Shared(Standing(isRunning: isRunning))
        self.standing = standing
        Thread.detachNewThread {
            while case let client = accept(listener, nil, nil), client >= 0 {
                // A client that leaves ends its thread.
                Thread.detachNewThread {
                    try? Guest(descriptor: client, names: names, standing: standing, service: service).serve()
                }
            }
            // The listener is closed here and not with the bus, because by then another bus could have its number.
            close(listener)
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// The bus's current information about the service.
    package var state: Standing { standing.value.withLock { $0 } }

    /// Changes the bus's information about the service. With a report every client is notified that the names have another
    /// owner, and that the old one has left.
    package func change(isReported: Bool = true, _ body: (inout Standing) -> Void) {
        standing.value.withLock { standing in
            let old = standing.isRunning ? standing.uniqueName : ""
            body(&standing)
            let new = standing.isRunning ? standing.uniqueName : ""
            guard isReported else { return }
            let changes = names.map { ($0, new) } + (old == new || old.isEmpty ? [] : [(old, "")])
            for (name, owner) in changes {
                guard let signal = try? Self.ownerChange(of: name, from: old, to: owner).encoded() else { continue }
                // A disconnected client is not notified.
                for guest in standing.guests { _ = send(guest, signal, signal.count, Int32(MSG_NOSIGNAL)) }
            }
        }
    }

    /// Ends all connections, like a bus that stops.
    package func hangUp() {
        standing.value.withLock { standing in
            for guest in standing.guests { shutdown(guest, Int32(SHUT_RDWR)) }
        }
    }

    private static func ownerChange(of name: String, from old: String, to new: String) throws -> DBusMessage {
        var message = DBusMessage(.signal, serial: 1)
        (message.path, message.interface, message.member) = ("/org/freedesktop/DBus", bus, "NameOwnerChanged")
        try message.setValues([.string(name), .string(old), .string(new)])
        message.sender = bus
        return message
    }

    private final class Shared: Sendable {
        let value: Mutex<Standing>

        init(_ value: Standing) { self.value = Mutex(value) }
    }

    private struct Guest {
        struct Left: Error {}

        let descriptor: Int32
        let names: [String]
        let standing: Shared
        let service: Service
        /// The descriptors that have come with messages and were not used yet.
        let descriptors = Descriptors()

        func serve() throws {
            standing.value.withLock { $0.guests.append(descriptor) }
            defer {
                standing.value.withLock { $0.guests.removeAll { $0 == descriptor } }
                close(descriptor)
                for unused in descriptors.list { close(unused) }
            }
            while case let line = try takeLine(), line != "BEGIN\r\n" {
                try send(Array((line == "NEGOTIATE_UNIX_FD\r\n" ? "AGREE_UNIX_FD\r\n" : "OK \(FakeBus.id)\r\n").utf8))
            }
            while true {
                let prefix = try take(DBusMessage.prefixLength)
                let rest = try take(try DBusMessage.length(prefix[...]) - prefix.count)
                guard let call = try DBusMessage(parsing: prefix + rest) else { continue }
                for action in try actions(call) { try perform(action, on: call) }
            }
        }

        private func actions(_ call: DBusMessage) throws -> [Action] {
            guard call.destination == bus else {
                let name = call.destination ?? ""
                let isKnown = names.contains(name) || name == standing.value.withLock { $0.uniqueName }
                return isKnown ? service(call) : [.error("org.freedesktop.DBus.Error.ServiceUnknown")]
            }
            return standing.value.withLock { standing in
                standing.questions.append(call.member ?? "")
                if standing.isMute && call.member != "Hello" { return [] }
                return answer(call.member ?? "", standing: &standing)
            }
        }

        private func answer(_ member: String, standing: inout Standing) -> [Action] {
            switch member {
            case "Hello": return [.answer([.string(":1.1")])]
            case "NameHasOwner": return [.answer([.boolean(standing.isRunning)])]
            case "ListActivatableNames":
                let names = standing.isActivatable ? names.map(DBusValue.string) : []
                return [.answer([.array(of: .string, names)])]
            case "StartServiceByName":
                if let error = standing.startError { return [.error(error)] }
                // dbus-daemon gives the same response for a running service.
                guard standing.isActivatable else { return [.error("org.freedesktop.DBus.Error.ServiceUnknown")] }
                if standing.isRunning { return [.answer([.uint32(2)])] }
                standing.isRunning = true
                return [.answer([.uint32(1)])]
            case "GetNameOwner":
                guard standing.isRunning else { return [.error("org.freedesktop.DBus.Error.NameHasNoOwner")] }
                return [.answer([.string(standing.uniqueName)])]
            case "GetConnectionUnixUser": return [.answer([.uint32(UInt32(clamping: standing.user))])]
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
            case .failure(let name, let text):
                message = DBusMessage(.error, serial: 1)
                message.replySerial = call.serial
                message.errorName = name
                try message.setValues([.string(text)])
            case .signal(let path, let interface, let member, let values):
                message = DBusMessage(.signal, serial: 1)
                (message.path, message.interface, message.member) = (path, interface, member)
                try message.setValues(values)
            case .write(let bytes):
                guard !descriptors.list.isEmpty else { throw Left() }
                let descriptor = descriptors.list.removeFirst()
                _ = write(descriptor, bytes, bytes.count)  // The reader may be gone.
                close(descriptor)
                return
            case .departure:
                let name = standing.value.withLock { $0.uniqueName }
                message = try FakeBus.ownerChange(of: name, from: name, to: "")
            case .hangUp:
                throw Left()
            }
            let name = standing.value.withLock { $0.uniqueName }
            message.sender = message.sender ?? (call.destination == bus ? bus : name)
            try send(try message.encoded())
        }

        private func send(_ bytes: [UInt8]) throws {
            guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { throw Left() }
        }

        private func takeLine() throws -> String {
            var line: [UInt8] = []
            while line.last != UInt8(ascii: "\n") { line += try take(1) }
            return String(decoding: line, as: UTF8.self)
        }

        private func take(_ count: Int) throws -> [UInt8] {
            var bytes: [UInt8] = []
            while bytes.count < count { bytes += try descriptors.receive(from: descriptor, limit: count - bytes.count) }
            return bytes
        }
    }

    /// Receives bytes, and keeps the descriptors that come with them. One thread uses it.
    private final class Descriptors {
        var list: [Int32] = []

        func receive(from socket: Int32, limit: Int) throws -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: limit)
            var control = [UInt8](repeating: 0, count: 64)
            let count = bytes.withUnsafeMutableBytes { bytes in
                control.withUnsafeMutableBytes { control in
                    var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                    return withUnsafeMutablePointer(to: &part) { part in
                        var message = msghdr()
                        (message.msg_iov, message.msg_iovlen) = (part, 1)
                        (message.msg_control, message.msg_controllen) = (control.baseAddress, control.count)
                        let count = recvmsg(socket, &message, Int32(MSG_CMSG_CLOEXEC))
                        keep(control.prefix(Int(message.msg_controllen)))
                        return count
                    }
                }
            }
            guard count > 0 else { throw Guest.Left() }
            return Array(bytes.prefix(count))
        }

        /// The control data are a header and the descriptors (cmsg(3)).
        private func keep(_ control: Slice<UnsafeMutableRawBufferPointer>) {
            let header = MemoryLayout<cmsghdr>.size
            guard control.count > header else { return }
            let data = UnsafeRawBufferPointer(rebasing: control)
            let length = data.loadUnaligned(as: cmsghdr.self).cmsg_len
            for offset in stride(from: header, to: Int(length), by: MemoryLayout<Int32>.size) {
                list.append(data.loadUnaligned(fromByteOffset: offset, as: Int32.self))
            }
        }
    }
}
