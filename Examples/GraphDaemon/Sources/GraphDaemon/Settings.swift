// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer

/// Who the daemon is and what it calls. Without variables it is the emulator's service.
struct Settings {
    /// A variable with a value that cannot be used.
    struct Mistake: LocalizedError {
        let name: String
        var errorDescription: String? { "\(name) cannot be used." }
    }

    let graph: URL
    let caFile: URL?
    /// The pause between two rounds; without one there is one round.
    let interval: Duration?
    private let clientID: String
    private let authority: String
    private let secret: String

    init(_ environment: [String: String]) throws {
        let emulator = environment["EMULATOR"] ?? "https://localhost:8443"
        clientID = environment["CLIENT_ID"] ?? "00000000-0000-4000-8000-000000000010"
        secret = environment["CLIENT_SECRET"] ?? "Emulator-secret-1"
        authority = environment["AUTHORITY"] ?? "\(emulator)/11111111-1111-1111-1111-111111111111"
        guard let url = URL(string: environment["GRAPH_URL"] ?? "\(emulator)/v1.0"), url.scheme == "https" else {
            throw Mistake(name: "GRAPH_URL")
        }
        graph = url
        caFile = environment["MSAL_CA_FILE"].map { URL(filePath: $0) }
        interval = try environment["INTERVAL"].map { text in
            guard let seconds = Int(text), seconds > 0 else { throw Mistake(name: "INTERVAL") }
            return .seconds(seconds)
        }
    }

    /// What gives the tokens. Any other credential could stand here, and nothing else would change.
    func credential() throws(MSALTokenError) -> any MSALTokenCredential {
        var configuration = MSALConfidentialClientConfiguration(
            clientId: clientID,
            authority: .url(authority),
            credential: .secret(secret)
        )
        configuration.caFile = caFile
        return try MSALConfidentialClientApplication(configuration: configuration)
    }
}
