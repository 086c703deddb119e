// Licensed under the MIT License. See LICENSE.

import CommandOutput
import EntraEmulator
import Foundation

extension Emulator {
    /// The text that the command prints when it listens: addresses, users, and first steps.
    ///
    /// `tokenFile`: The user's file with the control token, which is then not printed.
    /// `file`: The file of the user's own directory.
    func greeting(after duration: Duration, tokenFile: String? = nil, of file: String? = nil) -> TerminalText {
        if let file { return greeting(after: duration, token: tokenFile, directory: file) }
        let authority = certificateAuthorityFile.path
        let base = "https://localhost:\(port)"
        let people = seed.people.map(\.userPrincipalName).joined(separator: ", ")
        let native = "https://127.0.0.1:\(port)/\(seed.externalTenantAlias)"
        let clients = [ClientKind.msalPython, .azureIdentity, .node, .go, .curl, .az, .urlsession].map(\.rawValue)
            .joined(separator: ", ")
        let token = tokenFile.map { "that of \($0)" } ?? controlToken ?? ""
        let milliseconds = Int(duration / .milliseconds(1))
        return """
            Entra emulator (not a Microsoft product), listening after \(milliseconds) ms
              URL            \(base)\(mutualTLSLine)
              CA file        \(authority)
              Users          \(people)
              Password       \(seed.password)
              Client IDs     \(seed.clientID), \(seed.tutorialClientID)
              Native         \(native), \(seed.customers.count) customers
              Console        https://localhost:\(controlPort ?? 0) (codes, clock, faults)
              Control token  \(token)
            Try it:
              export MSAL_CA_FILE='\(authority)'
              export MSAL_CLIENT_ID=\(seed.clientID) MSAL_AUTHORITY=\(base)/\(seed.tenantID)
              msal login --scope User.Read
              msal graph /me
            Other clients: entra-emulator env --for CLIENT, such as \(clients)
            Ctrl-C ends the emulator.
            """
    }

    /// The address for client certificates on a separate line, if there is one.
    private var mutualTLSLine: TerminalText {
        let mutual: TerminalText = mutualTLSPort.map { "\n  Mutual TLS     https://localhost:\($0)" } ?? ""
        // A user who downloads the certificate over plain HTTP compares this fingerprint.
        let trust: TerminalText? = trustPort.map { port in
            let fingerprint = (try? certificateAuthorityFingerprint) ?? ""
            return "\n  CA over HTTP   http://localhost:\(port)/ca.pem, SHA-256 \(fingerprint)"
        }
        return "\(mutual)\(trust ?? "")"
    }

    /// The text for the user's own directory, whose names and passwords the user knows.
    private func greeting(after duration: Duration, token: String?, directory file: String) -> TerminalText {
        let people = someAccountNames
        let clients = ClientKind.allCases.filter { $0 != .msal }.map(\.rawValue).joined(separator: "|")
        return """
            Entra emulator (not a Microsoft product), listening after \(Int(duration / .milliseconds(1))) ms
              URL            https://localhost:\(port)\(mutualTLSLine)
              CA file        \(certificateAuthorityFile.path)
              Directory      \(file)
              Users          \(people.prefix(4).joined(separator: ", "))\(people.count > 4 ? " and others" : "")
              Console        https://localhost:\(controlPort ?? 0) (codes, clock, faults)
              Control token  \(token.map { "that of \($0)" } ?? controlToken ?? "")
            Clients: entra-emulator env --for \(clients)
            Ctrl-C ends the emulator.
            """
    }
}
