// Licensed under the MIT License. See LICENSE.

/// The host in Azure that gives a program the tokens of its managed identity, and why it was chosen.
public struct MSALManagedIdentitySource: Sendable, Hashable, CustomStringConvertible {
    /// The kinds of hosts. Later versions may have more.
    public struct Kind: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind, which stays as it is.
        public let rawValue: String

        /// A kind by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A Service Fabric cluster.
        public static let serviceFabric = Kind(.serviceFabric)
        /// App Service, Functions and Container Apps.
        public static let appService = Kind(.appService)
        /// Azure Machine Learning.
        public static let machineLearning = Kind(.machineLearning)
        /// The Cloud Shell.
        public static let cloudShell = Kind(.cloudShell)
        /// A machine outside Azure with the agent of Azure Arc.
        public static let azureArc = Kind(.azureArc)
        /// A virtual machine: the Azure Instance Metadata Service. It is also the answer if nothing speaks for another host.
        public static let imds = Kind(.imds)

        private init(_ host: ManagedIdentityHost) { rawValue = host.rawValue }

        /// The name.
        public var description: String { rawValue }
    }

    package let host: ManagedIdentityHost

    /// The variables or the file that led to it, in words.
    public let reason: String

    init(_ host: ManagedIdentityHost, because reason: String) {
        self.host = host
        self.reason = reason
    }

    /// The kind of host.
    public var kind: Kind { Kind(rawValue: host.rawValue) }

    /// The kind and the reason.
    public var description: String { "\(kind): \(reason)" }

    /// The source that variables and files speak for. The first match counts (docs/reference/Services.md#sources).
    package static func detect(in environment: ServerEnvironment) -> MSALManagedIdentitySource {
        let has = { (name: String) in environment.variable(name) != nil }
        if has("IDENTITY_ENDPOINT"), has("IDENTITY_HEADER") {
            guard has("IDENTITY_SERVER_THUMBPRINT") else {
                return .init(.appService, because: "IDENTITY_ENDPOINT and IDENTITY_HEADER are set")
            }
            return .init(
                .serviceFabric,
                because: "IDENTITY_ENDPOINT, IDENTITY_HEADER and IDENTITY_SERVER_THUMBPRINT are set"
            )
        }
        if has("MSI_ENDPOINT") {
            return has("MSI_SECRET")
                ? .init(.machineLearning, because: "MSI_ENDPOINT and MSI_SECRET are set")
                : .init(.cloudShell, because: "MSI_ENDPOINT is set")
        }
        if has("IDENTITY_ENDPOINT"), has("IMDS_ENDPOINT") {
            return .init(.azureArc, because: "IDENTITY_ENDPOINT and IMDS_ENDPOINT are set")
        }
        if environment.files.version(of: ManagedIdentityHost.arcAgent) != nil {
            return .init(.azureArc, because: "\(ManagedIdentityHost.arcAgent) exists")
        }
        return .init(.imds, because: "no variable names another host")
    }
}
