// Licensed under the MIT License. See LICENSE.

import AsyncHTTPClient
import Foundation
import HTTPGuards
import MSALBase
import NIOCore
import NIOHTTP1
import NIOSSL
import UserFiles

/// Sends the requests of a run. Must be closed.
struct PageConnection: Sendable {
    private let client: LocalClient
    private let hostAddresses: [String: ScriptedAgent.HostAddress]
    private let pageLimit: Int

    init(
        certificateAuthorityFile: URL?,
        hostAddresses: [String: ScriptedAgent.HostAddress],
        pageLimit: Int
    ) throws(ScriptedAgentError) {
        var tls = TLSConfiguration.makeClientConfiguration()
        if !SystemAuthorities.exist { tls.trustRoots = .certificates([]) }
        if let certificateAuthorityFile {
            let path = certificateAuthorityFile.path(percentEncoded: false)
            do {
                let text = try UserFile(path, limit: 1 << 20).bytes()
                tls.additionalTrustRoots = [.certificates(try NIOSSLCertificate.fromPEMBytes(text))]
            } catch {
                let reason = (error as? FileFault)?.reason ?? "it contains no PEM certificate"
                throw .unusableCertificateAuthority(path: path, reason: reason)
            }
        }
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls,
            redirectConfiguration: .disallow,
            timeout: .init(connect: .seconds(10))
        )
        configuration.httpVersion = .http1Only
        configuration.dnsOverride = hostAddresses.mapValues(\.address)
        self.client = LocalClient(configuration)
        self.hostAddresses = hostAddresses
        self.pageLimit = pageLimit
    }

    func close() async throws { try await client.shutdown() }

    func load(_ request: PageRequest, cookies: SharedCookies) async throws -> PageResponse {
        let url = request.url
        // The HTTP client crashes on a port that does not exist.
        let address = ServerAddress(
            url.absoluteString,
            schemes: ["http", "https"],
            maximumLength: ScriptedAgent.addressLimit
        )
        guard address != nil, let host = url.bareHost, !host.isEmpty else {
            throw ScriptedAgentError.unsupportedAddress(url.withoutQuery)
        }
        guard url.scheme?.lowercased() == "https" || url.isLoopback else {
            throw ScriptedAgentError.insecureAddress(url)
        }

        var message = HTTPClientRequest(url: wireAddress(of: url, host: host))
        message.headers.add(name: "Host", value: url.authority)
        message.headers.add(name: "User-Agent", value: "ScriptedAgent/1.0")
        message.headers.add(name: "Accept", value: "text/html,application/xhtml+xml")
        if let header = cookies.header(for: url) { message.headers.add(name: "Cookie", value: header) }
        if let form = request.form {
            message.method = .POST
            message.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
            if let origin = request.origin { message.headers.add(name: "Origin", value: origin) }
            message.body = .bytes(ByteBuffer(string: form))
        }

        do {
            let response = try await client.execute(message, timeout: .seconds(30))
            cookies.store(response.headers["Set-Cookie"], from: url)
            let body = try await response.body.collect(upTo: pageLimit)
            return PageResponse(
                status: Int(response.status.code),
                location: response.headers.first(name: "Location"),
                text: String(buffer: body)
            )
        } catch is NIOTooManyBytesError {
            throw ScriptedAgentError.pageTooLarge(limit: pageLimit, url)
        } catch let error as CancellationError {
            throw error
        } catch let error as HTTPClientError where error == .cancelled {
            throw CancellationError()
        } catch {
            throw ScriptedAgentError.noResponse(url, reason: HTTPClientErrorText.reason(error))
        }
    }

    /// The address without fragment, with the port of the machine that responds for its host.
    private func wireAddress(of url: URL, host: String) -> String {
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return url.absoluteString }
        components.fragment = nil
        if components.percentEncodedPath.isEmpty { components.percentEncodedPath = "/" }
        if let override = hostAddresses[host] { components.port = override.port }
        return components.string ?? url.absoluteString
    }
}

extension URL {
    /// The host in lower case, without the brackets of an IPv6 address.
    var bareHost: String? { host()?.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "[]")) }

    /// Whether the address is a loopback address.
    var isLoopback: Bool {
        guard let bareHost else { return false }
        return LoopbackAddress.contains(bareHost) || LoopbackAddress.isName(bareHost)
    }

    /// Host and port, in the format of the `Host` header and an origin.
    var authority: String {
        let host = bareHost ?? ""
        let shown = host.contains(":") ? "[\(host)]" : host
        return port.map { "\(shown):\($0)" } ?? shown
    }
}
