// Licensed under the MIT License. See LICENSE.

import AsyncHTTPClient
import Foundation
import MSALBase
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import UserFiles

/// Turns errors of NIO, TLS and the HTTP client into a `TransportError` with a cause and a remedy.
struct TransportFailure {
    private static let caRemedy =
        "If this server is yours, name the file of its certificate authority: --ca-file in a command, the CA file in a "
        + "configuration, or the variable SSL_CERT_FILE. Trust it in the whole system (update-ca-certificates) only if "
        + "all programs should."

    let url: URL
    /// The proxy to which the connection was made. It is `nil` for a connection to the server itself.
    let proxy: ProxyRules.Proxy?
    let settings: HTTPSettings
    let isCanceled: Bool

    private var host: String { url.host() ?? "the server" }
    /// The peer to which this machine connects.
    private var peer: String { proxy.map { "the proxy \($0.host)" } ?? host }
    private var asSubject: String { proxy.map { "The proxy \($0.host)" } ?? host }
    /// The host, and the proxy if there is one, because a broken connection does not show which of the two ended it.
    private var way: String { proxy.map { "\(host) through the proxy \($0.host)" } ?? host }

    func explain(_ error: any Error) async -> TransportError {
        if let known = error as? TransportError { return known }
        if isCanceled || error is CancellationError {
            return TransportError(.canceled, message: Self.canceled, underlying: error)
        }
        // A BoringSSL error means that the handshake failed.
        let error = (error as? BoringSSLError).map(NIOSSLError.handshakeFailed) ?? error
        let (kind, message) = await reason(of: error)
        return TransportError(kind, message: message, underlying: error)
    }

    private typealias Reason = (kind: TransportError.Kind, message: String)

    private func reason(of error: any Error) async -> Reason {
        switch error {
        case let fault as ConnectionError: refused(fault)
        case let error as NIOConnectionError: unreachable(error)
        case let error as HTTPClientError: broken(error)
        case let error as NIOSSLError: await failedTLS(error)
        case let error as NIOSSLExtraError: misnamed(error)
        case let error as IOError: failedCall(error.errnoCode)
        case is SocketAddressError.UnknownHost: unknownHost
        case HTTPParserError.invalidEOFState: connectionClosed
        case is HTTPParserError: unreadable("is not HTTP")
        case ChannelError.connectTimeout: late
        default: broke()
        }
    }

    private static let canceled = "The request was canceled."

    private func refused(_ fault: ConnectionError) -> Reason {
        switch fault {
        case .status(let status): unreadable("has the status \(status), which HTTP does not know")
        case .unnamedHost:
            (
                .wrongHostName,
                "The certificate shown by \(host) does not name it among its alternative names (subjectAltName), as it "
                    + "must. If this server is yours, have a certificate made that does."
            )
        }
    }

    private func unreadable(_ fault: String) -> Reason {
        (
            .badResponse,
            "The response of \(host) \(fault). Check the address. Perhaps a proxy or another program listens there."
        )
    }

    private func unreachable(_ error: NIOConnectionError) -> Reason {
        guard let first = error.connectionErrors.first else { return unknownHost }
        // If a host has several addresses, a refused connection says more than an address that cannot be reached.
        let codes = error.connectionErrors.compactMap { ($0.error as? IOError)?.errnoCode }
        if let code = codes.first(where: { !Self.offlineCodes.contains($0) }) ?? codes.first { return failedCall(code) }
        if case ChannelError.connectTimeout = first.error { return late }
        return (.cannotConnect, "Cannot connect to \(peer). Check the address and that the server is running.")
    }

    private static let offlineCodes: Set<CInt> = [ENETUNREACH, ENETDOWN, EHOSTUNREACH]

    private func failedCall(_ code: CInt) -> Reason {
        switch code {
        case ECONNREFUSED:
            if let proxy {
                return (
                    .cannotConnect,
                    "Cannot connect to the proxy \(proxy.host):\(proxy.port) (connection refused). Check "
                        + "\(proxy.setting) and NO_PROXY, and that the proxy is running."
                )
            }
            let place = "\(host.contains(":") ? "[\(host)]" : host):\(url.port ?? (url.scheme == "http" ? 80 : 443))"
            return (
                .cannotConnect,
                "Cannot connect to \(place) (connection refused). Check that the server is running."
            )
        case ETIMEDOUT: return late
        case _ where OpenFileLimit.isReached(by: code):
            return (.cannotConnect, "Cannot connect to \(peer). \(OpenFileLimit.remedy)")
        case _ where Self.offlineCodes.contains(code):
            return (.offline, "This machine has no route to \(peer). Check the network connection.")
        default: return broke(code: code)
        }
    }

    private var unknownHost: Reason {
        let message =
            if let proxy {
                "The name of the proxy, \(proxy.host), has no address. Check \(proxy.setting) and NO_PROXY."
            } else {
                "The name \(host) has no address. Check the spelling and the DNS server."
            }
        return (.cannotFindHost, message)
    }

