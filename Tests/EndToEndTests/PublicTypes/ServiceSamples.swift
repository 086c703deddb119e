// Licensed under the MIT License. See LICENSE.

import Foundation
import Logging
import MSALServer
import TestSupport

/// The public types of `MSALServer` and `MSALHummingbird`.
enum ServiceSamples {
    private static let mark = PublicTypesTests.mark

    static let closed: [Named] = [
        MSALAgentUser.self, MSALChainedCredential.self, MSALCommandLineCredential.self,
        MSALConfidentialClientApplication.self,
        MSALDefaultCredential.self, MSALDownstreamAPI.self, MSALDownstreamRequest.self, MSALDownstreamResponse.self,
        MSALEnvironmentCredential.self, MSALFederatedCredential.self,
        MSALManagedIdentityApplication.self, MSALPrincipal.self, MSALSealingKey.self, MSALSessionKey.self,
        MSALTokenCache.self,
        MSALTokenValidator.self, MSALValidatedToken.self, MSALWebSignInResponse.self,
        MSALWorkloadIdentityCredential.self,
    ].map { Named($0) }

    /// Types without a secret, with the reason.
    static let harmless: [String: [String]] = [
        "ids, addresses and names": [
            "MSALAssertionContext", "MSALManagedIdentityId", "MSALManagedIdentitySource", "MSALServerAuthority",
            "MSALRegion", "MSALCommandLineTool", "MSALIdentityCheckup.Finding", "MSALAllowedTenants",
            "MSALProtectedResource", "MSALRequestFacts", "MSALRequirement", "MSALAgentIdentity",
        ],
        "the program's own requests": [
            "MSALCredentialOptions", "MSALTokenOptions", "MSALTokenRequest", "MSALWebSignInParameters",
            "MSALCommandLineOptions",
            "MSALDefaultCredentialOptions", "MSALMetadataProbe", "MSALUserTokenLimits", "MSALProofSettings",
            "MSALServerRetryPolicy", "MSALTokenValidatorConfiguration",
        ],
        "claims about a user": ["MSALClaimValue"],
        "the contents of a response to a caller": ["MSALClaimsChallenge", "MSALTokenRejection"],
        "a token and a key with closed mirrors": ["MSALLongRunningStart"],
        "a sentence, and the error beneath": ["MSALDownstreamError", "MSALSharedCacheEvent"],
        "sealed bytes and blinded names": [
            "MSALStoreEntry", "MSALStoreName", "MSALStorePartition", "MSALStoreVersion", "MSALWriteCondition",
        ],
        "keys with closed mirrors, and a store": ["MSALSharedCacheConfiguration"],
        "applications with closed mirrors": ["MSALServerService"],
    ].mapValues { $0.map { "MSALServer.\($0)" } }
        .merging([
            "a caller and a validator with closed mirrors": [
                "MSALHummingbird.MSALAPIContext", "MSALHummingbird.MSALAuthenticator",
            ],
            "applications, sessions, and keys with closed mirrors": [
                "MSALHummingbird.MSALAuthorizationAdapter", "MSALHummingbird.MSALAuthorizationAdapterConfiguration",
                "MSALHummingbird.MSALWebContext", "MSALHummingbird.MSALWebSignIn", "MSALHummingbird.MSALWebSignInPage",
                "MSALHummingbird.MSALWebUser",
            ],
            "settings, scopes, claims, and public documents": [
                "MSALHummingbird.MSALClientDocument", "MSALHummingbird.MSALSignInRequired",
                "MSALHummingbird.MSALTrustedDocumentHost", "MSALHummingbird.MSALWebSignInConfiguration",
            ],
            "sealed bytes, and the checks of their owner": [
                "MSALStoreConformance.MSALMemoryStore", "MSALStoreConformance.MSALStoreConformance",
                "MSALStoreConformance.MSALStoreConformance.Check", "MSALStoreConformance.MSALStoreConformance.Time",
                "MSALStoreConformance.MSALStoreViolation",
            ],
        ]) { first, _ in first }

