// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore

/// A machine outside Azure with the agent of Azure Arc, which makes a program show that it may read a file.
struct AzureArcHost: ManagedIdentityHost {
    let kind = MSALManagedIdentitySource.Kind.azureArc
    let words = "The agent of Azure Arc"

    func reason(in environment: ServerEnvironment) -> String? {
        // The agent's program shows that a machine is one of Azure Arc.
        let agent = "/opt/azcmagent/bin/himds"
        return environment.reason(["IDENTITY_ENDPOINT", "IMDS_ENDPOINT"])
            ?? (environment.files.version(of: agent) == nil ? nil : "\(agent) exists")
    }

    func apiVersion(for identity: MSALManagedIdentityId) -> String? { "2020-06-01" }

    func parameter(for identity: MSALManagedIdentityId) -> String? {
        usualParameter(for: identity, resource: "msi_res_id")
    }

    func endpoint(in environment: ServerEnvironment) throws(MSALTokenError) -> URL {
        let variable = "IDENTITY_ENDPOINT"
        let usual = "http://127.0.0.1:40342/metadata/identity/oauth2/token"
        return try environment.tokenEndpoint(environment.variable(variable) ?? usual, of: variable)
    }

    func complete(_ draft: inout ManagedIdentityRequestBuilder) {
        draft.headers["Metadata"] = "true"
    }

    /// The content of the file that the agent names.
    func proof(
        askedBy response: HTTPResponse,
        reader: ManagedIdentityResponse,
        environment: ServerEnvironment
    ) throws(MSALTokenError) -> Secret? {
        do throws(ArcChallenge.Fault) {
            guard response.status == 401 else { throw .status }
            let header = response[header: "WWW-Authenticate"]
            return try ArcChallenge(header: header, folder: environment.arcTokenFolder).key(in: environment)
        } catch {
            var words = error.words
            switch error {
            case .status where response.status >= 300: words += " \(reader.refusal(response).message)"
            case .file:
                words +=
                    " Only members of the group himds may read \(environment.arcTokenFolder): add the user of this program "
                    + "to it, and restart the program."
            case .status, .header, .folder, .ending, .link, .size, .content: break
            }
            throw MSALTokenError(
                .invalidChallenge,
                message: "The challenge of the Azure Arc agent was rejected. \(words)",
                isRetryable: error == .status && (response.status == 429 || response.status >= 500),
                correlationID: reader.request.correlationID
            )
        }
    }

    /// Old agents ignore the id and give the machine's own identity. So the response must repeat the id.
    func confirm(_ members: [String: JSONValue], for request: ManagedIdentityRequest) throws(MSALTokenError) {
        guard let id = request.identity.value, let name = parameter(for: request.identity) else { return }
        let names = name == "msi_res_id" ? [name, "mi_res_id"] : [name]
        guard !names.contains(where: { members[$0]?.string?.lowercased() == id.lowercased() }) else { return }
        throw MSALTokenError(
            .identityNotConfirmed,
            message:
                "\(words) returned a token but does not confirm that it is for \(request.identity.words). It was not used, "
                + "because an old agent always returns the machine's own identity. Update the agent.",
            correlationID: request.correlationID
        )
    }
}

extension MSALManagedIdentitySource.Kind {
    /// A machine outside Azure with the agent of Azure Arc.
    public static let azureArc = Self(rawValue: "azureArc")
}
