// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer
import UserFiles

/// The credential that the options of `msal token` choose, and its name for people.
struct ServiceCredential {
    let credential: any MSALTokenCredential
    /// The owner of the token.
    private let identity: String
    private let chain: MSALDefaultCredential?

    /// The name of the identity that gave the token. The default chain knows it only when it has a token.
    var words: String {
        guard let chain else { return identity }
        return chain.winner.map { "\(identity): \($0)" } ?? identity
    }

    /// - Throws: `Failure` with the status `usage` for options that do not fit; `MSALTokenError` for a credential that
    ///   cannot be used.
    init(_ choice: ServiceChoice, sources: SettingSources) throws {
        let credentialKind = try choice.credentialKind()
        let caFile = sources.caFile
        // The default chain and federated applications read the host from this variable.
        let variable = "AZURE_AUTHORITY_HOST"
        if let authority = sources.authorityHost, authority != Self.variable(variable) {
            setenv(variable, try AuthorityChoice.host(of: authority), 1)
        }
        switch credentialKind {
        case .defaultChain:
            var options = MSALDefaultCredentialOptions()
            options.credentials.caFile = caFile
            let chain = try MSALDefaultCredential(options)
            self.init(chain, identity: "default chain", chain: chain)
        case .managedIdentity(let id):
            let identity = Self.identity(id)
            let application = MSALManagedIdentityApplication(identity: identity)
            let name = id.isEmpty ? "system-assigned" : id
            self.init(application, identity: "managed identity \(name) (\(application.source))")
        case .federated(let issuer) where choice.agent != nil:
            let application = try Self.application(
                choice,
                sources: sources,
                credential: .federated(Self.source(issuer))
            )
            self.init(application, identity: Self.name(choice, by: "an assertion of \(issuer.rawValue)"))
        case .federated(let issuer):
            var options = MSALCredentialOptions()
            options.caFile = caFile
            let credential = MSALFederatedCredential(
                Self.source(issuer),
                clientId: choice.client,
                tenant: choice.tenant ?? sources.authorityTenant,
                options: options
            )
            self.init(credential, identity: Self.name(choice, by: "an assertion of \(issuer.rawValue)"))
        case .secretFromVariable(let name):
            guard let text = Self.variable(name) else {
                throw Failure.usage(
                    "The variable \(name) of --client-secret-env is not set.",
                    remedy: "Set it to the application's secret, for example from a password manager."
                )
            }
            let secret = try SecretText.secret(in: text, from: "The variable \(name) of --client-secret-env")
            let application = try Self.application(choice, sources: sources, credential: .secret(secret.exposed))
            self.init(application, identity: Self.name(choice, by: "the secret in \(name)"))
        case .secretFromFile(let path):
            let secret = try SecretText.read(path, named: "The file \(path) of --client-secret-file")
            let application = try Self.application(choice, sources: sources, credential: .secret(secret.exposed))
            self.init(application, identity: Self.name(choice, by: "the secret in \(path)"))
        case .certificate(let path):
            let application = try Self.application(
                choice,
                sources: sources,
                credential: .certificate(path: path, password: try Self.password(choice))
            )
            self.init(application, identity: Self.name(choice, by: "the certificate \(path)"))
        }
    }

    private init(_ credential: any MSALTokenCredential, identity: String, chain: MSALDefaultCredential? = nil) {
        self.credential = credential
        self.identity = identity
        self.chain = chain
    }

    private static func name(_ choice: ServiceChoice, by proof: String) -> String {
        let user = choice.agentUser.map { "user \($0) of " } ?? ""
        let agent = choice.agent.map { "agent \($0) of " } ?? ""
        let client = choice.client ?? variable("AZURE_CLIENT_ID") ?? "of AZURE_CLIENT_ID"
        return "\(user)\(agent)application \(client), by \(proof)"
    }

    /// A resource ID begins with a slash. An object ID has the form of a client ID, so the user writes a mark before
    /// it.
    private static func identity(_ id: String) -> MSALManagedIdentityId {
        if id.isEmpty { return .systemAssigned }
        if id.hasPrefix("/") { return .resourceId(id) }
        if id.hasPrefix("object:") { return .objectId(String(id.dropFirst("object:".count))) }
        return .clientId(id)
    }

