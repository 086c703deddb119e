// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

extension Checkup {
    /// Checks whether the authority provides everything for a sign-in, and whether its clock agrees with this
    /// machine's.
    static func service(_ settings: Settings) async -> [Check] {
        do throws(Failure) {
            try settings.checkAuthority()
        } catch {
            return [Check("authority", failure: error)]
        }
        return checks(await MSALServiceCheckup(settings.configuration(), scopes: settings.scopes), settings: settings)
    }

    /// The findings as checks.
    static func checks(_ findings: MSALServiceCheckup, settings: Settings) -> [Check] {
        var checks = [authority(findings.authority, settings: settings)]
        if let keys = findings.signingKeys { checks.append(signingKeys(keys)) }
        if let page = findings.signInPage { checks.append(signInPage(page, settings: settings)) }
        // If the check fails, a network's login page may have responded. Its clock proves nothing.
        if checks[0].isGood, let seconds = findings.secondsAhead { checks.append(clock(secondsAhead: seconds)) }
        return checks
    }

    private static func authority(_ finding: Result<String, MSALServiceCheckup.Failure>, settings: Settings) -> Check {
        let name = "authority"
        switch finding {
        case .success(let host):
            return Check(name: name, isGood: true, finding: "\(host) signs in for \(settings.authorityText)")
        case .failure(let failure): return refused(failure, name: name)
        }
    }

    private static func signingKeys(
        _ finding: Result<MSALServiceCheckup.SigningKeys, MSALServiceCheckup.Failure>
    ) -> Check {
        let name = "signing keys"
        switch finding {
        case .success(let keys):
            return Check(
                name: name,
                isGood: keys.count > 0,
                finding: "\(keys.host) has \(keys.count) usable keys",
                status: .network
            )
        case .failure(let failure): return refused(failure, name: name)
        }
    }

    private static func signInPage(
        _ finding: Result<MSALSignInPageResponse, MSALServiceCheckup.Failure>,
        settings: Settings
    ) -> Check {
        let name = "sign-in page"
        let remedyContext = RemedyContext(settings: settings)
        switch finding {
        case .failure(let failure): return refused(failure, name: name)
        case .success(let response):
            let host = response.host
            switch response.outcome {
            case .asksPerson:
                let finding = "\(host) knows the app \(settings.clientID) and its redirect URI"
                return Check(name: name, isGood: true, finding: finding)
            case .refused(let error):
                return Check(name, failure: Failure(error, in: remedyContext))
            case .errorPage(let number):
                let isUnregistered = number == "AADB2C90006"
                return Check(
                    name: name,
                    isGood: false,
                    finding: "\(host) shows an error page: \(number).",
                    remedy: isUnregistered
                        ? remedyContext.registration
                        : response.error.flatMap {
                            ServiceRemedy($0)?.text(remedyContext) ?? ServiceRemedy.explanation(of: $0)
                        }
                )
            case .status(let status):
                return Check(
                    name: name,
                    isGood: false,
                    finding: "\(host) returned \(status)",
                    remedy: remedy(status: status),
                    status: .network
                )
            }
        }
    }

    /// The check of an authority that cannot serve a sign-in. The finding names the host that failed, which may differ
    /// from the authority's.
    private static func refused(_ failure: MSALServiceCheckup.Failure, name: String) -> Check {
        let (error, host) = (failure.error, failure.host ?? "The authority")
        if error.domain == NSURLErrorDomain { return noResponse(failure, name: name) }
        switch error.internalError {
        case .internalErrorInvalidResponse:
            // Login pages respond with the status 200.
            return Check(
                name: name,
                isGood: false,
                finding: "\(host) responded, but not as a sign-in service. \(error.text)",
                remedy: portalRemedy,
                status: .network
            )
        case .internalErrorUnhandledResponse:
            let status = (error.userInfo[MSALHTTPResponseCodeKey] as? String).flatMap(Int.init) ?? 0
            return Check(
                name: name,
                isGood: false,
                finding: "\(host) returned \(status). \(error.text)",
                remedy: remedy(status: status),
                status: .network
            )
        default:
            let remedy = ServiceRemedy(error) ?? .unknownHost
            return Check(
                name: name,
                isGood: false,
                finding: "\(host): \(error.text)",
                remedy: remedy.text(RemedyContext()),
                status: .usage
            )
        }
    }

    private static func remedy(status: Int) -> String {
        status == 429 || status >= 500 ? ServiceRemedy.unavailable.text(RemedyContext()) : portalRemedy
    }

    /// The remedy if another server than the service responded.
    static let portalRemedy =
        "The network's own sign-in page may have responded. Open any page in a browser, then try again."

    /// The library's text says what is wrong. The remedy is the command's own, because it names the flag for
    /// certificates.
    static func noResponse(_ failure: MSALServiceCheckup.Failure, name: String) -> Check {
        let text = failure.error.text
        let prefix = failure.host.map { text.contains($0) ? "" : "\($0): " } ?? ""
        return Check(
            name: name,
            isGood: false,
            finding: prefix + text,
            remedy: failure.isUntrusted
                ? "The CA file is set with --ca-file, MSAL_CA_FILE, or ca_file in the profile." : nil,
            status: .network
        )
    }

    /// Compares the clocks. If they differ by more than five minutes, tokens are refused.
    static func clock(secondsAhead seconds: Int) -> Check {
        let isGood = abs(seconds) <= 300
        let apart = abs(seconds) < 2 ? "agrees with" : "is \(abs(seconds)) s \(seconds > 0 ? "ahead of" : "behind")"
        return Check(
            name: "clock",
            isGood: isGood,
            finding: "this machine's \(apart) the authority's",
            remedy: isGood ? nil : "Set the clock: timedatectl set-ntp true"
        )
    }
}
