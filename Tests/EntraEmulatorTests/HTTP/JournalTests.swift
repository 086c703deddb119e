// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import MSALBase
import Testing

@testable import EntraEmulator

/// The memory of the journal.
struct JournalTests {
    private static func entry(
        path: String = "/token",
        query: String = "",
        form: String = "",
        headers: HTTPFields = [:],
        remark: String? = nil
    ) throws -> JournalEntry {
        let exchange = Exchange(
            method: .get,
            path: path,
            query: try #require(FormValues(query)),
            form: try #require(FormValues(form)),
            headers: headers,
            base: "https://localhost",
            correlationID: "id",
            traceID: "id",
            now: Date(timeIntervalSince1970: 0)
        )
        return JournalEntry(exchange, status: 200, remark: remark)
    }

    private static func text(_ length: Int) -> String { String(repeating: "a", count: length) }

    @Test func `a long value is truncated with its length, and a token is kept whole`() throws {
        let token = Self.text(8_192)
        let entry = try Self.entry(path: "/" + Self.text(3_000), query: "access=\(token)&state=\(Self.text(60_000))")

        #expect(entry.revealedParameter("access") == token)
        #expect(entry.query["state"] == Self.text(8_192) + "… (60000 bytes)")
        #expect(entry.path == "/" + Self.text(2_047) + "… (3001 bytes)")
    }

    @Test(arguments: ["newpasswd", "confirmnewpasswd", "token", "user_code", "an-unknown-field"])
    func `a field that is not known to be harmless is masked`(name: String) throws {
        let field = try #require(HTTPField.Name(name.replacing("_", with: "-")))
        let entry = try Self.entry(
            query: "\(name)=Brand-new-1&prompt=login",
            form: "\(name)=Brand-new-1&grant_type=password",
            headers: [field: "Brand-new-1", .userAgent: "curl"]
        )

        let archive = HTTPArchive.value(of: [entry]).text
        #expect(!"\(entry)".contains("Brand-new-1"))
        #expect(!archive.contains("Brand-new-1"))
        #expect(entry.query["prompt"] == "login")
        #expect(entry.form["grant_type"] == "password")
        #expect(entry.headers["user-agent"] == "curl")
    }

    @Test func `a long value is not cut in the middle of a character`() {
        #expect(JournalText.shortened("aé", to: 2) == "a… (3 bytes)")
        #expect(JournalText.shortened("aé", to: 3) == "aé")
    }

    @Test func `only the first of many parameters are kept`() throws {
        let query = (1...15_000).map { "$p\($0)=\($0)" }.joined(separator: "&")
        let entry = try Self.entry(query: query)

        #expect(entry.query.count == 101)
        #expect(entry.query["$p100"] == "100")
        #expect(entry.query["…"] == "14900 more")
    }

    @Test func `the number of entries is limited, and ids go on`() throws {
        let journal = Journal(countLimit: 10)
        for _ in 1...25 { journal.append(try Self.entry()) }
        let kept = journal.entries.map(\.id)
        journal.clear()
        journal.append(try Self.entry())

        #expect((9...10).contains(kept.count))
        #expect(kept.last == 25)
        #expect(kept == Array((26 - kept.count)...25))
        #expect(journal.entries.map(\.id) == [26])
    }

    @Test func `the memory of the entries is limited, and the newest always stays`() throws {
        let journal = Journal(sizeLimit: 100_000)
        for _ in 1...100 { journal.append(try Self.entry(query: "a=\(Self.text(8_000))")) }
        let size = journal.entries.reduce(0) { $0 + $1.size }
        let tiny = Journal(sizeLimit: 10)
        for _ in 1...3 { tiny.append(try Self.entry()) }

        #expect((80_000...100_000).contains(size))
        #expect(journal.entries.last?.id == 100)
        #expect(tiny.entries.map(\.id) == [3])
    }

    @Test func `a remark and the names of a minted token count for the memory`() throws {
        let (name, date) = (Self.text(5_000), Date(timeIntervalSince1970: 0))
        let minted = { (user: String?, application: String?, api: String) in
            JournalEntry(minted: .init(user: user, application: application, api: api, flaw: nil), at: date).size
        }

        #expect(try Self.entry(remark: name).size == Self.entry().size + 5_000)
        for size in [minted(name, nil, ""), minted(nil, name, ""), minted(nil, nil, name)] {
            #expect(size == minted(nil, nil, "") + 5_000)
        }
    }

    @Test func `an entry is taken once`() throws {
        let journal = Journal()
        for path in ["/a", "/b", "/a"] { journal.append(try Self.entry(path: path)) }

        let ids = (1...3).map { _ in journal.take { $0.path == "/a" }?.id }

        #expect(ids == [1, 3, nil])
        #expect(journal.entries(after: 0, matching: JournalFilter()).map(\.id) == [2])
    }
}
