// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer

/// `ServiceProbe SCOPE`: gets a token for a service with the settings in its environment, and prints what it is.
///
/// `AZURE_AUTHORITY_HOST`, `AZURE_TENANT_ID`, `AZURE_CLIENT_ID` and `AZURE_CLIENT_SECRET` say which service and where.
/// The program stands on `MSALServer` alone. `scripts/check-core` looks into it to see what the library brings along, and
/// `scripts/check-standalone` builds it as a package of its own.
@main struct Main {
    static func main() async {
        guard CommandLine.arguments.count == 2 else { stop("usage: ServiceProbe RESOURCE/.default") }
        do throws(MSALTokenError) {
            let host = setting("AZURE_AUTHORITY_HOST") ?? "https://login.microsoftonline.com"
            let application = try MSALConfidentialClientApplication(
                configuration: MSALConfidentialClientConfiguration(
                    clientId: setting("AZURE_CLIENT_ID") ?? "",
                    authority: .url("\(host)/\(setting("AZURE_TENANT_ID") ?? "")"),
                    credential: .secret(setting("AZURE_CLIENT_SECRET") ?? "")
                )
            )
            for _ in 1...2 {
                // The description holds no token.
                print(try await application.acquireTokenForClient(scopes: [CommandLine.arguments[1]]))
            }
        } catch {
            stop(error.description)
        }
    }

    private static func setting(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

    private static func stop(_ message: String) -> Never {
        // The exit status says it too, in case nobody can read the message.
        try? FileHandle.standardError.write(contentsOf: Data("ServiceProbe: \(message)\n".utf8))
        exit(1)
    }
}
