// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import TestSupport
import Testing

@testable import MSAL

/// Compares the client's table of Himmelblau's texts with `Tests/Fixtures/Himmelblau`.
struct HimmelblauErrorTextTests {
    @Test func `the known texts are exactly those of the reference`() throws {
        let texts = try HimmelblauReferee.read().failures.map(\.text)

        for text in texts {
            #expect(HimmelblauErrorText.known.contains { text.contains($0.words) }, "\(text)")
        }
        for known in HimmelblauErrorText.known {
            #expect(texts.contains { $0.contains(known.words) }, "\(known.words)")
        }
    }

    @Test func `a text has the same meaning in both forms, for each method that returns it`() async throws {
        for failure in try HimmelblauReferee.read().failures {
            for method in failure.methods.compactMap(IdentityBrokerMethod.init(rawValue:)) where method.isCalledByFlows
            {
                let error: [String: JSONValue] = [
                    "context": .string(failure.text), "status": .integer(0), "subStatus": .integer(0),
                ]
                let forms: [FakeBroker.Reply] = [
                    .json(BrokerSample.failure(error, method: method)),
                    .error("org.freedesktop.DBus.Error.Failed", text: failure.text),
                ]
                var kinds: [BrokerFailure.Kind?] = []
                for form in forms {
                    let bus = try FakeBroker([method: [form]]).bus()
                    kinds.append(try await BusBroker(bus).failure(of: method)?.kind)
                }

                // A device without a signed-in user has no accounts, which is not a failure.
                let isNobody = method == .accounts && failure.text == "Unable to find account"
                #expect(kinds[0] == kinds[1] && (kinds[0] == nil) == isNobody, "\(method.rawValue): \(failure.text)")
            }
        }
    }
    // MARK: - The page

    /// What the page says about each category, verbatim.
    private static let meanings: [String: BrokerFailure.Kind] = [
        "the next mode, else -42714": .unsupported,
        "[the call once more](#sign-in) with an account, else the next mode": .accountNeeded,
        "an unknown account: as status 19. In a list of accounts: no user is signed in to the device": .unknownAccount,
        "-50002": .interactionRequired,
        "-42007": .temporary,
        "as status 9": .misconfigured,
        "a broker that does not respond": .unreachable,
    ]

    /// The rows of the table at docs/reference/Broker.md#himmelblau.
    private static func rows() throws -> [(texts: [String], meaning: String)] {
        let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../..")
        let page = try String(contentsOf: package.appending(path: "docs/reference/Broker.md"), encoding: .utf8)
        let section = try #require(page.components(separatedBy: "<a id=\"himmelblau\"></a>").dropFirst().first)
        let table = section.split(separator: "\n").drop { !$0.hasPrefix("| text |") }.prefix { $0.hasPrefix("|") }
        return try table.dropFirst(2).map { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            try #require(cells.count == 2, "\(line)")
            // The texts are in quotation marks. An ellipsis replaces the rest of a text.
            let quoted = cells[0].components(separatedBy: "\"").enumerated().filter { $0.offset % 2 == 1 }
            return (quoted.map { $0.element.replacing("…", with: "") }, cells[1])
        }
    }

    @Test func `the table of the page has each text with a meaning, and states the meaning`() throws {
        let rows = try Self.rows()

        #expect(rows.last?.texts.isEmpty == true)
        for row in rows.dropLast() {
            #expect(!row.texts.isEmpty, "\(row.meaning)")
            let meaning = try #require(Self.meanings[row.meaning], "\(row.meaning)")
            for text in row.texts { #expect(HimmelblauErrorText.kind(of: text) == meaning, "\(text)") }
        }
        for known in HimmelblauErrorText.known where known.kind != nil {
            #expect(rows.contains { $0.texts.contains { $0.contains(known.words) } }, "\(known.words)")
        }
    }

    @Test func `the last row of the page covers all texts that have no meaning by themselves`() throws {
        #expect(
            try Self.rows().last?.meaning
                == "for a silent token -50002; in a sign-in the next mode; elsewhere -42711"
        )
        for text in HimmelblauErrorText.known.filter({ $0.kind == nil }).map(\.words) + ["A text of tomorrow"] {
            #expect(HimmelblauErrorText.kind(of: text, method: .tokenSilently) == .interactionRequired, "\(text)")
            for method in IdentityBrokerMethod.allCases where method != .tokenSilently {
                let kind = HimmelblauErrorText.kind(of: text, method: method)
                #expect(kind == .unexplained && kind.leavesSignInToOthers, "\(text)")
            }
        }
    }
}
