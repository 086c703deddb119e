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
        flow: TokenEndpointAddress.Flow = .user,
        options: MSALTokenOptions,
        correlationID: UUID,
        repetition: HTTPMessage.Repetition = .always
    ) async throws(MSALTokenError) -> [String: JSONValue] {
        let authority = try ClientCredentialsRequest.authority(authority, asking: tenant)
        let address = try await address(of: authority, flow: flow)
        let context = MSALAssertionContext(
            clientId: configuration.clientId,
            tokenEndpoint: address.audience,
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
            return try await send(form, with: proof, to: address, correlationID: correlationID, repetition: repetition)
        } catch {
            let other = try await authentication.proof(replacing: proof, after: error, for: context)
            guard let other else { throw error }
            return try await send(form, with: other, to: address, correlationID: correlationID, repetition: repetition)
        }
    }

    private func send(
        _ form: FormBody,
        with proof: ClientProof,
        to address: TokenEndpointAddress,
        correlationID: UUID,
        repetition: HTTPMessage.Repetition
    ) async throws(MSALTokenError) -> [String: JSONValue] {
        var form = form
        proof.apply(to: &form)
        do throws(MSALTokenError) {
            return try await endpoint.post(
                form,
                to: address.url,
                orElse: address.fallback,
                correlationID: correlationID,
                repetition: repetition
            )
        } catch {
            throw proof.explaining(error)
        }
    }

    /// Where a request goes: to the region's host for the application's own tokens, if one is set or found.
    package func address(
        of authority: Authority,
        isMutualTLS: Bool = false,
        flow: TokenEndpointAddress.Flow
    ) async throws(MSALTokenError) -> TokenEndpointAddress {
        let region =
            flow == .clientCredentials
            ? try await RegionDiscovery(environment: environment).region(for: configuration.region) : nil
        return try TokenEndpointAddress(of: authority, region: region, isMutualTLS: isMutualTLS, flow: flow)
    }
}
