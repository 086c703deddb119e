// Licensed under the MIT License. See LICENSE.

import HTTPTypes

extension Fault {
    /// The fault that a body of the control API describes.
    ///
    /// - Throws: A refusal of one that could not happen or would change nothing.
    init(_ body: JSONValue) throws(ControlRefusal) {
        let body = try ControlBody(
            body,
            members: "pathSuffix",
            "method",
            "status",
            "headers",
            "body",
            "delayMilliseconds",
            "dropsConnection",
            "stopsAfterBytes",
            "hangs",
            "count"
        )
        self.init(pathSuffix: try body.required("pathSuffix", read: body.text))
        method = try body.text("method")?.uppercased()
        // A status below 200 announces a response and is none itself.
        status = try body.number("status", in: 200...999)
        headers = try body.table("headers") ?? [:]
        self.body = try body.text("body") ?? ""
        delay = .milliseconds(try body.number("delayMilliseconds", in: 0...86_400_000) ?? 0)
        dropsConnection = try body.flag("dropsConnection") ?? false
        stopsAfterBytes = try body.number("stopsAfterBytes", in: 0...1_000_000)
        hangs = try body.flag("hangs") ?? false
        count = try body.number("count", in: 1...1_000_000) ?? 1
        if let name = headers.keys.sorted().first(where: { HTTPField.Name($0) == nil }) {
            throw ControlRefusal("'\(name)' in 'headers' is not the name of a header field")
        }
        guard status != nil || (self.body.isEmpty && headers.isEmpty) else {
            throw ControlRefusal("'body' and 'headers' need a 'status'")
        }
        guard status != nil || delay > .zero || dropsConnection || stopsAfterBytes != nil || hangs else {
            throw ControlRefusal(
                "a fault needs one of 'status', 'delayMilliseconds', 'dropsConnection', 'stopsAfterBytes' and 'hangs'"
            )
        }
    }
}
