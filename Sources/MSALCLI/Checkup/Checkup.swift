// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import SealedStore

/// The checks of `msal doctor`.
enum Checkup {
    static func settings(_ settings: Settings) -> Check {
        let authority = settings.authority?.url.absoluteString ?? "https://login.microsoftonline.com/common"
        return Check(name: "settings", isGood: true, finding: "client \(settings.clientID) at \(authority)")
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

    /// Place, owner and modes of the store: 0700 for the directory, 0600 for the file. MSAL_STORE_KEY must make sense,
    /// and the key be at hand, that of a new store included.
    static func store(
        environment: [String: String],
        place: (StoreLocation) -> StorePlace = { StorePlace(location: $0) }
    ) -> Check {
        let location: StoreLocation
        let choice: StoreKeyChoice
        do throws(StoreError) {
            location = try StoreLocation(group: Settings.applicationID, environment: environment)
            choice = try StoreKeyChoice.automatic.resolved(environment)
        } catch {
            return Check(name: "token store", isGood: false, finding: error.message, status: error.exit)
        }
        if let failed = place(location).failedCheck("token store") { return failed }
        var absent: String?
        for (path, mode) in [(location.directory, mode_t(0o700)), (location.file, mode_t(0o600))] {
            var status = stat()
            guard lstat(path, &status) == 0 else {
                if errno == ENOENT {
                    absent = path
                    break
                }
                return Check(
                    name: "token store",
                    isGood: false,
                    finding: "\(path) cannot be looked at",
                    remedy: "Check the rights of the directories above it, or set MSAL_STORE_DIR.",
                    status: .store
                )
            }
            let found = status.st_mode & 0o777
            guard status.st_uid == geteuid(), found & ~mode == 0 else {
                let finding = "\(path) has mode \(String(found, radix: 8)) and owner \(status.st_uid)"
                return Check(
                    name: "token store",
                    isGood: false,
                    finding: finding,
                    remedy: "Nobody else may open it: chown \(geteuid()) and chmod \(String(mode, radix: 8)).",
                    status: .store
                )
            }
        }
        if choice != .memory, let failed = unopened(environment) { return failed }
        let finding = absent.map { "\($0) will be made by the first sign-in" } ?? location.file
        return Check(name: "token store", isGood: true, finding: finding)
    }

    /// The failed check, if no command can open the store, or its key is not to be had; else `nil`.
    private static func unopened(_ environment: [String: String]) -> Check? {
        do throws(Failure) {
            let target = try CacheTarget(group: Settings.applicationID, environment: environment)
            _ = try target.run { (_) throws(StoreError) in try target.tryKey() }
            return nil
        } catch {
            return Check(
                name: "token store",
                isGood: false,
                finding: error.message,
                remedy: "For more: msal cache doctor",
                status: error.status
            )
        }
    }

    /// Whether something is there that opens the sign-in page. It is not started.
    static func browser(environment: [String: String]) async -> Check {
        let address = URL(string: "https://example.org/") ?? URL(filePath: "/")
        let launcher = BrowserLauncher(environment: environment)
        switch await launcher.way(for: address, command: nil) {
        case .program(let program): return Check(name: "browser", isGood: true, finding: "\(program) opens it")
        case .portal: return Check(name: "browser", isGood: true, finding: "the desktop portal opens it")
        case nil:
            let names = launcher.commands(for: address, command: nil).compactMap(\.first).joined(separator: ", ")
            return Check(
                name: "browser",
                isGood: false,
                finding: names.isEmpty ? "no display, no desktop portal and no BROWSER" : "\(names) not found",
                remedy: "Set BROWSER, or use: msal login --no-browser"
            )
        }
    }
}
