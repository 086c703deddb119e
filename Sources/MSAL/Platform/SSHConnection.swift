// Licensed under the MIT License. See LICENSE.

/// The connection of a remote login, as sshd describes it in `SSH_CONNECTION` (sshd(8)).
package struct SSHConnection: Sendable, Hashable {
    /// The address at which this machine was reached.
    let serverAddress: String
    let serverPort: Int

    /// Reads `client address, client port, server address, server port`; `nil` for anything else.
    init?(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 4, let port = UInt16(words[3]), Self.isAddress(words[2]) else { return nil }
        serverAddress = words[2]
        serverPort = Int(port)
    }

    /// The command that leads a port of the user's own machine to the same port of this one.
    ///
    /// `user` is the name on this machine. A name that a shell would read otherwise is left out.
    func forwardingCommand(port: Int, user: String?) -> String {
        var words = ["ssh", "-N", "-L", "\(port):localhost:\(port)"]
        if serverPort != 22 { words += ["-p", String(serverPort)] }
        let name = user.flatMap { $0.wholeMatch(of: /[A-Za-z0-9_][A-Za-z0-9._-]*/) == nil ? nil : $0 }
        words.append((name.map { $0 + "@" } ?? "") + serverAddress)
        return words.joined(separator: " ")
    }

    /// The line is for a shell: an address has nothing that a shell would act on.
    private static func isAddress(_ text: String) -> Bool {
        text.wholeMatch(of: /[0-9A-Fa-f:.]+(%[A-Za-z0-9._-]+)?/) != nil
    }
}
