// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import NIOSSL
private import Synchronization

/// Sends token requests to the proxy of a cluster with AKS identity bindings (docs/reference/Services.md#identity-bindings).
/// The proxy chooses the managed identity that the cluster's administrator has bound to the service account.
final class KubernetesTokenProxy: HTTPTransport {
    private enum Authorities: Sendable {
        case system
        case data(Data)
        case file(String)
    }

    private let address: URL
    private let serverName: String?
    private let authorities: Authorities
    private let files: any ServerFiles
    /// The certificates of the file when it was last read.
    private let known = Mutex<[NIOSSLCertificate]?>(nil)
    private static let limit = 1_048_576

    /// The proxy that the variables name; `nil` if they name none.
    ///
    /// - Throws: `.configuration`, which names the variable.
    init?(_ environment: ServerEnvironment) throws(MSALTokenError) {
        func fault(_ text: String) -> MSALTokenError {
            MSALTokenError(.configuration, message: "\(text) Nothing was sent.")
        }
        let (proxy, prefix) = ("AZURE_KUBERNETES_TOKEN_PROXY", "AZURE_KUBERNETES_")
        serverName = environment.variable("AZURE_KUBERNETES_SNI_NAME")
        let file = environment.variable("AZURE_KUBERNETES_CA_FILE")
        let data = environment.variable("AZURE_KUBERNETES_CA_DATA")
        guard let text = environment.variable(proxy) else {
            guard serverName == nil, file == nil, data == nil else {
                throw fault("\(prefix)SNI_NAME, \(prefix)CA_FILE or \(prefix)CA_DATA is set, but \(proxy) is not.")
            }
            return nil
        }
        guard file == nil || data == nil else {
            throw fault("\(prefix)CA_FILE and \(prefix)CA_DATA are both set. Remove one of them.")
        }
        guard let url = URL(string: text, encodingInvalidCharacters: false), url.scheme?.lowercased() == "https",
            url.host()?.isEmpty == false, url.user() == nil, url.password() == nil, url.query() == nil,
            url.fragment() == nil
        else {
            throw fault("\(proxy) is not an https address without user, password, query and fragment.")
        }
        address = url
        authorities =
            file.map(Authorities.file) ?? data.map { Authorities.data(Data($0.utf8)) } ?? Authorities.system
        files = environment.files
        if case .data(let data) = authorities, (try? Self.certificates(in: data)) == nil {
            throw fault("\(prefix)CA_DATA has no PEM certificate.")
        }
    }

    func send(_ message: HTTPMessage) async throws(TransportError) -> HTTPResponse {
        let path = address.path(percentEncoded: true)
        let prefix = path.hasSuffix("/") ? String(path.dropLast()) : path
        var parts = URLComponents(url: address, resolvingAgainstBaseURL: false)
        parts?.percentEncodedPath = prefix + message.url.path(percentEncoded: true)
        parts?.percentEncodedQuery = message.url.query(percentEncoded: true)
        guard let target = parts?.url.flatMap({ HTTPAddress($0.absoluteString) }) else {
            throw TransportError(.badURL, message: "The address of the token proxy has no place for the request.")
        }
        var request = HTTPMessage(method: message.method, to: target, headers: message.headers, body: message.body)
        (request.timeout, request.maximumResponseBytes) = (message.timeout, message.maximumResponseBytes)
        let certificates = try certificates()
        return try await PinnedTransport(.authorities(certificates, name: serverName)).send(request)
    }

    /// The trusted authorities; `nil` for those of the system.
    ///
    /// A file is read for each request, because the cluster replaces it. While it is empty, the certificates of the last
    /// request stay in use.
    private func certificates() throws(TransportError) -> [NIOSSLCertificate]? {
        do {
            switch authorities {
            case .system: return nil
            case .data(let data): return try Self.certificates(in: data)
            case .file(let path):
                let content = try files.contents(of: path, limit: Self.limit)
                return try known.withLock { known in
                    if known != nil, content.allSatisfy({ $0 <= UInt8(ascii: " ") }) { return known }
                    known = try Self.certificates(in: content)
                    return known
                }
            }
        } catch {
            throw TransportError(
                .untrustedCertificate,
                message: "AZURE_KUBERNETES_CA_FILE cannot be read, or has no PEM certificate. Nothing was sent.",
                underlying: error
            )
        }
    }

    private static func certificates(in pem: Data) throws -> [NIOSSLCertificate] {
        let found = try NIOSSLCertificate.fromPEMBytes(Array(pem))
        guard !found.isEmpty else { throw NIOSSLError.failedToLoadCertificate }
        return found
    }
}
