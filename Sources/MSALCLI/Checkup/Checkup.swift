// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import MSAL

/// The checks of `msal doctor`.
enum Checkup {
    static func settings(_ settings: Settings) -> Check {
        Check(name: "settings", isGood: true, finding: "client \(settings.clientID) at \(settings.authorityText)")
    }

    static func certificates(in file: URL) -> Check {
        let path = file.path(percentEncoded: false)
        guard let text = try? String(contentsOf: file, encoding: .utf8) else {
            return Check(
                name: "CA file",
                isGood: false,
                finding: "\(path) cannot be read",
                remedy: "Correct --ca-file, MSAL_CA_FILE or ca_file.",
                status: .usage
            )
        }
        let count = text.components(separatedBy: "-----BEGIN CERTIFICATE-----").count - 1
        return Check(
            name: "CA file",
            isGood: count > 0,
            finding: "\(path) holds \(count) certificate\(count == 1 ? "" : "s")",
            remedy: count > 0 ? nil : "It must be a PEM file.",
            status: .usage
        )
    }

    /// Place, owner and modes of the store. MSAL_STORE_KEY must be valid, and the key must be available, also for a
    /// store that does not exist yet.
    static func store(environment: [String: String]) async -> Check {
        let name = "token store"
        guard environment["MSAL_STORE_KEY"] != "memory" else {
            return Check(name: name, isGood: true, finding: "in memory, as MSAL_STORE_KEY says: no sign-in is kept")
        }
        do throws(Failure) {
            let target = try CacheTarget(group: Settings.applicationID, environment: environment)
            return await CacheCheckup(target.store).summary(name)
        } catch {
            return Check(name, failure: error)
        }
    }

    /// Whether a person can sign in: by something that opens the page here, which is not started, or at this terminal
    /// with a browser elsewhere.
    static func browser(
        environment: [String: String],
        hasTerminal: Bool = TerminalInput().isInteractive && Terminal.errors.isInteractive
    ) async -> Check {
        switch await MSALBrowser.find(environment: environment) {
        case .program(let program): return Check(name: "browser", isGood: true, finding: "\(program) opens it")
        case .portal: return Check(name: "browser", isGood: true, finding: "the desktop portal opens it")
        case .none(let missing):
            let names = missing.joined(separator: ", ")
            let reason = names.isEmpty ? "no display, no desktop portal and no BROWSER" : "\(names) not found"
            return Check(
                name: "browser",
                isGood: hasTerminal,
                finding: hasTerminal ? "\(reason); msal login shows a link to open elsewhere" : reason,
                remedy: hasTerminal ? nil : "Set BROWSER, or use: msal login --use-device-code, or --no-browser"
            )
        }
    }
}
