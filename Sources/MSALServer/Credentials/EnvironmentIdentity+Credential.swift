// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore

extension EnvironmentIdentity {
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
