// Licensed under the MIT License. See LICENSE.

import Foundation

/// `Tests/Fixtures/Himmelblau`: how Himmelblau reports failures, with sources. Client and double are compared with it.
package struct HimmelblauReferee: Decodable, Sendable {
    package struct Failure: Decodable, Sendable {
        package let text: String
        /// `response` or `busError`.
        package let form: String
        /// The methods that return it.
        package let methods: [String]
        package let seen: String
    }

    package struct Source: Decodable, Sendable {
        package let repository: String
        package let revision: String
        package let file: String
    }

    package let sources: [String: Source]
    package let failures: [Failure]

    package static func read() throws -> HimmelblauReferee {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = tests.appending(path: "Fixtures/Himmelblau/failures.json")
        return try JSONDecoder().decode(HimmelblauReferee.self, from: Data(contentsOf: file))
    }
}