    private static func source(_ issuer: FederatedIssuerOption) -> MSALFederatedSource {
        switch issuer {
        case .github: .gitHubActions
        case .azurePipelines: .azurePipelines()
        case .kubernetes: .kubernetes
        }
    }

    private static func application(
        _ choice: ServiceChoice,
        sources: SettingSources,
        credential: MSALClientCredential
    ) throws -> any MSALTokenCredential {
        guard let client = choice.client else {
            throw Failure.usage("No application is specified.", remedy: "Pass --client ID, the ID of its registration.")
        }
        let place: MSALServerAuthority
        if let tenant = choice.tenant {
            place = sources.authorityHost.map { .tenant(tenant, host: $0) } ?? .tenant(tenant)
        } else if let authority = sources.authority {
            place = .url(authority)
        } else {
            throw Failure.usage("No tenant is specified.", remedy: "Pass --tenant with its ID or one of its domains.")
        }
        var configuration = MSALConfidentialClientConfiguration(
            clientId: client,
            authority: place,
            credential: credential
        )
        configuration.sendsCertificateChain = choice.sendsChain
        configuration.caFile = sources.caFile
        let application = try MSALConfidentialClientApplication(configuration: configuration)
        guard let id = choice.agent else { return application }
        let agent = try application.agent(id: id)
        guard let name = choice.agentUser else { return agent }
        return AgentUserCredential(agent: agent, user: UUID(uuidString: name) == nil ? .name(name) : .objectId(name))
    }

    private static func password(_ choice: ServiceChoice) throws(Failure) -> String? {
        guard let name = choice.certificatePasswordEnv else { return nil }
        guard let password = variable(name) else {
            throw .usage("The variable \(name) of --certificate-password-env is not set.")
        }
        return password.withoutFinalLineEnd
    }

    /// A variable; `nil` if it is absent or empty.
    private static func variable(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// The secret of an application, as a user keeps it in a file or a variable.
///
/// A text that cannot be a secret is not sent: the user may have named the wrong file.
enum SecretText {
    /// The longest secret of the service, in bytes.
    private static let longest = 1_024

    /// The secret in a file, or behind a shell's `<(…)`.
    ///
    /// - Throws: `Failure` with the status `usage`. The message does not show what the file holds.
    static func read(_ path: String, named name: String) throws(Failure) -> PrivateText {
        let text: String
        do throws(FileFault) {
            // Two bytes more, for the line break.
            text = try UserFile(path, limit: longest + 2, pipeTimeout: UserFile.timeout).text()
        } catch {
            throw .usage("\(name) \(error.reason).", remedy: remedy)
        }
        return try secret(in: text, from: name)
    }

    /// The secret in a text, without a line end.
    ///
    /// - Throws: `Failure` with the status `usage`, for a text that is not a secret.
    static func secret(in text: String, from name: String) throws(Failure) -> PrivateText {
        let secret: String
        do throws(CredentialText.Fault) {
            secret = try CredentialText.credential(in: text)
        } catch {
            throw .usage("\(name) \(error.reason). Nothing was sent.", remedy: remedy)
        }
        guard !secret.allSatisfy({ $0 == " " }) else { throw .usage("\(name) is empty.", remedy: remedy) }
        guard secret.utf8.count <= longest else {
            throw .usage("\(name) has more than \(longest) bytes, the limit for a secret.", remedy: remedy)
        }
        return PrivateText(secret)
    }

    private static let remedy = "It must contain only the application's secret."
}

/// The user account of an agent.
private struct AgentUserCredential: MSALTokenCredential {
    let agent: MSALConfidentialClientApplication
    let user: MSALAgentUser

    nonisolated(nonsending) func token(
        for request: MSALTokenRequest
    ) async throws(MSALTokenError) -> MSALTokenResult {
        try await agent.acquireTokenForAgentUser(user, scopes: request.scopes, options: request.options)
    }
}
