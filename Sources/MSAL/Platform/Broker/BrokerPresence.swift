// Licensed under the MIT License. See LICENSE.

import DBus
import Glibc
import MSALBase
import Synchronization

/// Whether a broker is on the bus. A negative result is cached for a minute, or until the bus reports a change
/// (docs/reference/Broker.md#presence). A broker that hung a moment ago counts as missing
/// (docs/reference/Broker.md#hang).
///
/// The connection stays open for that, without a thread: the next query reads the signals that arrived in the meantime.
final class BrokerPresence: Sendable {
    /// A cached negative result with its reason.
    private struct Absence {
        let reason: String
        let since: Duration
        /// Whether the bus was only too slow for a query that could not wait.
        let isQuick: Bool
    }

    /// An idle connection with its process ID: the child of a `fork` must not use it.
    ///
    /// `Sendable` is unchecked: a connection has one user at a time because it is moved out of the mutex for use, and
    /// is no longer used once it is moved back.
    private struct Idle: @unchecked Sendable {
        let connection: BusConnection
        let process: pid_t
    }

    private let environment: [String: String]
    private let time: any TimeSource
    private let memory: Duration
    private let absence = Mutex<Absence?>(nil)
    private let idle = Mutex<Idle?>(nil)
    let hangs: BrokerHangs

    init(environment: [String: String], time: any TimeSource, memory: Duration) {
        self.environment = environment
        self.time = time
        self.memory = memory
        hangs = BrokerHangs(environment: environment, time: time, lifetime: memory)
    }

    /// Looks for a broker, without starting one. Blocks at most until the deadline.
    ///
    /// `isQuick`: A bus that does not respond before the deadline counts as missing only for such queries. `ignoresHangs`:
    /// Whether to query a broker again that hung a moment ago.
    func checkPresence(until deadline: Deadline, isQuick: Bool, ignoresHangs: Bool) -> BrokerAvailability {
        guard !BusAddress.session(environment).isEmpty else {
            return .absent("the environment does not name a session bus")
        }
        // Two concurrent threads do not wait for each other: the second one opens its own connection.
        let connection = idleConnection()
        if let reason = remembered(isQuick: isQuick) {
            if let connection { keep(connection) }
            return .absent(reason)
        }
        do throws(DBusError) {
            let bus: BusConnection
            if let connection { bus = connection } else { bus = try connect(until: deadline) }
            let reach = try bus.reach(of: BrokerConnection.name, until: deadline)
            let busID = bus.busID
            keep(bus)
            let broker: String
            switch reach {
            case .running(let name): broker = name
            case .startable: broker = ""
            case .nowhere:
                return absent("no program on the session bus owns the broker's name, and the bus cannot start one")
            }
            guard !ignoresHangs, hangs.knows(bus: busID, broker: broker) else { return .present }
            return .absent("it did not respond a moment ago, and is not called again for a minute")
        } catch {
            let reason = BrokerConnection.reason(error.message)
            // A caller that canceled has learned nothing.
            return error.kind == .canceled
                ? .absent(reason) : absent(reason, isQuick: isQuick && error.kind == .timedOut)
        }
    }

    /// Records that a call found no broker.
    func note(absence reason: String) { _ = absent(reason) }

    private func absent(_ reason: String, isQuick: Bool = false) -> BrokerAvailability {
        absence.withLock { $0 = Absence(reason: reason, since: time.uptime, isQuick: isQuick) }
        return .absent(reason)
    }

    private func remembered(isQuick: Bool) -> String? {
        let now = time.uptime
        return absence.withLock { absence in
            guard let known = absence, now - known.since < memory, isQuick || !known.isQuick else { return nil }
            return known.reason
        }
    }

    private func connect(until deadline: Deadline) throws(DBusError) -> BusConnection {
        let bus = try BusConnection.session(environment, until: deadline)
        // Subscribes before the first query so that no change is missed.
        try bus.watchOwner(of: BrokerConnection.name, until: deadline)
        return bus
    }

    /// The open connection, if it is still usable. Processes what the bus reported meanwhile.
    private func idleConnection() -> BusConnection? {
        let idle = idle.withLock { $0.take() }
        guard let idle, idle.process == getpid() else { return nil }
        do throws(DBusError) {
            let signals = try idle.connection.takeSignals()
            if signals.contains(where: { BusConnection.isChange($0, of: BrokerConnection.name) }) { forget() }
            return idle.connection
        } catch {
            // The bus exited. The next one may have a broker.
            forget()
            return nil
        }
    }

    private func forget() { absence.withLock { $0 = nil } }

    private func keep(_ connection: sending BusConnection) {
        idle.withLock { $0 = Idle(connection: connection, process: getpid()) }
    }
}