    /// An environment that marks every variable that no initializer checks.
    static var environment: ServerEnvironment {
        let checked: Set = [
            "AZURE_AUTHORITY_HOST", "AZURE_TENANT_ID", "AZURE_CLIENT_ID", "AZURE_TOKEN_CREDENTIALS",
            "IDENTITY_ENDPOINT", "MSI_ENDPOINT", "AZURE_POD_IDENTITY_AUTHORITY_HOST", "IDENTITY_SERVER_THUMBPRINT",
            "MSAL_EMULATOR",
        ]
        let names = ServerEnvironment.readVariables.subtracting(checked).union(["PATH", "SECRET_OF_SOMETHING_ELSE"])
        let transport = ScriptedTransport([])
        return ServerEnvironment(
            variables: Dictionary(uniqueKeysWithValues: names.map { ($0, "\(mark)-\($0)") }),
            time: ManualTime(),
            files: SystemFiles(),
            transport: transport,
            metadataTransport: transport,
            memory: ProcessMemory()
        )
    }

    static func all() throws -> [Any] {
        let environment = environment
        var configuration = MSALConfidentialClientConfiguration(
            clientId: "00000000-0000-4000-8000-000000000001",
            authority: .tenant("contoso.example"),
            credential: .secret("\(mark)-secret")
        )
        guard let proxy = URL(string: "http://app:\(mark)-url@proxy.example") else { throw URLError(.badURL) }
        configuration.proxy = try MSALServerProxy(url: proxy)
        let application = try MSALConfidentialClientApplication(
            configuration: configuration,
            environment: environment
        )
        let pipeline = MSALFederatedSource.azurePipelines(
            serviceConnectionId: "connection",
            systemAccessToken: "\(mark)-pipeline"
        )
        return [
            application, configuration, configuration.proxy, MSALClientCredential.secret("\(mark)-secret"),
            MSALClientAssertion("\(mark)-assertion"), try certificate(), pipeline,
            MSALFederatedCredential(pipeline, environment: environment),
            MSALChainMember.azurePipelines(serviceConnectionId: "id", systemAccessToken: "\(mark)-pipeline"),
            try MSALChainedCredential([.environment, .credential(application)], environment: environment),
            try MSALDefaultCredential(environment: environment),
            MSALEnvironmentCredential(environment: environment),
            MSALWorkloadIdentityCredential(environment: environment),
            MSALManagedIdentityApplication(environment: environment),
            MSALDownstreamAPI.Caller.application(application),
            MSALCommandLineCredential(.azureCLI, environment: environment),
            MSALTokenResult(accessToken: "\(mark)-token", expiresOn: Date(timeIntervalSince1970: 4_000_000_000)),
            MSALTokenError(kind: .configuration, message: "A sentence.", claims: "{}"),
            try MSALWebSignInResponse(query: "code=\(mark)-code&state=\(mark)-state"),
            try signIn(),
            // What a service writes to its own log.
            Logger.MetadataValue.stringConvertible("\(application) \(configuration)"),
        ]
    }

    /// A sign-in in progress, as a service reads it from its storage.
    private static func signIn() throws -> MSALWebSignInRequest {
        let secret = String(repeating: "x", count: 43) + mark
        let members: [String: Any] = [
            "version": 1, "url": "https://login.contoso.example/authorize?state=\(mark)-state",
            "state": "\(secret)-state", "nonce": "\(secret)-nonce", "verifier": "\(secret)-verifier",
            "clientID": "00000000-0000-4000-8000-000000000001",
            "redirectURI": "https://app.contoso.example/signin-oidc", "scopes": ["User.Read"],
            "authority": "https://login.contoso.example/contoso.example", "responseMode": "form_post",
            "correlationID": UUID().uuidString, "begun": 0,
        ]
        return try JSONDecoder().decode(
            MSALWebSignInRequest.self,
            from: JSONSerialization.data(withJSONObject: members)
        )
    }

    /// The certificate of the tests, with its key.
    private static func certificate() throws -> MSALClientCertificate {
        var folder = URL(filePath: #filePath)
        for _ in 0..<3 { folder.deleteLastPathComponent() }
        folder.append(path: "Fixtures/Certificates")
        let parts = ["leaf.key", "leaf", "intermediate"].map { folder.appending(path: "\($0).pem") }
        return try MSALClientCertificate(
            pem: parts.map { try String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n")
        )
    }
}
