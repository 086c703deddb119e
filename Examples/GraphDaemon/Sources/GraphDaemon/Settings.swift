// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer

/// The daemon's identity and settings. Without variables it uses the emulator's service.
struct Settings {
    /// A variable with an invalid value.
    struct Mistake: LocalizedError {
        let name: String
        var errorDescription: String? { "The value of \(name) is invalid." }
    }

    let graph: URL
    let caFile: URL?
    /// The pause between two rounds; without one there is one round.
    let interval: Duration?
    private let clientID: String
    private let authority: String
    private let secret: String
    private let certificate: String?
    private let usesDefaultCredential: Bool

    init(_ environment: [String: String]) throws {
        let emulator = environment["EMULATOR"] ?? "https://localhost:8443"
        clientID = environment["CLIENT_ID"] ?? "00000000-0000-4000-8000-000000000010"
        secret = environment["CLIENT_SECRET"] ?? "Emulator-secret-1"
        certificate = environment["CLIENT_CERTIFICATE"]
        usesDefaultCredential = environment["CREDENTIAL"] == "default"
        authority = environment["AUTHORITY"] ?? "\(emulator)/11111111-1111-1111-1111-111111111111"
        guard let url = URL(string: environment["GRAPH_URL"] ?? "\(emulator)/v1.0"), url.scheme == "https",
            (1...65_535).contains(url.port ?? 443)
        else {
            throw Mistake(name: "GRAPH_URL")
        }
        graph = url
        caFile = environment["MSAL_CA_FILE"].map { URL(filePath: $0) }
        interval = try environment["INTERVAL"].map { text in
            guard let seconds = Int(text), seconds > 0 else { throw Mistake(name: "INTERVAL") }
            return .seconds(seconds)
        }
    }

    /// The credential that returns the tokens. The rest of the program is the same with each.
    func credential() throws(MSALTokenError) -> any MSALTokenCredential {
        // The identity of the machine, of the cluster or of the developer, whichever is configured.
        if usesDefaultCredential { return try MSALDefaultCredential() }
        var configuration = MSALConfidentialClientConfiguration(
            clientId: clientID,
            authority: .url(authority),
            credential: certificate.map { .certificate(path: $0) } ?? .secret(secret)
        )
        configuration.caFile = caFile
        return try MSALConfidentialClientApplication(configuration: configuration)
    }
}
