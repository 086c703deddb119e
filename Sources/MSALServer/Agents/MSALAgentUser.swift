// Licensed under the MIT License. See LICENSE.

/// The name of an agent's user account.
public enum MSALAgentUser: Sendable, Hashable, ServerRedactedReflection {
    /// The user principal name, such as `assistant@contoso.com`.
    case name(String)
    /// The object ID in the agent's tenant.
    case objectId(String)

    /// Microsoft Entra, "Agent user impersonation protocol".
    static let grantType = "user_fic"

    /// The parameter of the request, with its value. The service ignores the case of both names.
    var parameter: (name: String, value: String) {
        switch self {
        case .name(let name): ("username", name.lowercased())
        case .objectId(let id): ("user_id", id.lowercased())
        }
    }

    /// The hint that routes the request to the user's data, as MSAL Python sends it.
    func mailbox(in tenant: String) -> String? {
        switch self {
        case .name(let name): name.isHeaderValue ? "upn:\(name)" : nil
        case .objectId(let id): id.isHeaderValue ? "Oid:\(id)@\(tenant)" : nil
        }
    }
}

extension String {
    /// New field values are visible ASCII and spaces (RFC 9110 §5.5). A request without the hint succeeds, too.
    fileprivate var isHeaderValue: Bool { unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) } }
}
