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
    /// Why a host of Azure DevOps gets no token; `nil` for a valid request. A request for another host is not judged,
    /// because another helper may accept it.
    private var fault: String?

    /// Reads the lines `name=value`. Only a line feed ends a line.
    init(_ bytes: some Collection<UInt8>, isWhole: Bool = true) {
        if !isWhole { fault = "is longer than \(HelperInput.maximumLength) bytes" }
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            if line.isEmpty { break }
            guard let sign = line.firstIndex(of: UInt8(ascii: "=")), sign != line.startIndex,
                let text = String(validating: line, as: UTF8.self)
            else {
                fault = "has a line that is not name=value in UTF-8"
                continue
            }
            if Self.hasControl(text) { fault = "contains a control character, such as a line break" }
            let value = String(decoding: line[line.index(after: sign)...], as: UTF8.self)
            switch String(decoding: line[..<sign], as: UTF8.self) {
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
        let decision = Self.hosts.decision(host)
        if decision == .foreign { return false }
        if let fault { throw .usage("The git request \(fault).", remedy: "Check the address of the remote.") }
        switch decision {
        case .foreign: return false
        case .refused(let reason):
            throw .usage(
                "\(host) gets no token: the host \(reason).",
                remedy: "Use the address as Azure DevOps shows it."
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
    ///
    /// - Throws: `Failure` with the status `failed`, if a value holds a control character: a line feed would add a line
    ///   to the response.
    func credential(_ token: PrivateText, accountName: String, expiresOn: Date?) throws(Failure) -> String {
        let end = expiresOn.map { "password_expiry_utc=\(Int($0.timeIntervalSince1970))\n" } ?? ""
        let name = userName ?? accountName
        guard !Self.hasControl(name), !Self.hasControl(token.exposed) else {
            throw .file("The name of the account or its token holds a control character, which git does not support.")
        }
        return "username=\(name)\npassword=\(token.exposed)\n\(end)"
    }

    private static func hasControl(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// The line that tells git to ask neither other helpers nor the user.
    static let end = "quit=1\n"
}
