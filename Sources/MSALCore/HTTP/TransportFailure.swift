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
        "If this server is yours, name its certificate authority: the system store (update-ca-certificates), "
        + "the variable SSL_CERT_FILE, or the CA file in the configuration."

    let url: URL
    /// The proxy to which the connection was made. It is `nil` for a connection to the server itself.
    let proxy: ProxyRules.Proxy?
    let settings: HTTPSettings
    let isCanceled: Bool

    private var host: String { url.host() ?? "the server" }
    /// The party to which this machine connects.
    private var peer: String { proxy.map { "the proxy \($0.host)" } ?? host }
    private var asSubject: String { proxy.map { "The proxy \($0.host)" } ?? host }
    /// The host, and the proxy if there is one, because a broken connection does not show which of the two ended it.
    private var way: String { proxy.map { "\(host) through the proxy \($0.host)" } ?? host }

    func explain(_ error: any Error) async -> TransportError {
        if let known = error as? TransportError { return known }
        if isCanceled || error is CancellationError {
            return TransportError(.canceled, message: "The request was cancelled.", underlying: error)
        }
        switch error {
        case let fault as ConnectionFault: return refused(fault)
        case let error as NIOConnectionError: return unreachable(error)
        case let error as HTTPClientError: return broken(error)
        case let error as NIOSSLError: return await failedTLS(error)
        case let error as BoringSSLError: return await failedTLS(.handshakeFailed(error))
        case let error as NIOSSLExtraError: return misnamed(error)
        case let error as IOError: return failedCall(error.errnoCode, underlying: error)
        case is SocketAddressError.UnknownHost: return unknownHost(error)
        case HTTPParserError.invalidEOFState: return brokenOff(error)
        case let error as HTTPParserError: return unreadable("is not HTTP", because: error)
        case ChannelError.connectTimeout: return late(error)
        default: return broke(error)
        }
    }

    private func refused(_ fault: ConnectionFault) -> TransportError {
        switch fault {
        case .status(let status): unreadable("has the status \(status), which HTTP does not know", because: fault)
        case .unnamedHost:
            TransportError(
                .wrongHostName,
                message:
                    "The certificate shown by \(host) does not name it among its alternative names (subjectAltName), as it "
                    + "must. If this server is yours, have a certificate made that does.",
                underlying: fault
            )
        }
    }

    private func unreadable(_ fault: String, because error: any Error) -> TransportError {
        let message =
            "The response of \(host) \(fault). Check the address. Perhaps a proxy or another program listens there."
        return TransportError(.badResponse, message: message, underlying: error)
    }

    private func unreachable(_ error: NIOConnectionError) -> TransportError {
        guard let first = error.connectionErrors.first else { return unknownHost(error) }
        // If a host has several addresses, a refused connection says more than an address that cannot be reached.
        let codes = error.connectionErrors.compactMap { ($0.error as? IOError)?.errnoCode }
        if let code = codes.first(where: { !Self.offlineCodes.contains($0) }) ?? codes.first {
            return failedCall(code, underlying: error)
        }
        if case ChannelError.connectTimeout = first.error { return late(error) }
        let message = "No connection to \(peer) can be made. Check the address, and whether the server runs."
        return TransportError(.cannotConnect, message: message, underlying: error)
    }

    private static let offlineCodes: Set<CInt> = [ENETUNREACH, ENETDOWN, EHOSTUNREACH]

    private func failedCall(_ code: CInt, underlying error: any Error) -> TransportError {
        switch code {
        case ECONNREFUSED:
            if let proxy {
                let message =
                    "Nobody accepts connections at the proxy \(proxy.host), port \(proxy.port). Check HTTPS_PROXY and "
                    + "NO_PROXY, and whether the proxy runs."
                return TransportError(.cannotConnect, message: message, underlying: error)
            }
            let place = "\(host), port \(url.port ?? (url.scheme == "http" ? 80 : 443))"
            let message = "Nobody accepts connections at \(place). Check the address, and whether the server runs."
            return TransportError(.cannotConnect, message: message, underlying: error)
        case ETIMEDOUT: return late(error)
        case _ where OpenFileLimit.isReached(by: code):
            let message = "No connection to \(peer) can be opened. \(OpenFileLimit.remedy)"
            return TransportError(.cannotConnect, message: message, underlying: error)
        case _ where Self.offlineCodes.contains(code):
            let message = "This machine has no route to \(peer). Check the network connection."
            return TransportError(.offline, message: message, underlying: error)
        default: return broke(error, code: code)
        }
    }

    private func unknownHost(_ error: any Error) -> TransportError {
        let message =
            if let proxy {
                "The name of the proxy, \(proxy.host), has no address. Check HTTPS_PROXY and NO_PROXY."
            } else {
                "The name \(host) has no address. Check the spelling and the DNS server."
            }
        return TransportError(.cannotFindHost, message: message, underlying: error)
    }

    private func broken(_ error: HTTPClientError) -> TransportError {
        switch error {
        case .cancelled, .requestStreamCancelled:
            return TransportError(.canceled, message: "The request was cancelled.", underlying: error)
        case .connectTimeout: return late(error)
        case .httpProxyHandshakeTimeout, .socksHandshakeTimeout:
            let message = "\(asSubject) did not respond in time. Try again later."
            return TransportError(.timedOut, message: message, underlying: error)
        case .readTimeout, .writeTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout:
            return TransportError(
                .timedOut,
                message: "\(host) did not respond in time. Try again later.",
                underlying: error
            )
        case .invalidURL, .emptyHost, .emptyScheme:
            return TransportError(.badURL, message: "The address is not a URL of a web server.", underlying: error)
        case .proxyAuthenticationRequired:
            let message = "\(asSubject) asks for a user name and password. Write them into HTTPS_PROXY."
            return TransportError(.cannotConnect, message: message, underlying: error)
        case .invalidProxyResponse:
            let message = "\(asSubject) refused to connect to \(host). Check HTTPS_PROXY and NO_PROXY."
            return TransportError(.cannotConnect, message: message, underlying: error)
        default: return brokenOff(error)
        }
    }

    private func late(_ error: any Error) -> TransportError {
        TransportError(
            .timedOut,
            message: "\(asSubject) did not accept a connection in time. Try again later.",
            underlying: error
        )
    }

    /// `code`: The system's reason. NIO's own words, which name its calls, are in the underlying error alone.
    private func broke(_ error: any Error, code: CInt? = nil) -> TransportError {
        let reason = code.map { ": \(String(cString: strerror($0)))" } ?? ""
        return TransportError(
            .connectionLost,
            message: "The connection to \(way) broke\(reason). Try again.",
            underlying: error
        )
    }

    private func brokenOff(_ error: any Error) -> TransportError {
        let message =
            if let proxy {
                "The connection to \(host) through the proxy \(proxy.host) ended before the response was complete. Try again."
            } else {
                "\(host) closed the connection before the response was complete. Try again."
            }
        return TransportError(.connectionLost, message: message, underlying: error)
    }

    private func misnamed(_ error: NIOSSLExtraError) -> TransportError {
        if error == .failedToValidateHostname || error == .serverHostnameImpossibleToMatch {
            let message =
                "The certificate shown by \(host) is made out to another name. Check the address. A proxy or a sign-in "
                + "portal of the network may stand between."
            return TransportError(.wrongHostName, message: message, underlying: error)
        }
        return TransportError(.tlsHandshake, message: "TLS with \(host) failed. Check the address.", underlying: error)
    }

    private func failedTLS(_ error: NIOSSLError) async -> TransportError {
        switch error {
        case .unableToValidateCertificate, .noCertificateToValidate, .cannotMatchULabel, .cannotFindPeerIP:
            let message = "The certificate shown by \(host) cannot be checked. \(Self.caRemedy)"
            return TransportError(.untrustedCertificate, message: message, underlying: error)
        case .handshakeFailed(.sslError(let stack)) where Self.isVerifyFailure(stack):
            return await untrusted(error)
        case .handshakeFailed(let cause) where Self.isHangUp(cause): return hungUp(error)
        case .uncleanShutdown: return brokenOff(error)
        default:
            let message =
                Self.isPlainText(error)
                ? "\(host) does not speak TLS on port \(url.port ?? 443). Perhaps it is plain HTTP. Check the address."
                : "TLS with \(host) failed. Both sides need a version and a cipher in common."
            return TransportError(.tlsHandshake, message: message, underlying: error)
        }
    }

    private func hungUp(_ error: NIOSSLError) -> TransportError {
        let message =
            "\(host) closed the connection during the TLS handshake. Try again. If it happens every time, check the address, "
            + "and whether a firewall stands between."
        return TransportError(.connectionLost, message: message, underlying: error)
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

    /// Whether a certificate failed verification. BoringSSL gives no code, but the reason's text in its error stack.
    private static func isVerifyFailure(_ stack: NIOBoringSSLErrorStack) -> Bool {
        stack.contains { "\($0)".contains("CERTIFICATE_VERIFY_FAILED") }
    }

    /// Whether the first bytes were no TLS record.
    private static func isPlainText(_ error: NIOSSLError) -> Bool {
        guard case .handshakeFailed(.sslError(let stack)) = error else { return false }
        return stack.contains { "\($0)".contains("WRONG_VERSION_NUMBER") }
    }

    private func untrusted(_ error: NIOSSLError) async -> TransportError {
        guard TrustRoots.haveAny(settings) else {
            let message =
                "The certificate shown by \(host) cannot be checked, because no certificate authorities are "
                + "installed here. Install the package ca-certificates, or name a file in SSL_CERT_FILE."
            return TransportError(.untrustedCertificate, message: message, underlying: error)
        }
        let unknown = "The certificate shown by \(host) comes from an unknown authority"
        guard proxy == nil else {  // A second connection would go around the proxy.
            let message = "\(unknown), or the clock of this machine is wrong. \(Self.caRemedy)"
            return TransportError(.untrustedCertificate, message: message, underlying: error)
        }
        let now = SystemTime().now
        let validity = await PeerCertificate.validity(of: url, timeout: settings.connectTimeout)
        if let validity, validity.upperBound < now {
            let message =
                "The certificate shown by \(host) ended on \(validity.upperBound.formatted(.iso8601)), "
                + "or the clock of this machine is wrong. Set the clock, or have the certificate renewed."
            return TransportError(.certificateExpired, message: message, underlying: error)
        }
        if let validity, validity.lowerBound > now {
            let message =
                "The certificate shown by \(host) begins on \(validity.lowerBound.formatted(.iso8601)), "
                + "or the clock of this machine is behind: it says \(now.formatted(.iso8601)). Set the clock, or wait."
            return TransportError(.certificateNotYetValid, message: message, underlying: error)
        }
        return TransportError(.untrustedCertificate, message: "\(unknown). \(Self.caRemedy)", underlying: error)
    }
}
