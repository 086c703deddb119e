// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import TestSupport
import Testing

@testable import MSAL

/// The client's table of Himmelblau's texts beside `Tests/Fixtures/Himmelblau`.
struct HimmelblauWordsTests {
    @Test func `every text of the referee is known, and every known text is the referee's`() throws {
        let texts = try HimmelblauReferee.read().failures.map(\.text)

        for text in texts {
            #expect(HimmelblauWords.known.contains { text.contains($0.words) }, "\(text)")
        }
        for known in HimmelblauWords.known {
            #expect(texts.contains { $0.contains(known.words) }, "\(known.words)")
        }
    }

    @Test func `a text means the same in both forms, for each method that it comes from`() async throws {
        for failure in try HimmelblauReferee.read().failures {
            for method in failure.methods.compactMap(BrokerMethod.init(rawValue:)) where method.isCalledByFlows {
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

                // A device that nobody is signed in to has no accounts, which is no failure.
                let isNobody = method == .accounts && failure.text == "Unable to find account"
                #expect(kinds[0] == kinds[1] && (kinds[0] == nil) == isNobody, "\(method.rawValue): \(failure.text)")
            }
        }
    }
}
