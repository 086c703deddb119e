// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer

/// `TokenClient WAY NAME=VALUE…`: gets a token of a service in one way, for `Tests/Peers/token_requests.py`, which records
/// what is sent. It prints nothing of the token.
///
/// Names: `authority`, `client`, `scope`, `secret`, `claims`, `certificate`, `assertion`, `incoming`, `connection`, `id`.
@main struct Main {
    static func main() async {
        let words = CommandLine.arguments.dropFirst()
        guard let way = words.first.flatMap(Way.init) else {
            stop("usage: TokenClient \(Way.allCases.map(\.rawValue).joined(separator: "|")) NAME=VALUE…")
        }
        var settings: [String: String] = [:]
        for word in words.dropFirst() {
            let halves = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard halves.count == 2 else { stop("\(halves[0]) has no value") }
            settings[halves[0]] = halves[1]
        }
        do throws(MSALTokenError) {
            // The description holds no token.
            print(try await Asker(settings: settings).token(by: way))
        } catch {
            stop(error.description)
        }
    }

    private static func stop(_ message: String) -> Never {
        // The exit status says it too, in case nobody can read the message.
        try? FileHandle.standardError.write(contentsOf: Data("TokenClient: \(message)\n".utf8))
        exit(1)
    }
}

/// A way to get a token.
private enum Way: String, CaseIterable {
    case secret, claims, capability, certificate, chain, assertion, pod, pipeline, `default`, machine
    case onBehalfOf = "on_behalf_of"
    case machineByClient = "machine_by_client"
    case machineByObject = "machine_by_object"
    case machineByResource = "machine_by_resource"
}

/// Asks for a token with settings of the command line.
private struct Asker {
    let settings: [String: String]

    func token(by way: Way) async throws(MSALTokenError) -> MSALTokenResult {
        switch way {
        case .secret, .claims: return try await token(.secret(self["secret"]))
        case .capability: return try await token(.secret(self["secret"])) { $0.capabilities = ["CP1"] }
        case .certificate: return try await token(.certificate(path: self["certificate"]))
        case .chain: return try await token(.certificate(path: self["certificate"])) { $0.sendsCertificateChain = true }
        case .assertion:
            let jwt = self["assertion"]
            return try await token(.assertion { _ in MSALClientAssertion(jwt) })
        case .onBehalfOf:
            return try await application(.secret(self["secret"])).acquireTokenOnBehalfOf(
                MSALValidatedToken(checkedElsewhere: self["incoming"]),
                scopes: request.scopes,
                options: request.options
            )
        case .pod: return try await MSALWorkloadIdentityCredential().token(for: request)
        case .pipeline:
            return try await token(.federated(.azurePipelines(serviceConnectionId: self["connection"])))
        case .default: return try await MSALDefaultCredential().token(for: request)
        case .machine: return try await token(of: .systemAssigned)
        case .machineByClient: return try await token(of: .clientId(self["id"]))
        case .machineByObject: return try await token(of: .objectId(self["id"]))
        case .machineByResource: return try await token(of: .resourceId(self["id"]))
        }
    }

    private subscript(name: String) -> String { settings[name] ?? "" }

    private var request: MSALTokenRequest {
        var options = MSALTokenOptions()
        options.claims = settings["claims"]
        return MSALTokenRequest(scopes: [self["scope"]], options: options)
    }

    private func token(
        _ credential: MSALClientCredential,
        change: (inout MSALConfidentialClientConfiguration) -> Void = { _ in }
    ) async throws(MSALTokenError) -> MSALTokenResult {
        try await application(credential, change: change).token(for: request)
    }

    private func application(
        _ credential: MSALClientCredential,
        change: (inout MSALConfidentialClientConfiguration) -> Void = { _ in }
    ) throws(MSALTokenError) -> MSALConfidentialClientApplication {
        var configuration = MSALConfidentialClientConfiguration(
            clientId: self["client"],
            authority: .url(self["authority"]),
            credential: credential
        )
        change(&configuration)
        return try MSALConfidentialClientApplication(configuration: configuration)
    }

    private func token(of identity: MSALManagedIdentityId) async throws(MSALTokenError) -> MSALTokenResult {
        try await MSALManagedIdentityApplication(identity: identity).acquireToken(resource: self["scope"])
    }
}
