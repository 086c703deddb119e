// Licensed under the MIT License. See LICENSE.

import Foundation

/// The journal as an HTTP Archive 1.2, which the developer tools of browsers show ("HAR 1.2 Spec", Jan Odvarko). Secrets are
/// masked, and what the journal does not keep, such as bodies of responses and times, is left open as the format has it.
struct HTTPArchive: Encodable {
    struct Log: Encodable {
        struct Creator: Encodable {
            let name = "entra-emulator"
            let version = "1"
        }

        let version = "1.2"
        let creator = Creator()
        let entries: [Entry]
    }

    struct Entry: Encodable {
        struct Timings: Encodable {
            let send = 0
            let wait = 0
            let receive = 0
        }

        let startedDateTime: String
        let time = 0
        let request: Request
        let response: Response
        let cache: [String: String] = [:]
        let timings = Timings()
        /// The rule behind a refusal, or how somebody was signed in.
        let comment: String?
    }

    struct Request: Encodable {
        struct PostData: Encodable {
            let mimeType: String
            let params: [Field]
            let text = ""
        }

        let method: String
        let url: String
        let httpVersion = "HTTP/1.1"
        let cookies: [Field] = []
        let headers: [Field]
        let queryString: [Field]
        let postData: PostData?
        let headersSize = -1
        let bodySize = -1
    }

    struct Response: Encodable {
        struct Content: Encodable {
            let size = -1
            let mimeType = ""
        }

        let status: Int
        let statusText = ""
        let httpVersion = "HTTP/1.1"
        let cookies: [Field] = []
        let headers: [Field] = []
        let content = Content()
        let redirectURL = ""
        let headersSize = -1
        let bodySize = -1
    }

    /// A name and a value.
    struct Field: Encodable {
        let name: String
        let value: String
    }

    let log: Log

    /// Tokens that were made without a request are left out.
    init(_ entries: [JournalEntry]) {
        log = Log(entries: entries.filter { $0.minted == nil }.map(Entry.init))
    }
}

extension HTTPArchive.Entry {
    fileprivate init(_ entry: JournalEntry) {
        startedDateTime = entry.date.formatted(.iso8601)
        let rule = entry.refusal.map { "\($0.number.map { "AADSTS\($0)" } ?? $0.error): \($0.message)" }
        comment = rule ?? entry.remark
        let query = FormValues.encode(entry.query.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        let type = entry.headers["content-type"] ?? ""
        request = HTTPArchive.Request(
            method: entry.method,
            url: "https://\(entry.headers["host"] ?? "localhost")\(entry.path)\(query.isEmpty ? "" : "?")\(query)",
            headers: HTTPArchive.fields(entry.headers),
            queryString: HTTPArchive.fields(entry.query),
            postData: entry.form.isEmpty ? nil : .init(mimeType: type, params: HTTPArchive.fields(entry.form))
        )
        response = HTTPArchive.Response(status: entry.status)
    }
}

extension HTTPArchive {
    fileprivate static func fields(_ values: [String: String]) -> [Field] {
        values.sorted { $0.key < $1.key }.map { Field(name: $0.key, value: $0.value) }
    }
}
