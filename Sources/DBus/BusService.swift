// Licensed under the MIT License. See LICENSE.

import Dispatch
import Synchronization

/// A service on a bus: it owns a well-known name, and responds to calls until it is stopped or the bus exits.
///
/// One thread reads the calls. Each runs in a separate task; a queue sends the responses one after another, so their
/// order may differ. `state` is the only lock, and it is not held while anything is sent.
package final class BusService: Sendable {
    /// The response of a service to a call.
    package enum Response: Sendable, Hashable {
        case values([DBusValue])
        case error(ErrorName, String)
        /// No response is sent, and the caller waits.
        case silence
        /// The connection closes; the bus tells the caller that there will be no response.
        case departure
    }

    /// The error names that libraries know.
    package struct ErrorName: Sendable, Hashable {
        package let text: String

        package init(_ text: String) { self.text = text }

        private init(standard name: String) { text = "org.freedesktop.DBus.Error." + name }

        package static let failed = ErrorName(standard: "Failed")
        package static let unknownObject = ErrorName(standard: "UnknownObject")
        package static let unknownInterface = ErrorName(standard: "UnknownInterface")
        package static let unknownMethod = ErrorName(standard: "UnknownMethod")
        package static let unknownProperty = ErrorName(standard: "UnknownProperty")
        package static let readOnlyProperty = ErrorName(standard: "PropertyReadOnly")
        package static let invalidArguments = ErrorName(standard: "InvalidArgs")
        package static let limitsExceeded = ErrorName(standard: "LimitsExceeded")
    }

    /// The reason why a service could not start.
    package enum StartFailure: Error, Sendable {
        case bus(DBusError)
        /// The bus did not assign the name because another program owns it.
        case nameTaken
    }

    package typealias Handler = @Sendable (DBusMessage) async -> Response

    private struct State {
        var lastSerial: UInt32 = 1 << 16
        var lastCall = 0
        var calls: [Int: Task<Void, Never>] = [:]
        var isStopped = false
    }

    /// The maximum number of concurrent calls. Further calls are rejected. A broker has a handful.
    private static let maximumCalls = 256
    private static let timeToSend = Duration.seconds(60)
    private static let forever = Duration.seconds(1_000_000_000)

    /// The unique name on the bus, such as `:1.42`.
    package let uniqueName: String
    private let socket: BusSocket
    private let handler: Handler
    private let state = Mutex(State())
    private let sending = DispatchQueue(label: "bus-service-sending")

    private init(_ connection: BusConnection, handler: @escaping Handler) {
        uniqueName = connection.name
        socket = connection.socket
        self.handler = handler
    }

    /// Connects to the session bus of an environment, acquires a well-known name, and responds to calls from then on.
    ///
    /// - Throws: `.nameTaken`, or `.bus` with the reason why the bus or the name is unavailable.
    package static func start(
        _ environment: [String: String],
        name: String,
        handler: @escaping Handler
    ) async throws(StartFailure) -> BusService {
        let reading = DispatchQueue(label: "bus-service-reading")
        let result: Result<BusService, StartFailure> = await withCheckedContinuation { continuation in
            reading.async {
                let connection: BusConnection
                let service: BusService
                do throws(StartFailure) {
                    connection = try connect(environment, name: name)
                    service = BusService(connection, handler: handler)
                } catch {
                    continuation.resume(returning: .failure(error))
                    return
                }
                continuation.resume(returning: .success(service))
                service.read(connection)
            }
        }
        return try result.get()
    }

    private static func connect(_ environment: [String: String], name: String) throws(StartFailure) -> BusConnection {
        let deadline = Deadline(after: .seconds(20))
        let values: [DBusValue]
        let connection: BusConnection
        do {
            connection = try BusConnection.session(environment, until: deadline)
            // D-Bus specification, "org.freedesktop.DBus.RequestName": 4 is "do not queue".
            values = try connection.call(.bus("RequestName", arguments: [.string(name), .uint32(4)]), until: deadline)
        } catch {
            throw .bus(error)
        }
        // 1 is "primary owner", 4 is "already the owner".
        guard case .uint32(let outcome)? = values.first, [1, 4].contains(outcome) else { throw .nameTaken }
        return connection
    }

    /// Leaves the bus. Calls in progress are canceled and get no response. Further calls have no effect.
    package func stop() {
        let calls = state.withLock { state in
            state.isStopped = true
            defer { state.calls = [:] }
            return Array(state.calls.values)
        }
        for call in calls { call.cancel() }
        socket.end()
    }

    // MARK: Calls

    private func read(_ connection: BusConnection) {
        let deadline = Deadline(after: Self.forever)
        // The loop ends with the connection: it was stopped, or the bus exited or sent invalid data.
        while let message = try? connection.nextMessage(until: deadline) {
            if message.kind == .call { receive(message) }
        }
        stop()
    }

    private func receive(_ call: DBusMessage) {
        let isAccepted = state.withLock { state in
            guard !state.isStopped, state.calls.count < Self.maximumCalls else { return false }
            state.lastCall += 1
            let id = state.lastCall
            // The table owns the task: it ends by itself, or `stop` cancels it.
            state.calls[id] = Task {
                let response = await handler(call)
                self.state.withLock { $0.calls[id] = nil }
                send(response, to: call)
            }
            return true
        }
        if !isAccepted { send(.error(.limitsExceeded, "Too many calls wait for a response."), to: call) }
    }

    private func send(_ response: Response, to call: DBusMessage) {
        guard let sender = call.sender else { return }
        let serial = state.withLock { state in
            state.lastSerial &+= 1
            return state.lastSerial
        }
        var message: DBusMessage
        let values: [DBusValue]
        switch response {
        case .values(let content):
            message = DBusMessage(.methodReturn, serial: serial)
            values = content
        case .error(let name, let text):
            message = DBusMessage(.error, serial: serial)
            message.errorName = name.text
            values = [.string(text)]
        case .silence: return
        case .departure: return stop()
        }
        message.replySerial = call.serial
        message.destination = sender
        sending.async { [message] in
            var message = message
            do {
                try message.setValues(values)
                try self.socket.write(message.encoded(), until: Deadline(after: Self.timeToSend))
            } catch {
                // The bus would misread the rest of a message that was sent only partially.
                self.stop()
            }
        }
    }
}
