// Licensed under the MIT License. See LICENSE.

package import Foundation
package import MSALBase
package import MSALCore

/// A host that gives a program the tokens of its managed identity: how the host is recognized and called, how its
/// responses are read, when a request is repeated, and what a refusal means.
///
/// Each host has a file of its own (docs/reference/Services.md#managed-identity). The defaults of this protocol are
/// what most hosts do.
package protocol ManagedIdentityHost: Sendable {
    /// The kind, for callers.
    var kind: MSALManagedIdentitySource.Kind { get }
    /// The responder, as the subject of a message.
    var words: String { get }

    // MARK: Detection

    /// The variables or the file that indicate this host, as text; `nil` if nothing does.
    func reason(in environment: ServerEnvironment) -> String?

    // MARK: Requests

    /// The version of the request's form.
    func apiVersion(for identity: MSALManagedIdentityId) -> String?
    /// The parameter that names an identity; `nil` if the host does not accept IDs of this form.
    func parameter(for identity: MSALManagedIdentityId) -> String?
    /// The forms of IDs that the host accepts, for a message.
    var takenIDs: String { get }
    /// The address of its token endpoint.
    ///
    /// - Throws: `.configuration` naming the variable.
    func endpoint(in environment: ServerEnvironment) throws(MSALTokenError) -> URL
    /// Adds what a request to this host contains besides version, resource, and ID.
    ///
    /// - Throws: `.configuration` if a variable is malformed or missing.
    func complete(_ draft: inout ManagedIdentityRequestBuilder) throws(MSALTokenError)

    // MARK: Responses

    /// The proof that the host demands in its first response; `nil` if that response is final.
    ///
    /// - Throws: `.invalidChallenge` if the host demands something that it must not receive.
    func proof(
        askedBy response: HTTPResponse,
        reader: ManagedIdentityResponse,
        environment: ServerEnvironment
    ) throws(MSALTokenError) -> Secret?
    /// Checks that a token belongs to the requested identity.
    ///
    /// - Throws: `.identityNotConfirmed`.
    func confirm(_ members: [String: JSONValue], for request: ManagedIdentityRequest) throws(MSALTokenError)

    // MARK: Retries

    /// Whether a response with this status is retried.
    func isTemporary(status: Int) -> Bool
    /// The delays before the next attempts.
    var pauses: [Duration] { get }
    /// The delays after status 410.
    var pausesWhileGone: [Duration] { get }
    /// Whether requests are sent to the host one at a time, because it accepts few at once.
    var takesTurns: Bool { get }

    // MARK: Errors

    /// Whether the address is the same on all machines. Another program may then respond there.
    var hasCommonAddress: Bool { get }
    /// The kind of a refusal.
    func kind(
        of refusal: ManagedIdentityRefusal,
        status: Int,
        for identity: MSALManagedIdentityId
    ) -> MSALTokenError.Kind
}

extension ManagedIdentityHost {
    /// The id by which most hosts know an identity. `resource` is the name of a resource ID, which differs.
    func usualParameter(for identity: MSALManagedIdentityId, resource: String) -> String? {
        switch identity {
        case .systemAssigned: nil
        case .clientId: "client_id"
        case .objectId: "object_id"
        case .resourceId: resource
        }
    }

    package var takenIDs: String { "It takes a client ID, an object ID or a resource ID." }

    package func proof(
        askedBy response: HTTPResponse,
        reader: ManagedIdentityResponse,
        environment: ServerEnvironment
    ) throws(MSALTokenError) -> Secret? {
        nil
    }

    package func confirm(_ members: [String: JSONValue], for request: ManagedIdentityRequest) throws(MSALTokenError) {}

    package func isTemporary(status: Int) -> Bool { [404, 408, 429, 500, 503, 504].contains(status) }
    package var pauses: [Duration] { Array(repeating: .seconds(1), count: 3) }
    package var pausesWhileGone: [Duration] { [] }
    package var takesTurns: Bool { false }

    package var hasCommonAddress: Bool { false }
    package func kind(
        of refusal: ManagedIdentityRefusal,
        status: Int,
        for identity: MSALManagedIdentityId
    ) -> MSALTokenError.Kind {
        status == 400 && refusal.saysIdentityIsMissing ? .identityNotAssigned : .refused
    }
}

/// All hosts, in the order in which they are looked for. The first match is chosen
/// (docs/reference/Services.md#sources).
package enum ManagedIdentityHosts {
    package static let all: [any ManagedIdentityHost] = [
        ServiceFabricHost(), AppServiceHost(), MachineLearningHost(), CloudShellHost(), AzureArcHost(), imds,
    ]

    /// The host for a machine without a sign of another one.
    private static let imds = IMDSHost()

    /// The host that variables and files speak for.
    package static func detect(
        in environment: ServerEnvironment
    ) -> (host: any ManagedIdentityHost, source: MSALManagedIdentitySource) {
        let found = all.lazy.compactMap { host in host.reason(in: environment).map { (host, $0) } }
        let (host, reason) = found.first ?? (imds, "")
        return (host, MSALManagedIdentitySource(kind: host.kind, reason: reason))
    }
}
