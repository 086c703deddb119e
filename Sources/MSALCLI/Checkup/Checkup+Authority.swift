// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import MSALCore
import MSALSupport
import Synchronization

extension Checkup {
    /// Whether everything can be had that a sign-in needs of the authority, and what its clock says.
    static func network(
        _ settings: Settings,
        transport base: any HTTPTransport,
        now: Date = Date()
    ) async -> [Check] {
        let transport = Witness(base)
        let authorities = AuthorityResolver(transport: transport, time: SystemTime())
        let authority = settings.authority?.core ?? .default
        do throws(Failure) {
            try settings.checkAuthority()
        } catch {
            return [Check("authority", error)]
        }
        let resolved: ResolvedAuthority
        do throws(AuthorityError) {
            resolved = try await authorities.resolve(
                authority,
                policy: settings.authorityPolicy,
                correlationID: .random()
            )
        } catch {
            return [refused(error, transport.testimony)]
        }
        let host = resolved.tokenEndpoint.host() ?? authority.environment
        let known = Check(name: "authority", isGood: true, finding: "\(host) signs in for \(authority)")
        let keys = await signingKeys(authorities, resolved, transport)
        let page = await SignInPage(settings, resolved).check(transport)
        return [known, keys, page] + (clock(transport.testimony.date, now: now).map { [$0] } ?? [])
    }

    private static func signingKeys(
        _ authorities: AuthorityResolver,
        _ resolved: ResolvedAuthority,
        _ transport: Witness
    ) async -> Check {
        let name = "signing keys"
        do throws(AuthorityError) {
            let keys = try await authorities.keys(
                for: resolved.configuration,
                keyID: nil,
                correlationID: .random()
            )
            let host = transport.testimony.host ?? "The authority"
            return Check(
                name: name,
                isGood: !keys.isEmpty,
                finding: "\(host) has \(keys.count) that can be used",
                status: .network
            )
        } catch {
            return refused(error, transport.testimony, name: name)
        }
    }

    /// An authority that does not do what a sign-in needs. The host that failed is named, which may be another one than
    /// that of the authority.
    private static func refused(
        _ error: AuthorityError,
        _ testimony: Witness.Testimony,
        name: String = "authority"
    ) -> Check {
        let host = testimony.host ?? "The authority"
        let remedy = ServiceRemedy(codes: error.serviceCodes) ?? .host
        switch error.kind {
        case .transport(let cause): return unanswered(cause, host: testimony.host, name: name)
        case .invalidResponse:
            // A login page comes with the status 200.
            return Check(
                name: name,
                isGood: false,
                finding: "\(host) answered, but not as a service that signs people in. \(error.message)",
                remedy: portalRemedy,
                status: .network
            )
        case .http(let status, _):
            return Check(
                name: name,
                isGood: false,
                finding: "\(host) answered \(status). \(error.message)",
                remedy: status == 429 || status >= 500 ? ServiceRemedy.wait.text(Situation()) : portalRemedy,
                status: .network
            )
        case .invalidParameter, .unexpected, .validationFailed:
            return Check(
                name: name,
                isGood: false,
                finding: "\(host): \(error.message)",
                remedy: remedy.text(Situation()),
                status: .usage
            )
        }
    }

    /// What helps where somebody else answers than the service.
    static let portalRemedy =
        "A sign-in page of the network may stand between: open any page in a browser, then try again."

    /// The library's words say what is wrong; how to name a certificate authority differs in a command.
    static func unanswered(_ error: TransportError, host: String? = nil, name: String = "authority") -> Check {
        let isUntrusted = error.kind == .untrustedCertificate
        let prefix = host.map { error.message.contains($0) ? "" : "\($0): " } ?? ""
        return Check(
            name: name,
            isGood: false,
            finding: prefix + error.message,
            remedy: isUntrusted ? "Here the CA file is --ca-file, MSAL_CA_FILE, or ca_file in the profile." : nil,
            status: .network
        )
    }

    /// Compares the clock with a `Date` header; more than five minutes apart, tokens fail. `nil` without a header.
    static func clock(_ header: String?, now: Date) -> Check? {
        guard let header, let theirs = date(header) else { return nil }
        let seconds = Int(now.timeIntervalSince(theirs).rounded())
        let isGood = abs(seconds) <= 300
        let apart = abs(seconds) < 2 ? "agrees with" : "is \(abs(seconds)) s \(seconds > 0 ? "ahead of" : "behind")"
        return Check(
            name: "clock",
            isGood: isGood,
            finding: "this machine's \(apart) the authority's",
            remedy: isGood ? nil : "Set the clock: timedatectl set-ntp true"
        )
    }

    /// RFC 9110 §5.6.7: `Sun, 06 Nov 1994 08:49:37 GMT`; the two obsolete forms are not read.
    private static func date(_ header: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.date(from: header)
    }
}

/// A transport that remembers whom it asked last, and what the clock there said.
private final class Witness: HTTPTransport {
    struct Testimony {
        var host: String?
        var date: String?
    }

    private let base: any HTTPTransport
    private let state = Mutex(Testimony())

    init(_ base: any HTTPTransport) {
        self.base = base
    }

    var testimony: Testimony { state.withLock { $0 } }

    func send(_ message: HTTPMessage) async throws(TransportError) -> HTTPReply {
        state.withLock { $0.host = message.url.host() }
        var message = message
        // Somebody waits for it.
        message.timeout = .seconds(15)
        let reply = try await base.send(message)
        state.withLock { $0.date = reply[header: "Date"] ?? $0.date }
        return reply
    }
}
