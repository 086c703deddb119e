// Licensed under the MIT License. See LICENSE.

import DBus
import EntraEmulator
import MSALBase
import Synchronization

/// Handles the calls on the bus: applies faults, lets the broker respond, and records the journal.
final class BrokerCallHandler: Sendable {
    private struct Values {
        var faults: [QueuedFault] = []
        var calls: [BrokerCall] = []
    }

    private struct QueuedFault {
        let fault: BrokerFault
        /// `nil` matches every method.
        let method: BrokerMethod?
        var times: Int
    }

    /// The number of calls that are kept, the latest ones.
    private static let callLimit = 10_000

    private let double: BrokerDouble
    private let responses: BrokerResponses
    private let objects: BusObjects
    private let values = Mutex(Values())

    init(_ double: BrokerDouble) {
        self.double = double
        responses = BrokerResponses(dialect: double.dialect)
        objects = double.dialect.objects
    }

    var calls: [BrokerCall] { values.withLock { $0.calls } }

    func clearCalls() { values.withLock { $0.calls = [] } }

    func enqueue(_ fault: BrokerFault, of method: BrokerMethod?, times: Int) {
        values.withLock { $0.faults.append(.init(fault: fault, method: method, times: times)) }
    }

    func clearFaults() { values.withLock { $0.faults = [] } }

    // MARK: Calls

    func response(to call: DBusMessage) async -> BusService.Response {
        if let response = objects.response(to: call) { return response }
        // A message whose body does not match its signature has no values.
        let arguments = ((try? call.values()) ?? []).compactMap(\.string)
        guard let method = call.member.flatMap(BrokerMethod.init(rawValue:)), arguments.count == 3 else {
            return .error(.invalidArguments, "A method of this interface takes three texts.")
        }
        let fault = takeFault(of: method)
        let request: BrokerRequest
        do throws(BrokerRefusal) {
            request = try BrokerRequest(method, correlationID: arguments[1], text: arguments[2])
        } catch {
            let empty = BrokerRequest(method: method, correlationID: arguments[1], members: [:])
            return respond(to: empty, outcome: .failure(error), fault: nil)
        }
        if let fault, let response = instead(of: request, fault) { return response }
        let outcome: BrokerResponses.Outcome
        do throws(BrokerRefusal) {
            let isSubstitute = fault == .otherAccount || fault == .otherClient
            outcome = .success(try await double.respond(to: request, substitute: isSubstitute ? fault : nil))
        } catch {
            outcome = .failure(error)
        }
        return respond(to: request, outcome: outcome, fault: fault)
    }

    private func respond(
        to request: BrokerRequest,
        outcome: BrokerResponses.Outcome,
        fault: BrokerFault?
    ) -> BusService.Response {
        let response = responses.response(to: request, outcome)
        let kept: BrokerCall.Outcome
        switch (outcome, response) {
        case (_, .error(let name, _)): kept = .busError(name.text)
        case (.failure(let refusal), _): kept = .status(double.dialect == .himmelblau ? 0 : refusal.status)
        case (.success, _): kept = .success
        }
        return keep(request, response: fault?.corrupted(response) ?? response, outcome: kept)
    }

    /// The effect of a fault that replaces the call; `nil` executes the call.
    private func instead(of request: BrokerRequest, _ fault: BrokerFault) -> BusService.Response? {
        switch fault.kind {
        case .unknownObject:
            let (name, text) = (BusService.ErrorName.unknownObject, "There is no object \(BrokerAddress.path).")
            return keep(request, response: .error(name, text), outcome: .busError(name.text))
        case .hang: return keep(request, response: .silence, outcome: .fault)
        case .death: return keep(request, response: .departure, outcome: .fault)
        case .text(let text): return keep(request, response: .values([.string(text)]), outcome: .fault)
        case .busError(let name, let message):
            return keep(request, response: .error(.init(name), message), outcome: .busError(name))
        case .refusal(let status, let subStatus, let errorCode, let tag, let context):
            var refusal = BrokerRefusal(status: status, context: context)
            refusal.himmelblauText = context
            let response = responses.response(
                to: request,
                refusal,
                subStatus: subStatus,
                errorCode: errorCode,
                tag: tag
            )
            return keep(request, response: response, outcome: .status(double.dialect == .himmelblau ? 0 : status))
        case .padding, .numbersAsText, .secondsForMilliseconds, .otherAccount, .otherClient: return nil
        }
    }

    private func takeFault(of method: BrokerMethod) -> BrokerFault? {
        values.withLock { values in
            guard let index = values.faults.firstIndex(where: { $0.method == nil || $0.method == method }) else {
                return nil
            }
            values.faults[index].times -= 1
            let fault = values.faults[index].fault
            if values.faults[index].times <= 0 { values.faults.remove(at: index) }
            return fault
        }
    }

    private func keep(
        _ request: BrokerRequest,
        response: BusService.Response,
        outcome: BrokerCall.Outcome
    ) -> BusService.Response {
        let call = BrokerCall(
            method: request.method,
            clientID: request.clientID,
            correlationID: request.correlationID,
            homeAccountID: request.homeAccountID ?? request.members["popParams"]?["homeAccountId"]?.nonEmptyString,
            renewsToken: request.parameters?["accessTokenToRenew"]?.nonEmptyString != nil,
            outcome: outcome
        )
        values.withLock { values in
            if values.calls.count == Self.callLimit { values.calls.removeFirst() }
            values.calls.append(call)
        }
        return response
    }
}

extension BrokerFault {
    /// The response after this fault has changed it.
    fileprivate func corrupted(_ response: BusService.Response) -> BusService.Response {
        guard case .values(let values) = response, let text = values.first?.string, let body = JSONValue(parsing: text)
        else {
            return response
        }
        switch kind {
        case .padding(let bytes):
            return .values([.string(body.adding(["padding": .string(String(repeating: "x", count: bytes))]).text)])
        case .numbersAsText: return .values([.string(body.numbersAsText.text)])
        case .secondsForMilliseconds: return .values([.string(body.timesInSeconds.text)])
        default: return response
        }
    }
}

extension JSONValue {
    fileprivate var numbersAsText: JSONValue {
        switch self {
        case .integer(let number): .string(String(number))
        case .array(let elements): .array(elements.map(\.numbersAsText))
        case .object(let members): .object(members.mapValues(\.numbersAsText))
        case .null, .bool, .number, .string: self
        }
    }

    fileprivate var timesInSeconds: JSONValue {
        guard case .object(let members) = self else { return self }
        let changed = members.map { name, value in
            guard name == "expiresOn" || name == "extendedExpiresOn", case .integer(let time) = value else {
                return (name, value.timesInSeconds)
            }
            // One of the dialects already uses seconds. Only a larger number is in milliseconds.
            return (name, .integer(time > 100_000_000_000 ? time / 1000 : time))
        }
        return .object(Dictionary(changed) { _, last in last })
    }
}

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
