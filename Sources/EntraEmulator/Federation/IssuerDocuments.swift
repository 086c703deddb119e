// Licensed under the MIT License. See LICENSE.

import AsyncHTTPClient
import Foundation
import HTTPGuards
import MSALBase
import NIOCore
import NIOHTTP1
import NIOSSL
import UserFiles

/// Fetches the discovery document and the key set of an external issuer: over TLS, without redirects, and within
/// limits.
struct IssuerDocuments: Sendable {
    /// Trusted certificate authorities in addition to the system's.
    private let trustRoots: [NIOSSLCertificate]

    /// `trustRoots`: A PEM file with certificate authorities.
    ///
    /// - Throws: `PrivateFolder.Failure` if the file contains no certificates.
    init(trustRoots: URL?) throws {
        guard let path = trustRoots?.path else {
            self.trustRoots = []
            return
        }
        // The reason adds nothing: the remedy is the same for every invalid file.
        guard let text = try? UserFile(path, limit: 1 << 24).bytes(),
            let certificates = try? NIOSSLCertificate.fromPEMBytes(Array(text.withoutByteOrderMark)),
            !certificates.isEmpty
        else {
            throw PrivateFolder.Failure(description: "\(path) contains no valid PEM certificate; specify another file")
        }
        self.trustRoots = certificates
    }

    /// The reason why the keys are unavailable, as the end of a sentence.
    struct Failure: Error {
        let reason: String
    }

    private static let sizeLimit = 512 * 1024
    private static let timeLimit = TimeAmount.seconds(20)

    /// The keys of an issuer (OpenID Connect Discovery 1.0 §4).
    ///
    /// - Throws: `Failure`.
    func keys(of issuer: String) async throws -> [EmulatorDirectory.JSONWebKey] {
        // §4.1: a trailing slash is removed before the path is added.
        let root = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
        let document = try await read(root + "/.well-known/openid-configuration")
        // §4.3: otherwise, an issuer could impersonate another.
        guard document["issuer"]?.string == issuer else {
            throw Failure(reason: "its discovery document names a different issuer")
        }
        guard let address = document["jwks_uri"]?.string else {
            throw Failure(reason: "its discovery document has no jwks_uri")
        }
        let keys = EmulatorDirectory.JSONWebKey.usable(in: try await read(address))
        guard !keys.isEmpty else { throw Failure(reason: "its key set has no RSA key of 2048 bits or more") }
        return keys
    }

    private func read(_ text: String) async throws -> JSONValue {
        guard let address = ServerAddress(text)?.text else {
            throw Failure(reason: "\(text) is not a valid https address of a server")
        }
        do {
            let (status, body) = try await response(of: address)
            guard status == .ok else { throw Failure(reason: "\(address) responded with status \(status.code)") }
            guard let value = JSONValue(parsing: body) else {
                throw Failure(reason: "\(address) is not JSON; a proxy or captive portal may have intercepted it")
            }
            return value
        } catch let failure as Failure {
            throw failure
        } catch is NIOTooManyBytesError {
            throw Failure(reason: "\(address) is larger than \(Self.sizeLimit) bytes")
        } catch {
            throw Failure(reason: "\(address) cannot be read (\(HTTPClientErrorText.reason(error)))")
        }
    }

    private func response(of address: String) async throws -> (HTTPResponseStatus, Data) {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        if !SystemAuthorities.exist { tls.trustRoots = .certificates([]) }
        tls.additionalTrustRoots = [.certificates(trustRoots)]
        var settings = HTTPClient.Configuration(tlsConfiguration: tls)
        settings.redirectConfiguration = .disallow
        settings.timeout.connect = .seconds(5)
        // Keys are fetched so rarely that connections need not be kept alive.
        return try await LocalClient.with(settings) { client in
            var request = HTTPClientRequest(url: address)
            request.headers.add(name: "accept", value: "application/json")
            let response = try await client.execute(request, timeout: Self.timeLimit)
            let body = try await response.body.collect(upTo: Self.sizeLimit)
            return (response.status, Data(body.readableBytesView))
        }
    }
}
