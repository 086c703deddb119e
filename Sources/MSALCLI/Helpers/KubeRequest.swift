// Licensed under the MIT License. See LICENSE.

import Foundation

/// The request of a Kubernetes client to its exec plugin (Kubernetes, "client-go credential plugins").
struct KubeRequest: Equatable {
    /// The application ID of the API servers of Azure Kubernetes Service (Azure/kubelogin, "Server ID").
    static let serverID = "6dae42f8-4368-4678-94ff-3960e28e3630"

    /// The versions of the protocol. What the command reads and writes is the same in all of them.
    static let versions = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"]

    let version: String

    /// Reads the variable `KUBERNETES_EXEC_INFO`. Without it the newest version is used.
    ///
    /// - Throws: `Failure` with the status `usage`, if the text is not a request in one of the versions.
    init(_ information: String?) throws(Failure) {
        guard let information, !information.isEmpty else {
            version = Self.versions[0]
            return
        }
        guard let request = JSONSource(information.utf8), request.members != nil else {
            throw .usage("KUBERNETES_EXEC_INFO is not a JSON object.")
        }
        let kind = try Self.member("kind", of: request)
        guard kind == "ExecCredential" else {
            throw .usage("The kind in KUBERNETES_EXEC_INFO is \"\(kind)\", not \"ExecCredential\".")
        }
        let version = try Self.member("apiVersion", of: request)
        guard Self.versions.contains(version) else {
            throw .usage(
                "The client requests apiVersion \"\(version)\", which msal does not support.",
                remedy: "Set apiVersion: \(Self.versions[0]) in the kubeconfig."
            )
        }
        self.version = version
    }

    private static func member(_ name: String, of request: JSONSource) throws(Failure) -> String {
        guard let value = request[name] else { throw .usage("KUBERNETES_EXEC_INFO has no member \(name).") }
        guard let text = value.string else { throw .usage("\(name) in KUBERNETES_EXEC_INFO is not a string.") }
        return text
    }

    /// The scope for a server.
    ///
    /// - Throws: `Failure` with the status `usage`, for a text that is not a server id.
    static func scope(_ serverID: String) throws(Failure) -> String {
        guard !serverID.isEmpty, serverID.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .usage("--server-id must be the application ID of the API server.")
        }
        return "\(serverID)/.default"
    }

    /// The document that the client reads.
    func credential(_ token: PrivateText, expiresOn: Date?) -> String {
        var status: [String: Any] = ["token": token.exposed]
        if let expiresOn { status["expirationTimestamp"] = expiresOn.formatted(.iso8601) }
        return JSONText.line(["apiVersion": version, "kind": "ExecCredential", "status": status])
    }
}
