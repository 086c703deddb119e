// Licensed under the MIT License. See LICENSE.

package import Foundation
package import MSALBase
import MSALCore
import UserFiles

/// The identity that variables describe (docs/reference/Services.md#environment).
package struct EnvironmentIdentity: Sendable {
    package enum Proof: Sendable {
        case secret(Secret)
        case certificate(path: String, password: Secret?, sendsChain: Bool)
        case password(user: String, password: Secret)
    }

    package let clientID: String
    package let tenant: String
    package let authority: URL
    package let proof: Proof

    /// The tenant that is asked if a call names none.
    static func tenant(in environment: ServerEnvironment) -> String? { environment.variable("AZURE_TENANT_ID") }

    private static let proofs = [
        "AZURE_CLIENT_SECRET", "AZURE_CLIENT_CERTIFICATE_PATH", "AZURE_USERNAME", "AZURE_PASSWORD",
    ]

    /// Whether some variables of an identity are set. If they describe none, the others were probably forgotten. A
    /// client ID alone does not count, because it may be that of a managed identity. With a token file, the variables
    /// belong to a workload.
    package static func isHalfSet(in environment: ServerEnvironment) -> Bool {
        let names = ["AZURE_TENANT_ID"] + proofs
        return environment.variable("AZURE_FEDERATED_TOKEN_FILE") == nil
            && names.contains { environment.variable($0) != nil }
    }

    /// - Throws: `.credentialUnavailable` if the variables describe none; `.configuration`, which names the one that cannot
    ///   be used.
    package init(_ environment: ServerEnvironment) throws(MSALTokenError) {
        let tenant = Self.tenant(in: environment)
        let user = environment.variable("AZURE_USERNAME")
        let password = environment.variable("AZURE_PASSWORD")
        guard let clientID = environment.variable("AZURE_CLIENT_ID") else {
            throw Self.missing("AZURE_CLIENT_ID is", in: environment)
        }
        self.clientID = clientID
        if tenant != nil, let secret = environment.variable("AZURE_CLIENT_SECRET") {
            proof = .secret(
                try Secret(credential: secret, of: "The value of AZURE_CLIENT_SECRET", else: .configuration)
            )
        } else if tenant != nil, let path = environment.variable("AZURE_CLIENT_CERTIFICATE_PATH") {
            let flag = environment.variable("AZURE_CLIENT_SEND_CERTIFICATE_CHAIN")?.lowercased()
            proof = .certificate(
                path: path,
                password: environment.variable("AZURE_CLIENT_CERTIFICATE_PASSWORD").map {
                    Secret($0.withoutFinalLineEnd)
                },
                sendsChain: flag == "1" || flag == "true"
            )
        } else if let user, let password {
            proof = .password(user: user, password: Secret(password.withoutFinalLineEnd))
        } else if tenant == nil {
            throw Self.missing("AZURE_TENANT_ID is", in: environment)
        } else {
            throw Self.missing("AZURE_CLIENT_SECRET and AZURE_CLIENT_CERTIFICATE_PATH are", in: environment)
        }
        if let tenant { try TenantPolicy.check(tenant, of: "The value of AZURE_TENANT_ID") }
        self.tenant = tenant ?? "organizations"
        authority = try Self.authority(of: self.tenant, in: environment)
    }

    private static func missing(_ subject: String, in environment: ServerEnvironment) -> MSALTokenError {
        let names = ["AZURE_CLIENT_ID", "AZURE_TENANT_ID"] + proofs
        let present = names.filter { environment.variable($0) != nil }
        let set = present.isEmpty ? "" : " Set: \(present.joined(separator: ", "))."
        return MSALTokenError(
            .credentialUnavailable,
            message: "\(subject) not set.\(set) An application is described by AZURE_CLIENT_ID, AZURE_TENANT_ID and "
                + "AZURE_CLIENT_SECRET, or AZURE_CLIENT_CERTIFICATE_PATH instead of the secret."
        )
    }

    /// The authority of a tenant at the host that `AZURE_AUTHORITY_HOST` names.
    static func authority(of tenant: String, in environment: ServerEnvironment) throws(MSALTokenError) -> URL {
        let host = environment.variable("AZURE_AUTHORITY_HOST") ?? AuthorityHost.usual
        guard let url = AuthorityHost.address(host)?.appending(path: tenant) else {
            throw MSALTokenError(
                .configuration,
                message: "The value of AZURE_AUTHORITY_HOST is neither a host nor an https address. Write it like "
                    + "https://login.microsoftonline.com"
            )
        }
        return url
    }

    /// Creates the credential that acquires tokens for this identity.
    ///
    /// - Throws: `.configuration` if an environment variable cannot be used; the message names it.
    package func credential(
        with options: MSALCredentialOptions,
        in environment: ServerEnvironment
    ) throws(MSALTokenError) -> any MSALTokenCredential {
        switch proof {
        case .secret(let secret):
            return try application(.secret(secret.exposed), options: options, in: environment)
        case .certificate(let path, let password, let sendsChain):
            do throws(MSALTokenError) {
                let certificate = MSALClientCredential.certificate(path: path, password: password?.exposed)
                return try application(certificate, sendsChain: sendsChain, options: options, in: environment)
            } catch {
                throw error.reworded("AZURE_CLIENT_CERTIFICATE_PATH: \(error.message)", kind: .configuration)
            }
        case .password(let user, let password):
            Log.warning(
                "AZURE_USERNAME and AZURE_PASSWORD are deprecated: a password cannot satisfy a second factor, and Microsoft "
                    + "Entra ID is retiring this sign-in. Use an application with a certificate."
            )
            return try UserPasswordCredential(
                clientID: clientID,
                authority: authority,
                user: user,
                password: password,
                options: options,
                environment: environment
            )
        }
    }

    private func application(
        _ credential: MSALClientCredential,
        sendsChain: Bool = false,
        options: MSALCredentialOptions,
        in environment: ServerEnvironment
    ) throws(MSALTokenError) -> MSALConfidentialClientApplication {
        var configuration = MSALConfidentialClientConfiguration(
            clientId: clientID,
            authority: .url(authority),
            credential: credential
        )
        configuration.sendsCertificateChain = sendsChain
        configuration.options = options
        return try MSALConfidentialClientApplication(configuration: configuration, environment: environment)
    }
}