    private func broken(_ error: HTTPClientError) -> Reason {
        let setting = proxy?.setting ?? "the proxy"
        return switch error {
        case .cancelled, .requestStreamCancelled: (.canceled, Self.canceled)
        case .connectTimeout: late
        case .httpProxyHandshakeTimeout, .socksHandshakeTimeout:
            (.timedOut, "\(asSubject) did not respond in time. Try again later.")
        case .readTimeout, .writeTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout:
            (.timedOut, "\(host) did not respond in time. Try again later.")
        case .invalidURL, .emptyHost, .emptyScheme: (.badURL, "The address is not a URL of a web server.")
        case .proxyAuthenticationRequired where proxy?.credentials == nil:
            (.cannotConnect, "\(asSubject) asks for a user name and password. Add them to \(setting).")
        case .proxyAuthenticationRequired:
            (.cannotConnect, "\(asSubject) does not accept the user name and password. Correct them in \(setting).")
        case .invalidProxyResponse:
            (.cannotConnect, "\(asSubject) refused to connect to \(host). Check \(setting) and NO_PROXY.")
        default: connectionClosed
        }
    }

    private var late: Reason { (.timedOut, "\(asSubject) did not accept a connection in time. Try again later.") }

    /// `code`: The system's reason. NIO's own description, which names its calls, is only in the underlying error.
    private func broke(code: CInt? = nil) -> Reason {
        let reason = code.map { ": \(String(cString: strerror($0)))" } ?? ""
        return (.connectionLost, "The connection to \(way) broke\(reason). Try again.")
    }

    private var connectionClosed: Reason {
        let message =
            if let proxy {
                "The connection to \(host) through the proxy \(proxy.host) ended before the response was complete. Try again."
            } else {
                "\(host) closed the connection before the response was complete. Try again."
            }
        return (.connectionLost, message)
    }

    private func misnamed(_ error: NIOSSLExtraError) -> Reason {
        guard error == .failedToValidateHostname || error == .serverHostnameImpossibleToMatch else {
            return (.tlsHandshake, "TLS with \(host) failed. Check the address.")
        }
        return (
            .wrongHostName,
            "The certificate shown by \(host) is made out to another name. Check the address. A proxy or a sign-in "
                + "portal of the network may stand between."
        )
    }

    private func failedTLS(_ error: NIOSSLError) async -> Reason {
        switch error {
        case .unableToValidateCertificate, .noCertificateToValidate, .cannotMatchULabel, .cannotFindPeerIP:
            return (.untrustedCertificate, "The certificate shown by \(host) cannot be checked. \(Self.caRemedy)")
        case .handshakeFailed(.sslError(let stack)) where Self.isVerifyFailure(stack): return await untrusted()
        case .handshakeFailed(let cause) where Self.isHangUp(cause):
            return (
                .connectionLost,
                "\(host) closed the connection during the TLS handshake. Try again. If it happens every time, check the "
                    + "address, and whether a firewall stands between."
            )
        case .uncleanShutdown: return connectionClosed
        case _ where Self.isPlainText(error):
            return (
                .tlsHandshake,
                "\(host) does not speak TLS on port \(url.port ?? 443). Perhaps it is plain HTTP. Check the address."
            )
        default:
            return (.tlsHandshake, "TLS with \(host) failed. Both sides need a version and a cipher in common.")
        }
    }

    /// Whether the connection ended before the handshake had a result.
    private static func isHangUp(_ cause: BoringSSLError) -> Bool {
        switch cause {
        case .syscallError, .zeroReturn: true
        case .sslError(let stack):
            stack.contains { $0 == .eofDuringHandshake || $0 == .eofDuringAdditionalCertficiateChainValidation }
        default: false
        }
    }

    /// Whether a certificate failed verification. BoringSSL has no code for it, only a text in its error stack.
    private static func isVerifyFailure(_ stack: NIOBoringSSLErrorStack) -> Bool {
        stack.contains { "\($0)".contains("CERTIFICATE_VERIFY_FAILED") }
    }

    /// Whether the first bytes were not a TLS record.
    private static func isPlainText(_ error: NIOSSLError) -> Bool {
        guard case .handshakeFailed(.sslError(let stack)) = error else { return false }
        return stack.contains { "\($0)".contains("WRONG_VERSION_NUMBER") }
    }

    private func untrusted() async -> Reason {
        guard TrustRoots.containsAny(settings) else {
            return (
                .untrustedCertificate,
                "The certificate shown by \(host) cannot be checked, because no certificate authorities are "
                    + "installed here. Install the package ca-certificates, or name a file in SSL_CERT_FILE."
            )
        }
        let unknown = "The certificate shown by \(host) comes from an unknown authority"
        guard proxy == nil else {  // A second connection would go around the proxy.
            return (.untrustedCertificate, "\(unknown), or the clock of this machine is wrong. \(Self.caRemedy)")
        }
        let now = SystemTime().now
        let validity = await PeerCertificate.validity(of: url, timeout: settings.connectTimeout)
        if let validity, validity.upperBound < now {
            return (
                .certificateExpired,
                "The certificate shown by \(host) ended on \(validity.upperBound.formatted(.iso8601)), "
                    + "or the clock of this machine is wrong. Set the clock, or have the certificate renewed."
            )
        }
        if let validity, validity.lowerBound > now {
            return (
                .certificateNotYetValid,
                "The certificate shown by \(host) begins on \(validity.lowerBound.formatted(.iso8601)), "
                    + "or the clock of this machine is behind: it says \(now.formatted(.iso8601)). Set the clock, or wait."
            )
        }
        return (.untrustedCertificate, "\(unknown). \(Self.caRemedy)")
    }
}
