// Licensed under the MIT License. See LICENSE.

package import Foundation
import MSALBase
package import MSALCore

extension MSALConfidentialClientApplication {
    /// The last step of every flow for a user's token: authenticates the client and redeems the grant in the form.
    ///
    /// - Throws: `.configuration` for a bound token and the failures of the credential, with nothing sent; and those of
    ///   ``ServerEnvironment/tokens(for:orElse:)``.
    package func redeem(
        _ form: FormBody,
        tenant: String?,
        options: MSALTokenOptions,
        correlationID: UUID,
        repetition: HTTPMessage.Repetition = .always,
        mailbox: String? = nil
    ) async throws(MSALTokenError) -> TokenResponse {
        guard !options.isBoundToCertificate else {
            throw MSALTokenError(
                .configuration,
                message: "Only an application's own token can be bound to a certificate, and this one is a user's."
            )
        }
        return try await exchange(
            form,
            tenant: tenant,
            flow: .user,
            options: options,
            correlationID: correlationID,
            repetition: repetition,
            mailbox: mailbox
        ).response
    }

    /// Redeems a user's refresh token (RFC 6749 §6), unless the service has requested a pause.
    func redeem(
        refreshToken: Secret,
        throttledBy throttling: ThrottlingMemory,
        as key: AccessTokenKey,
        scopes: ScopeSet,
        tenant: String?,
        options: MSALTokenOptions,
        correlationID: UUID
    ) async throws(MSALTokenError) -> TokenResponse {
        if let refusal = throttling.refusal(of: key, at: environment.time.wholeSeconds) { throw refusal }
        var form = try userForm("refresh_token", scopes: scopes, options: options)
        form.set(.refreshToken, to: refreshToken.exposed)
        do throws(MSALTokenError) {
            return try await redeem(form, tenant: tenant, options: options, correlationID: correlationID)
        } catch {
            throttling.note(error, of: key, at: environment.time.wholeSeconds)
            throw error
        }
    }

    /// The parameters of every request for a user's own token.
    func userForm(_ grantType: String, scopes: ScopeSet, options: MSALTokenOptions) throws(MSALTokenError) -> FormBody {
        var form = FormBody()
        form.set(.grantType, to: grantType)
        form.set(.clientID, to: configuration.clientId)
        form.set(.scope, to: scopes.union(.openID).text)
        if authority.kind != .oidc { form.set(.clientInfo, to: "1") }
        form.set(.claims, to: try options.claims(with: configuration.capabilities))
        return form
    }

    /// Sends the form of any flow, also for a token that is bound to the client's certificate
    /// (docs/reference/Services.md#bound-tokens).
    ///
    /// - Returns: The response, and the thumbprint of the certificate that was presented in the TLS handshake.
    package func exchange(
        _ form: FormBody,
        tenant: String?,
        flow: TokenEndpointAddress.Flow,
        options: MSALTokenOptions,
        correlationID: UUID,
        repetition: HTTPMessage.Repetition = .always,
        mailbox: String? = nil
    ) async throws(MSALTokenError) -> (response: TokenResponse, thumbprint: String?) {
        let authority = try ClientCredentialsRequest.authority(authority, asking: tenant)
        let binds = options.isBoundToCertificate
        var form = form
        if binds { form.set(.tokenType, to: "mtls_pop") }
        // The address comes first, so that no proof is made if there is no address to send it to.
        let address = try await address(of: authority, isMutualTLS: binds, flow: flow)
        var context = MSALAssertionContext(
            clientId: configuration.clientId,
            tokenEndpoint: address.audience,
            tenant: tenant,
            authority: authority.url,
            authorityKind: authority.kind,
            correlationID: correlationID
        )
        context.capabilities = configuration.capabilities
        context.claims = options.claims
        context.fmiPath = options.fmiPath
        context.sendsCertificateChain = options.sendsCertificateChain ?? configuration.sendsCertificateChain
        context.bindsToCertificate = binds
        let send = { [form] (proof: ClientProof) async throws(MSALTokenError) -> (TokenResponse, String?) in
            var form = form
            proof.apply(to: &form)
            let certificate = proof.certificate
            let address =
                certificate == nil || binds
                ? address : try await self.address(of: authority, isMutualTLS: true, flow: flow)
            var request = TokenEndpoint.Request(form, to: address.url, correlationID: correlationID)
            request.identity = certificate?.identity
            request.repetition = repetition.limited(by: authority)
            request.mailbox = mailbox
            do throws(MSALTokenError) {
                let response = try await self.environment.tokens(for: request, orElse: address.fallback)
                return (response, certificate?.thumbprint)
            } catch {
                throw self.authentication.explaining(proof.explaining(error), ofRequest: form, to: authority)
            }
        }
        let proof = try await environment.observed(authentication.kind) { [context] () throws(MSALTokenError) in
            try await authentication.proof(for: context)
        }
        guard !Task.isCancelled else { throw .cancellation }
        do throws(MSALTokenError) {
            return try await send(proof)
        } catch {
            let other = try await authentication.proof(replacing: proof, after: error, for: context)
            guard let other else { throw error }
            return try await send(other)
        }
    }

    /// The address of a request. For the application's own tokens, it is at the region's host if a region is set or
    /// found. Metadata are fetched only for an OpenID Connect issuer.
    package func address(
        of authority: Authority,
        isMutualTLS: Bool = false,
        flow: TokenEndpointAddress.Flow
    ) async throws(MSALTokenError) -> TokenEndpointAddress {
        if authority.kind == .oidc {
            guard !isMutualTLS else {
                throw MSALTokenError(
                    .notSupportedInCloud,
                    message: "\(authority) does not accept certificates in the TLS handshake; use another credential."
                )
            }
            return TokenEndpointAddress(try await resolved(authority, correlationID: .random()).tokenEndpoint)
        }
        let region =
            flow == .clientCredentials
            ? try await RegionDiscovery(environment: environment).region(for: configuration.region) : nil
        let address = try TokenEndpointAddress(
            of: authority,
            region: region,
            isMutualTLS: isMutualTLS,
            emulator: configuration.mutualTLSURL,
            flow: flow
        )
        try address.checkHosts(of: authority, emulator: configuration.mutualTLSURL)
        return address
    }
}
