// Licensed under the MIT License. See LICENSE.

import HTTPTypes
import MSALBase

/// The identity of a request.
struct RequestedIdentity: Sendable {
    /// The types of IDs by which a request can identify an identity.
    enum Kind: Sendable {
        case clientID, objectID, resourceID
    }

    /// The name of the parameter.
    let parameter: String
    let kind: Kind
    let value: String

    /// Whether an identity matches, regardless of case.
    func names(_ identity: EmulatorDirectory.ManagedIdentity) -> Bool {
        let own: String? =
            switch kind {
            case .clientID: identity.clientID
            case .objectID: identity.objectID
            case .resourceID: identity.resourceID
            }
        return own?.lowercased() == value.lowercased()
    }
}

/// A token request of a program on one of the hosts, validated according to the host's rules.
struct IdentityTokenRequest: Sendable {
    let resource: String
    /// `nil` requests the system-assigned identity.
    var identity: RequestedIdentity?
    /// Client capabilities, which only Service Fabric supports.
    let capabilities: [String]

    /// Parses a request.
    ///
    /// - Throws: The error of that host.
    init(_ exchange: Exchange, at source: ManagedIdentitySource, secret: Secret) throws(IdentityRefusal) {
        let method = source == .cloudShell ? HTTPRequest.Method.post : .get
        guard exchange.method == method else { throw .wrongMethod(exchange.method.rawValue, allowed: method) }
        try Self.checkHeaders(exchange.headers, at: source, secret: secret)
        let parameters = method == .post ? exchange.form : exchange.query
        guard parameters.duplicatedName == nil else { throw .malformed }
        if !source.versions.isEmpty {
            guard let version = parameters["api-version"] else { throw .missing("api-version") }
            guard source.versions.contains(version) else { throw .unsupportedVersion(version, of: source) }
        }
        guard let resource = parameters["resource"] else { throw .missing("resource") }
        self.resource = resource
        identity = try Self.identity(in: parameters, at: source)
        capabilities =
            source == .serviceFabric
            ? (parameters["xms_cc"] ?? "").split(separator: ",").map(String.init) : []
    }

    private static func checkHeaders(
        _ headers: HTTPFields,
        at source: ManagedIdentitySource,
        secret: Secret
    ) throws(IdentityRefusal) {
        if source.needsMetadataHeader {
            guard headers[.metadata]?.lowercased() == "true" else { throw .missingMetadata }
            guard headers[.xForwardedFor] == nil else { throw .forwarded }
        }
        guard let name = source.secretHeader.flatMap({ HTTPField.Name($0) }) else { return }
        guard let value = headers[name] else { throw .secret(of: source, isMissing: true) }
        guard Secret(value) == secret else { throw .secret(of: source, isMissing: false) }
    }

    private static func identity(
        in parameters: FormValues,
        at source: ManagedIdentitySource
    ) throws(IdentityRefusal) -> RequestedIdentity? {
        let known = source.identityParameters
        // Cloud Shell has only one identity, and ignores other IDs.
        guard !known.isEmpty else { return nil }
        let named = parameters.pairs.filter {
            ManagedIdentitySource.identityParameters.contains($0.name) && !$0.value.isEmpty
        }
        guard let first = named.first else { return nil }
        guard let kind = known[first.name], named.count == 1 else {
            throw .unsupportedParameter(named.first { known[$0.name] == nil }?.name ?? named[1].name, at: source)
        }
        return RequestedIdentity(parameter: first.name, kind: kind, value: first.value)
    }
}

extension HTTPField.Name {
    /// The literal is a valid name.
    static let metadata = HTTPField.Name("Metadata") ?? .date
}
