// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import SealedStore
import TestSupport
import Testing

@testable import MSAL

/// Damaged payloads of the store's rows, after decryption. In a sealed store, no one without the key can create them. A
/// store without encryption accepts them from any user who can write the file.
struct RecordFuzzTests {
    @Test func `a damaged payload of a row is rejected, or serialized and parsed to the same record`() {
        let records: [CacheRecord] = [
            .accessToken(Sample.accessToken(extended: 7200, refresh: 1800, requestedClaims: #"{"a":1}"#)),
            .refreshToken(Sample.refreshToken(family: "1")), .account(Sample.account()),
        ]
        var fuzz = Fuzz(corpus: records.map { Array($0.row.payload) }, words: CacheCorpus.words)
        var readable = 0
        fuzz.run(rounds: max(Fuzz.rounds, 20_000)) { input in
            guard let members = RecordMembers(parsing: Data(input)) else { return }  // Rejected: the row is skipped.
            for kind in RecordKind.allCases {
                guard let written = CacheRecord(kind: kind, members)?.row.payload else { continue }
                readable += 1
                #expect(
                    CacheRecord(kind: kind, payload: written)?.row.payload == written,
                    "\(kind): \(String(decoding: input, as: UTF8.self))"
                )
            }
        }
        #expect(readable > Fuzz.rounds / 50, "The mutations left too few readable records.")
    }
}
