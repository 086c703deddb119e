// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import MSALBase
import NIOCore

/// The control API, which handles each `ControlOperation`. Requests and responses are JSON. An invalid body throws a
/// `ControlRefusal`.
struct ControlAPI: Sendable {
    let parts: ControlledComponents

    /// Responds to a request that is already authenticated with the control token.
    func respond(
        to method: HTTPRequest.Method,
        path: String,
        query: FormValues,
        body: JSONValue
    ) async throws -> Response {
        switch ControlOperation(method, path: path) {
        case .apiDescription: return Self.json(Data(ControlDescription.text().utf8))
        case .journal: return try showJournal(query)
        case .takeFromJournal: return try takeFromJournal(body)
        case .expectRequest: return try await expect(body)
        case .outbox: return .json(["messages": .array(parts.outbox.elements.map(Self.json))])
        case .enqueueResponses: return try addResponses(body)
        case .enqueueFault: return try addFault(body)
        case .clearFaults:
            parts.faults.clear()
            return .json(["cleared": true])
        case .showCertificate: return try showCertificate(body)
        case .clock: return try showClock()
        case .changeClock: return try changeClock(body)
        case .revokeSignIns: return try await revoke(body)
        case .signIns: return try showSignIns()
        case .signInNext: return try planSignIn(body)
        case .setClaims: return try await setClaims(body)
        case .challenge: return try challenge(body)
        case .accessToken: return try await mintToken(body)
        case .rollOverSigningKey: return try await rollOverKeys(body)
        case .flawFederatedTokens: return try flawTokens(body)
        case .managedIdentity: return try managedIdentity()
        case .changeManagedIdentity: return try changeManagedIdentity(body)
        case .reset:
            try await parts.reset()
            return .json(["reset": true])
        // This function also rejects unknown paths and wrong methods.
        case .snapshots, .takeSnapshot, .restoreSnapshot, .directory, .addToDirectory, .nativeAuth, .changeNativeAuth,
            .entries, .add, .entry, .change, .remove, nil:
            return try respondFromDirectory(to: method, path: path, query: query, body: body) ?? Self.notFound()
        }
    }

    /// A response with JSON that is already encoded.
    static func json(_ text: Data) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "application/json; charset=utf-8"],
            body: .init(byteBuffer: ByteBuffer(bytes: text))
        )
    }

    private func showCertificate(_ body: JSONValue) throws -> Response {
        let body = try ControlBody(body, of: .showCertificate)
        let fault: CertificateFault? = try body.choice("fault", otherwise: "the valid certificate is presented")
        try parts.certificate.show(fault)
        return .json(["fault": fault.map { .string($0.rawValue) } ?? .null])
    }

    private func revoke(_ body: JSONValue) async throws -> Response {
        let body = try ControlBody(body, of: .revokeSignIns)
        let name = try body.required("userPrincipalName", read: body.text)
        guard try await parts.store.endSignIns(of: name, at: parts.clock.now) else { return try Self.notFound() }
        return .json(["revoked": .string(name)])
    }

    private func rollOverKeys(_ body: JSONValue) async throws -> Response {
        let body = try ControlBody(body, of: .rollOverSigningKey)
        if try body.flag("rollover") == true { return .json(["kid": .string(try await parts.keys.rollOver())]) }
        if let isUneven = try body.flag("uneven") {
            parts.keys.serveStaleKeysAlternately(isUneven)
            return .json(["uneven": .bool(isUneven)])
        }
        guard try body.flag("announce") == true else {
            throw ControlRefusal(
                "set 'rollover' to true to sign with a new key and keep publishing the old ones, 'announce' "
                    + "to publish the next key without signing with it yet, or 'uneven' to omit the newest key from "
                    + "every second key set"
            )
        }
        return .json(["kid": .string(try await parts.keys.announce())])
    }

    /// Advances the clock by `advance` seconds, sets it to the date `set`, stops it with `freeze`, or makes it differ
    /// by `skew` seconds for the client `clientId`.
    private func changeClock(_ body: JSONValue) throws -> Response {
        let body = try ControlBody(body, of: .changeClock)
        let seconds = try body.number("advance", in: EmulatorClock.range)
        let date = try body.text("set").map { text throws(ControlRefusal) in
            guard let date = Date(iso8601: text), EmulatorClock.dates.contains(date) else {
                throw ControlRefusal("'set' must be a date of this century or the next, such as 2030-12-31T23:59:59Z")
            }
            return date
        }
        let isFrozen = try body.flag("freeze")
        let clientID = try body.text("clientId")
        let skew = try body.number("skew", in: EmulatorClock.range)
        guard (clientID == nil) == (skew == nil) else {
            throw ControlRefusal(
                "'clientId' and 'skew' must be used together"
            )
        }
        if let clientID, parts.directory.application(clientID) == nil {
            throw ControlRefusal("'clientId' does not match an application: \(clientID)")
        }
        guard seconds != nil || date != nil || isFrozen != nil || skew != nil else {
            throw ControlRefusal("one of 'advance', 'set', 'freeze' and 'skew' is missing")
        }
        if let clientID, let skew { parts.clock.skew(clientID, by: .seconds(skew)) }
        if let isFrozen { parts.clock.freeze(isFrozen) }
        if let date { parts.clock.set(to: date) }
        if let seconds { parts.clock.advance(by: .seconds(seconds)) }
        return try showClock()
    }

    private func showClock() throws -> Response {
        .json([
            "now": .string(Exchange.serviceTime(parts.clock.now)), "frozen": .bool(parts.clock.isFrozen),
            "skews": .object(parts.clock.skews.mapValues { .int(Int($0)) }),
        ])
    }

    private func addResponses(_ body: JSONValue) throws -> Response {
        let body = try ControlBody(body, of: .enqueueResponses)
        let suffix = try body.required("endpoint", read: body.text)
        let names = try body.required("responses", read: body.list)
        guard !names.isEmpty else { throw ControlRefusal("'responses' must name a response") }
        let responses = try names.map { name throws(ControlRefusal) in
            guard let response = NamedResponse(rawValue: name) else {
                throw ControlRefusal("'\(name)' in 'responses' must be one of \(NamedResponse.names)")
            }
            return response
        }
        let id = try body.text("correlationId").map { text throws(ControlRefusal) in
            guard let id = UUID(uuidString: text) else { throw ControlRefusal("'correlationId' must be a GUID") }
            return id
        }
        parts.namedResponses.enqueue(responses, pathSuffix: suffix, correlationID: id)
        return .json(["queued": .int(responses.count)], status: .created)
    }

    private func addFault(_ body: JSONValue) throws -> Response {
        let faults = try body["script"].map { script throws(ControlRefusal) in try Fault.script(script, of: body) }
        for fault in try faults ?? [Fault(body)] { parts.faults.enqueue(fault) }
        return .json(["queued": true], status: .created)
    }

    private static func json(_ message: OutboxMessage) -> JSONValue {
        [
            "date": .string(Exchange.serviceTime(message.date)), "channel": .string(message.channel.rawValue),
            "recipient": .string(message.recipient), "purpose": .string(message.purpose.rawValue),
            "code": .string(message.code),
        ]
    }
}
