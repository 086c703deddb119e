// Licensed under the MIT License. See LICENSE.

import Foundation

/// The request of git to a credential helper (git's page "git-credential", "INPUT/OUTPUT FORMAT").
struct GitRequest: Equatable {
    /// The hosts of Azure DevOps (Microsoft's page "Allowed IP addresses and domain URLs").
    static let hosts = HelperHost(names: ["dev.azure.com"], domains: ["visualstudio.com"])

    /// The scope of Azure DevOps (Microsoft's page "Use Microsoft Entra tokens" of Azure DevOps).
    static let scope = "499b84ac-1321-427f-aa17-267ca6975798/.default"

    private(set) var scheme = ""
    private(set) var host = ""
    private(set) var userName: String?

    /// Reads the lines `name=value`.
    ///
    /// - Throws: `Failure` with the status `usage`, if a line has another form, or a value holds a control character.
    init(_ text: String) throws(Failure) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty { break }
            guard let sign = line.firstIndex(of: "="), sign != line.startIndex else {
                throw .usage("The request of git has a line that is not name=value.")
            }
            let value = String(line[line.index(after: sign)...])
            guard !value.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
                throw .usage("The request of git holds a control character, such as a line break.")
            }
            switch line[..<sign] {
            case "protocol": scheme = value
            case "host": host = value
            case "username": userName = value.isEmpty ? nil : value
            default: break
            }
        }
    }

    /// The account that the address names. If the name has no `@`, it is the organization in an address of Azure
    /// DevOps.
    var account: String? { userName.flatMap { $0.contains("@") ? $0 : nil } }

    /// Whether the host gets a token; `false` for other hosts, which other helpers may know.
    ///
    /// - Throws: `Failure` with the status `usage`, for a host of Azure DevOps with another protocol or spelling.
    func isAnswered() throws(Failure) -> Bool {
        switch Self.hosts.judge(host) {
        case .foreign: return false
        case .refused(let reason):
            throw .usage(
                "\(host) gets no token: the host \(reason).",
                remedy: "Write the address as Azure DevOps shows it."
            )
        case .known:
            guard scheme == "https" else {
                throw .usage(
                    "\(host) gets no token over \(scheme).",
                    remedy: "Use an address that begins with https://"
                )
            }
            return true
        }
    }

    /// The lines of a credential. git accepts any user name with a token, but a user name in the address must stay the
    /// same.
    func credential(_ token: PrivateText, accountName: String, expiresOn: Date?) -> String {
        let end = expiresOn.map { "password_expiry_utc=\(Int($0.timeIntervalSince1970))\n" } ?? ""
        return "username=\(userName ?? accountName)\npassword=\(token.exposed)\n\(end)"
    }

    /// The line that tells git to ask nobody else: no other helper and not the person.
    static let end = "quit=1\n"
}
