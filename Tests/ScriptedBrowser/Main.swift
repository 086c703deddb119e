// Licensed under the MIT License. See LICENSE.

import Foundation
import ScriptedAgent

/// `scripted-browser URL`: signs in with `MSAL_AGENT_USER` and `MSAL_AGENT_PASSWORD` on the pages of the address.
///
/// Intended for `BROWSER`, as used by `xdg-open` and similar programs. Exits with 0 or 1 and prints one line.
@main struct Main {
    static func main() async {
        let environment = ProcessInfo.processInfo.environment
        guard CommandLine.arguments.count == 2, let url = URL(string: CommandLine.arguments[1]) else {
            stop("usage: scripted-browser URL")
        }
        guard let user = environment["MSAL_AGENT_USER"], let password = environment["MSAL_AGENT_PASSWORD"] else {
            stop("set MSAL_AGENT_USER and MSAL_AGENT_PASSWORD to the account to sign in with")
        }
        let authority = environment["MSAL_CA_FILE"] ?? environment["SSL_CERT_FILE"]
        let agent = ScriptedAgent(
            script: Script(userName: user, password: Script.Password(password)),
            certificateAuthorityFile: authority.map { URL(filePath: $0) }
        )
        do {
            let outcome = try await agent.run(url)
            switch outcome.ending {
            case .appScheme, .stopped:
                print("scripted-browser: redirected to \(outcome.url.scheme ?? "an app"):")
            case .page(let status, let title, let text):
                let shown = title.isEmpty ? String(text.prefix(200)) : title
                guard status < 400 else { stop("the last page has status \(status): \(shown)") }
                print("scripted-browser: \(shown)")
            }
        } catch {
            stop("\(error)")
        }
    }

    private static func stop(_ message: String) -> Never {
        // The exit status also reports it, in case the message cannot be written.
        try? FileHandle.standardError.write(contentsOf: Data("scripted-browser: \(message)\n".utf8))
        exit(1)
    }
}
