// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// The journal as an HTTP Archive 1.2, which the developer tools of browsers display ("HAR 1.2 Spec", Jan Odvarko).
/// Secrets are masked. Data that the journal does not keep, such as response bodies and timings, is empty, 0, or -1, as
/// the format requires.
enum HTTPArchive {
    /// Leaves out tokens that were issued without a request.
    static func value(of entries: some Sequence<JournalEntry>) -> JSONValue {
        [
            "log": [
                "version": "1.2",
                "creator": ["name": "entra-emulator", "version": "1"],
                "entries": .array(entries.filter { $0.minted == nil }.map(value)),
            ]
        ]
    }

    private static func value(of entry: JournalEntry) -> JSONValue {
        var value: [String: JSONValue] = [
            "startedDateTime": .string(entry.date.formatted(.iso8601)), "time": 0,
            "timings": ["send": 0, "wait": 0, "receive": 0], "cache": [:],
            "request": .object(request(of: entry)),
            "response": [
                "status": .int(entry.status), "statusText": "", "httpVersion": "HTTP/1.1", "redirectURL": "",
                "cookies": [], "headers": [], "headersSize": -1, "bodySize": -1,
                "content": ["size": -1, "mimeType": ""],
            ],
        ]
        let rule = entry.refusal.map { "\($0.rule): \($0.message)" }
        // The rule behind a refusal, or how the user was signed in.
        value["comment"] = (rule ?? entry.remark).map(JSONValue.string)
        return .object(value)
    }

    private static func request(of entry: JournalEntry) -> [String: JSONValue] {
        let query = FormValues.encode(entry.query.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        let host = entry.headers["host"] ?? "localhost"
        var request: [String: JSONValue] = [
            "method": .string(entry.method), "httpVersion": "HTTP/1.1",
            "url": .string("https://\(host)\(entry.path)\(query.isEmpty ? "" : "?")\(query)"),
            "headers": fields(entry.headers), "queryString": fields(entry.query), "cookies": [],
            "headersSize": -1, "bodySize": -1,
        ]
        if !entry.form.isEmpty {
            let type = JSONValue.string(entry.headers["content-type"] ?? "")
            request["postData"] = ["mimeType": type, "params": fields(entry.form), "text": ""]
        }
        return request
    }

    private static func fields(_ values: [String: String]) -> JSONValue {
        .array(
            values.sorted { $0.key < $1.key }.map { ["name": .string($0.key), "value": .string($0.value)] }
        )
    }
}
