// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// `GET /journal` returns it in pages, `POST /journal/take` removes and returns one entry.
extension ControlAPI {
    private static let pageLimit = 1...10_000
    private static let ids = 0...Int(Int32.max)

    /// Returns the entries after `after` that match `pathSuffix`, `method`, `status`, `correlationId`, and `number`, up
    /// to `limit` (1,000 by default). With `format=har` they are returned as an HTTP Archive. `next` is the `after` of
    /// the next page, and `more` says whether that page has entries yet.
    func showJournal(_ query: FormValues) throws -> Response {
        let body = try ControlBody(query, of: .journal)
        let after = try body.number("after", in: Self.ids) ?? 0
        let limit = try body.number("limit", in: Self.pageLimit) ?? 1_000
        let entries = parts.journal.entries(after: after, matching: try Self.filter(body))
        if let format = try body.text("format") {
            guard format == "har" else {
                throw ControlRefusal("'format' must be har; leave it out to get the entries as JSON")
            }
            return .json(HTTPArchive.value(of: entries.prefix(limit)))
        }
        return .json([
            "entries": .array(entries.prefix(limit).map(Self.json)),
            "next": .int(entries.prefix(limit).last?.id ?? after),
            "more": .bool(entries.count > limit),
        ])
    }

    /// Removes and returns the oldest matching entry, so that a test asserts each request once. `entry` is `null` if
    /// none matches.
    func takeFromJournal(_ body: JSONValue) throws -> Response {
        let filter = try Self.filter(try ControlBody(body, of: .takeFromJournal))
        return .json(["entry": parts.journal.take(where: filter.matches).map(Self.json) ?? .null])
    }

    /// Waits up to `seconds` for a matching request to appear in the journal. The response contains its entry, or
    /// `null`. With `after`, only requests after that entry count.
    func expect(_ body: JSONValue) async throws -> Response {
        let body = try ControlBody(body, of: .expectRequest)
        let filter = try Self.filter(body)
        let after = try body.number("after", in: Self.ids) ?? 0
        let seconds = try body.number("seconds", in: 0...10) ?? 10
        let entry = await parts.journal.first(after: after, matching: filter, within: .seconds(seconds))
        return .json(["entry": entry.map(Self.json) ?? .null])
    }

    private static func filter(_ body: ControlBody) throws(ControlRefusal) -> JournalFilter {
        JournalFilter(
            pathSuffix: try body.text("pathSuffix"),
            method: try body.text("method")?.uppercased(),
            status: try body.number("status", in: 0...999),
            correlationID: try body.text("correlationId"),
            number: try body.number("number", in: ids)
        )
    }

    private static func json(_ entry: JournalEntry) -> JSONValue {
        var members: [String: JSONValue] = [
            "id": .int(entry.id),
            "date": .string(Exchange.serviceTime(entry.date)),
            "method": .string(entry.method),
            "path": .string(entry.path),
            "status": .int(entry.status),
            "correlation_id": .string(entry.correlationID),
            "query": .object(entry.query.mapValues { .string($0) }),
            "form": .object(entry.form.mapValues { .string($0) }),
            "headers": .object(entry.headers.mapValues { .string($0) }),
        ]
        members["refusal"] = entry.refusal.map { refusal in
            var rule: [String: JSONValue] = ["error": .string(refusal.error), "message": .string(refusal.message)]
            rule["number"] = refusal.number.map { .int($0) }
            return .object(rule)
        }
        members["remark"] = entry.remark.map { .string($0) }
        members["minted"] = entry.minted.map { minted in
            var token: [String: JSONValue] = ["api": .string(minted.api)]
            token["user"] = minted.user.map { .string($0) }
            token["application"] = minted.application.map { .string($0) }
            token["flaw"] = minted.flaw.map { .string($0) }
            return .object(token)
        }
        return .object(members)
    }
}
