// Licensed under the MIT License. See LICENSE.

package import Foundation
package import MSALCore
package import MSALSupport

extension MSALConfidentialClientApplication {
    /// The shared tail of every flow: proves who the client is and sends the form to the token endpoint.
    ///
    /// - Throws: The failures of the credential, with nothing sent, and those of ``TokenEndpoint``.
    package func redeem(
        _ form: FormBody,
        tenant: String?,
        options: MSALTokenOptions,
        correlationID: UUID,
        repetition: HTTPMessage.Repetition = .always
    ) async throws(MSALTokenError) -> [String: JSONValue] {
        let authority = tenant.map(authority.replacingTenant) ?? authority
        let url = tokenEndpoint(of: authority)
        let context = MSALAssertionContext(
            clientId: configuration.clientId,
            tokenEndpoint: url,
            tenant: tenant,
            authority: authority.url,
            capabilities: configuration.capabilities,
            claims: options.claims,
            fmiPath: options.fmiPath,
            correlationID: correlationID,
            sendsCertificateChain: options.sendsCertificateChain ?? configuration.sendsCertificateChain
        )
        let proof = try await authentication.proof(for: context)
        guard !Task.isCancelled else { throw .cancellation }
        do throws(MSALTokenError) {
            return try await send(form, with: proof, to: url, correlationID: correlationID, repetition: repetition)
        } catch {
            let other = try await authentication.proof(replacing: proof, after: error, for: context)
            guard let other else { throw error }
            return try await send(form, with: other, to: url, correlationID: correlationID, repetition: repetition)
        }
    }

    private func send(
        _ form: FormBody,
        with proof: ClientProof,
        to url: URL,
        correlationID: UUID,
        repetition: HTTPMessage.Repetition
    ) async throws(MSALTokenError) -> [String: JSONValue] {
        var form = form
        proof.apply(to: &form)
        return try await endpoint.post(form, to: url, correlationID: correlationID, repetition: repetition)
    }

    /// The token endpoint of an authority, known by its path, at the host that the cloud prefers.
    package func tokenEndpoint(of authority: Authority) -> URL {
        let network = KnownClouds.metadata(for: authority.environment)?.network(of: authority) ?? authority
        return network.endpoint(.token)
    }

    /// The value of `claims`: those of the call, and the application's capabilities.
    ///
    /// - Throws: `.configuration` if the claims of the call are no JSON object.
    package func claims(of options: MSALTokenOptions) throws(MSALTokenError) -> String? {
        var claims: JSONValue?
        if let text = options.claims {
            claims = JSONValue(parsing: Data(text.utf8))
            guard claims?.object != nil else {
                throw MSALTokenError(
                    .configuration,
                    message: "The claims are no JSON object. Decode the base64 of the API's challenge first."
                )
            }
        }
        return ClaimsRequest.merged(capabilities: configuration.capabilities, claims: claims)?.text
    }
}
