// Licensed under the MIT License. See LICENSE.

import HTTPTypes
import MSALBase

extension Fault {
    /// Creates the fault that a body of the control API describes.
    ///
    /// - Throws: A refusal if the fault could never happen or would change nothing.
    init(_ body: JSONValue) throws(ControlRefusal) {
        let body = try ControlBody(body, of: .enqueueFault)
        guard body["script"] == nil else { throw ControlRefusal("a step of 'script' must not contain 'script'") }
        self.init(pathSuffix: try body.required("pathSuffix", read: body.text))
        method = try body.text("method")?.uppercased()
        // A status below 200 is informational and not a response by itself.
        status = try body.number("status", in: 200...999)
        headers = try body.table("headers") ?? [:]
        self.body = try body.text("body") ?? ""
        delay = .milliseconds(try body.number("delayMilliseconds", in: 0...86_400_000) ?? 0)
        dropsConnection = try body.flag("dropsConnection") ?? false
        stopsAfterBytes = try body.number("stopsAfterBytes", in: 0...1_000_000)
        hangs = try body.flag("hangs") ?? false
        count = try body.number("count", in: 1...1_000_000) ?? 1
        if try body.flag("always") == true {
            guard body["count"] == nil else { throw ControlRefusal("'count' and 'always' exclude each other") }
            count = Self.always
        }
        skip = try body.number("skip", in: 0...1_000_000) ?? 0
        probability = try body.fraction("probability") ?? 1
        seed = UInt64(try body.number("seed", in: 0...Int(Int32.max)) ?? 0)
        guard body["seed"] == nil || body["probability"] != nil else {
            throw ControlRefusal("'seed' requires 'probability'")
        }
        clientID = try body.text("clientId")
        tenant = try body.text("tenant")
        claims = try body.text("claims")
        refusal = try Self.refusal(body)
        if let name = headers.keys.sorted().first(where: { HTTPField.Name($0) == nil }) {
            throw ControlRefusal("'\(name)' in 'headers' is not the name of a header field")
        }
        guard claims == nil || refusal.map(ServiceRefusal.withClaims.contains) == true else {
            let all = ServiceRefusal.withClaims.map { String($0.rawValue) }.joined(separator: ", ")
            throw ControlRefusal("'claims' requires 'refusal' \(all)")
        }
        guard refusal == nil || self.body.isEmpty else {
            throw ControlRefusal("'refusal' and 'body' exclude each other")
        }
        guard status != nil || refusal != nil || (self.body.isEmpty && headers.isEmpty) else {
            throw ControlRefusal("'body' and 'headers' require a 'status'")
        }
        guard status != nil || refusal != nil || delay > .zero || dropsConnection || stopsAfterBytes != nil || hangs
        else {
            throw ControlRefusal(
                "a fault needs one of 'status', 'refusal', 'delayMilliseconds', 'dropsConnection', "
                    + "'stopsAfterBytes', and 'hangs'"
            )
        }
    }

    private static let scriptLimit = 1_000

    /// The faults of a script: one for each of the next requests that match the other members of the body. `{}` lets a
    /// request pass.
    static func script(_ script: JSONValue, of body: JSONValue) throws(ControlRefusal) -> [Fault] {
        guard case .object(var common) = body, let steps = script.array, (1...scriptLimit).contains(steps.count) else {
            throw ControlRefusal("'script' must be a list of 1 to \(scriptLimit) faults")
        }
        common["script"] = nil
        for name in ["count", "always", "skip"] where common[name] != nil {
            throw ControlRefusal("'\(name)' and 'script' exclude each other")
        }
        var faults: [Fault] = []
        for step in steps {
            guard let members = step.object else { throw ControlRefusal("a step of 'script' must be an object") }
            // A delay of one millisecond changes nothing, but consumes the request.
            let effect = members.isEmpty ? ["delayMilliseconds": 1] : members
            faults.append(try Fault(JSONValue.object(common.merging(effect) { $1 })))
        }
        return faults
    }

    private static func refusal(_ body: ControlBody) throws(ControlRefusal) -> ServiceRefusal? {
        guard let member = body["refusal"] else { return nil }
        guard let refusal = member.int.flatMap(ServiceRefusal.init) else {
            let all = ServiceRefusal.allCases.map { String($0.rawValue) }.joined(separator: ", ")
            throw ControlRefusal("'refusal' must be one of the AADSTS numbers \(all)")
        }
        return refusal
    }
}
