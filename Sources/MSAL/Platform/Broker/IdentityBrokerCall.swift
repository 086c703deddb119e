// Licensed under the MIT License. See LICENSE.

import DBus
import MSALBase

/// A broker call, on its own thread.
struct IdentityBrokerCall: Sendable {
    let method: IdentityBrokerMethod
    let request: String
    let correlationID: String
    let environment: [String: String]
    let limits: BrokerLimits
    /// Whether to call a broker even if it hung a moment ago.
    let ignoresHangs: Bool

    /// Blocks until the response arrives, at most for `limit`; `nil` waits for the user.
    func perform(
        within limit: Duration?,
        presence: BrokerPresence,
        flag: AtomicFlag
    ) -> Result<String, IdentityBrokerCallError> {
        Result { () throws(IdentityBrokerCallError) -> String in
            let deadline = flag.deadline(limits.presence)
            if case .absent(let reason) = presence.checkPresence(
                until: deadline,
                isQuick: false,
                ignoresHangs: ignoresHangs
            ) {
                throw flag.isSet ? .canceled : .absent(reason)
            }
            do throws(IdentityBrokerCallError) {
                return try perform(within: limit, hangs: presence.hangs, flag: flag)
            } catch {
                if case .absent(let reason) = error { presence.note(absence: reason) }
                throw error
            }
        }
    }

    private func perform(
        within limit: Duration?,
        hangs: BrokerHangs,
        flag: AtomicFlag
    ) throws(IdentityBrokerCallError) -> String {
        let beginning = flag.deadline(limit ?? limits.start)
        let bus = try BrokerConnection.bus(environment, until: beginning)
        var broker: BrokerConnection?
        do throws(IdentityBrokerCallError) {
            let connection = try BrokerConnection(on: bus, until: beginning)
            broker = connection
            let text = try connection.call(
                method,
                request: request,
                correlationID: correlationID,
                until: limit == nil ? flag.deadline(Self.forever) : beginning
            )
            if ignoresHangs { hangs.forget() }
            return text
        } catch {
            if method == .tokenInteractively, flag.isSet { cancel() }
            if method.needsNoUser, error.isTimeOut {
                hangs.note(bus: bus.busID, broker: broker?.broker.uniqueName ?? "")
            }
            throw error
        }
    }

    /// The limit of a call that waits for the user: three decades.
    private static let forever = Duration.seconds(1_000_000_000)

    /// Asks the broker to close its window. The result does not matter because the caller has already canceled.
    private func cancel() {
        let deadline = Deadline(after: limits.cancellation)
        _ = try? BrokerConnection(on: BrokerConnection.bus(environment, until: deadline), until: deadline).call(
            .cancellation,
            request: BrokerRequests.cancellation().text,
            correlationID: correlationID,
            until: deadline
        )
    }
}
