// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import UserFiles

/// The checks of `msal doctor`.
enum Checkup {
    static func settings(_ settings: Settings) -> Check {
        let name = "settings"
        guard !settings.clientID.isEmpty else {
            return Check(
                name: name,
                isGood: false,
                finding: "no client ID is set; the other checks use \(settings.authorityText) without one",
                remedy:
                    "Run msal setup. Or register an app at \(registrationPage), with \(settings.redirectURI) under "
                    + "Mobile and desktop applications, or ask an administrator for an app's ID. Then \(Settings.keepClientID)",
                status: .usage
            )
        }
        return Check(name: name, isGood: true, finding: "client \(settings.clientID) at \(settings.authorityText)")
    }

    /// Microsoft's page "Register an application in Microsoft Entra ID" leads there: Entra ID, App registrations.
    private static let registrationPage = "https://entra.microsoft.com (App registrations)"

    static func certificates(in file: URL) -> Check {
        let path = file.path(percentEncoded: false)
        let text: String
        do throws(FileFault) {
            text = String(decoding: try UserFile(path, limit: 1 << 24).bytes(), as: UTF8.self)
        } catch {
            return Check(
                name: "CA file",
                isGood: false,
                finding: "\(path) \(error.reason)",
                remedy: "Correct --ca-file, MSAL_CA_FILE or ca_file.",
                status: .usage
            )
        }
        let count = text.components(separatedBy: "-----BEGIN CERTIFICATE-----").count - 1
        return Check(
            name: "CA file",
            isGood: count > 0,
            finding: "\(path) contains \(count) certificate\(count == 1 ? "" : "s")",
            remedy: count > 0 ? nil : "Pass a PEM file.",
            status: .usage
        )
    }

    /// Checks the place, the owner and the modes of the store. It also checks that MSAL_STORE_KEY is valid and that the
    /// key is available, even if the store does not exist yet.
    static func store(environment: [String: String]) async -> Check {
        let name = "token store"
        guard environment["MSAL_STORE_KEY"] != "memory" else {
            return Check(
                name: name,
                isGood: true,
                finding: "in memory, because of MSAL_STORE_KEY: no sign-in is stored"
            )
        }
        do throws(Failure) {
            let target = try CacheTarget(group: Settings.applicationID, environment: environment)
            return await CacheCheckup(target.store).summary(name)
        } catch {
            return Check(name, failure: error)
        }
    }

    /// Checks whether a user can sign in here, with any of the modes that a sign-in with these options would try.
    static func signIn(_ visit: SignInVisit, environment: [String: String]) async -> Check {
        do {
            let mode = try await visit.plan().modes.first
            return await browser(environment: environment, mode: mode, hasDeviceCodes: visit.hasDeviceCodes)
        } catch {
            // For example, no browser could return to the redirect URI.
            return Check("sign-in", failure: error as? Failure ?? Failure(error as NSError))
        }
    }

    /// Checks which browser would open the sign-in page, or which sign-in mode needs no browser. It starts nothing.
    /// `mode`: The mode that a sign-in tries first; `nil` if no user can sign in.
    static func browser(
        environment: [String: String],
        mode: MSALSignInMode?,
        hasDeviceCodes: Bool = true
    ) async -> Check {
        let opener: String
        switch await MSALBrowser.find(environment: environment) {
        case .program(let program): opener = "\(program) opens it"
        case .portal: opener = "the desktop portal opens it"
        case .none(let missing):
            let names = missing.joined(separator: ", ")
            opener = names.isEmpty ? "no display, no desktop portal and no BROWSER" : "\(names) not found"
        }
        let consequence: String? =
            switch mode {
            case .paste?: "msal login shows a link to open on another machine"
            case .deviceCode?: "msal login shows a code to enter on another machine"
            default: nil
            }
        return Check(
            name: "browser",
            isGood: mode != nil,
            finding: [opener, consequence].compactMap(\.self).joined(separator: "; "),
            remedy: mode != nil
                ? nil : "Set BROWSER, or run: msal login --no-browser\(hasDeviceCodes ? ", or --use-device-code" : "")"
        )
    }

    /// The check of the identity broker: which one this machine has, what it reports about the device, and whether a
    /// sign-in with these options would use it. A machine without a broker passes the check.
    static func broker(_ settings: Settings, visit: SignInVisit, environment: [String: String]) async -> Check {
        let findings = await MSALBrokerCheckup(settings.configuration(), environment: environment)
        // If there is no plan, another check gives the reason.
        let step = try? await visit.plan().steps.first { $0.mode == .broker }
        return broker(findings, refusal: step.flatMap { $0.isPossible ? nil : $0.reason })
    }

    /// The findings as a check. `refusal`: Why a sign-in would not use the broker; `nil` if it would.
    static func broker(_ findings: MSALBrokerCheckup, refusal: String?) -> Check {
        let name = "identity broker"
        if case .absent(let reason) = findings.presence {
            return Check(name: name, isGood: true, finding: "none: \(reason)")
        }
        var words = [findings.version.map { "version \($0)" } ?? "no version"]
        if let dialect = findings.dialect { words[0] += " (\(dialect.words))" }
        if let mode = findings.deviceMode { words.append("the device is \(mode == .shared ? "shared" : "private")") }
        if let isRegistered = findings.isDeviceRegistered {
            words.append(isRegistered ? "registered" : "not registered")
        }
        if let counts = findings.accountCounts {
            let sum = counts.values.reduce(0, +)
            words.append("\(sum) account\(sum == 1 ? "" : "s")")
        }
        words.append(refusal.map { "not used: \($0)" } ?? "a sign-in tries it first")
        guard let failure = findings.failure else {
            return Check(name: name, isGood: true, finding: words.joined(separator: ", "))
        }
        return Check(
            name: name,
            isGood: false,
            finding: "\(words.joined(separator: ", ")). \(failure.userMessage)",
            remedy: "To sign in without it: msal login --mode browser. To report the problem: msal doctor --broker"
        )
    }
}

extension MSALBrokerCheckup.Dialect {
    /// The family, for people.
    var words: String {
        switch self {
        case .early: "Microsoft's, up to 2.0.1"
        case .current: "Microsoft's, from 2.0.2 on"
        case .himmelblau: "Himmelblau's"
        default: "a version unknown to this command"
        }
    }
}
