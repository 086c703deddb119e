// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
private import Synchronization

/// The source of a client's certificate: an object that the application gave, or a file that may be replaced
/// (docs/reference/Services.md#certificate-files).
final class CertificateSource: Sendable {
    private struct File: Sendable {
        let path: String
        let password: Secret?
    }

    private struct State: Sendable {
        var certificate: MSALClientCertificate
        /// The version that was read last, whether or not it could be used.
        var version: FileVersion?
        var nextLook: Duration
        var nextNotice: Date
    }

    private let file: File?
    private let environment: ServerEnvironment
    private let state: Mutex<State>

    /// A certificate that stays as it is.
    init(_ certificate: MSALClientCertificate, environment: ServerEnvironment) {
        file = nil
        self.environment = environment
        state = Mutex(State(certificate: certificate, version: nil, nextLook: .zero, nextNotice: .distantPast))
        noteEnd(of: certificate)
    }

    /// The certificate in a file. The file is looked at again from time to time.
    ///
    /// - Throws: `.invalidCertificate` if the file cannot be used now.
    init(path: String, password: Secret?, environment: ServerEnvironment) throws(MSALTokenError) {
        file = File(path: path, password: password)
        self.environment = environment
        // The version is read before the content. So a file that is replaced in between is read again.
        let version = environment.files.version(of: path)
        let certificate = try MSALClientCertificate(path: path, password: password, files: environment.files)
        let nextLook = environment.time.uptime + Self.pause
        state = Mutex(State(certificate: certificate, version: version, nextLook: nextLook, nextNotice: .distantPast))
        noteEnd(of: certificate)
    }

    /// The certificate for the next signature. At most once a minute, this looks at the file.
    func current() -> MSALClientCertificate {
        let certificate = refreshed()
        noteEnd(of: certificate)
        return certificate
    }

    private func refreshed() -> MSALClientCertificate {
        let now = environment.time.uptime
        let (known, version, isTime) = state.withLock { state in
            let isTime = file != nil && now >= state.nextLook
            if isTime { state.nextLook = now + Self.pause }
            return (state.certificate, state.version, isTime)
        }
        guard isTime, let file else { return known }
        let found = environment.files.version(of: file.path)
        guard found != version else { return known }
        // A key is never read under the lock.
        do throws(MSALTokenError) {
            let certificate = try MSALClientCertificate(
                path: file.path,
                password: file.password,
                files: environment.files
            )
            state.withLock { state in
                state.certificate = certificate
                state.version = found
                state.nextNotice = .distantPast
            }
            return certificate
        } catch {
            state.withLock { $0.version = found }
            Log.error(
                "The certificate file \(file.path) was changed and cannot be used, so the old certificate stays in use: "
                    + error.message
            )
            return known
        }
    }

    private static let pause = Duration.seconds(60)

    /// Writes to the log if the certificate ends soon or has ended, once a day. It is used in any case, because the clock of
    /// this machine may be wrong.
    private func noteEnd(of certificate: MSALClientCertificate) {
        let now = environment.time.now
        guard now > certificate.notAfter - Self.notice else { return }
        let isTime = state.withLock { state in
            guard now >= state.nextNotice else { return false }
            state.nextNotice = now + Self.day
            return true
        }
        guard isTime else { return }
        let end = certificate.notAfter.formatted(.iso8601)
        if now > certificate.notAfter {
            Log.error("The client certificate \(certificate.thumbprint) expired on \(end). Replace it.")
        } else {
            Log.warning("The client certificate \(certificate.thumbprint) expires on \(end). Replace it in time.")
        }
    }

    private static let day: TimeInterval = 86_400
    private static let notice = 30 * day
}
