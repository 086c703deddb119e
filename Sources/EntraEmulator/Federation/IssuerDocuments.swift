// Licensed under the MIT License. See LICENSE.

import AsyncHTTPClient
import Foundation
import MSALBase
import NIOCore
import NIOHTTP1
import NIOSSL
import UserFiles

/// Reads discovery document and key set of a foreign issuer: over TLS, without redirects, and within limits.
struct IssuerDocuments: Sendable {
    /// Certificate authorities that are trusted beside the system's.
    private let trustRoots: [NIOSSLCertificate]

    /// `trustRoots`: A PEM file of them.
    ///
    /// - Throws: `PrivateFolder.Failure` for a file without certificates.
    init(trustRoots: URL?) throws {
        guard let path = trustRoots?.path else {
            self.trustRoots = []
            return
        }
        // The reason adds nothing: the remedy is the same for every file that cannot be used.
        guard let text = try? NamedFile.read(path, limit: 1 << 24),
            let certificates = try? NIOSSLCertificate.fromPEMBytes(Array(text)), !certificates.isEmpty
        else {
            throw PrivateFolder.Failure(
                description: "\(path) has no certificate in PEM that can be read; name another file to be trusted"
            )
        }
        self.trustRoots = certificates
    }

    /// The reason why the keys cannot be had, as the end of a sentence.
    struct Failure: Error {
        let reason: String
    }

    private static let sizeLimit = 512 * 1024
    private static let timeLimit = TimeAmount.seconds(10)

    /// The keys of an issuer (OpenID Connect Discovery 1.0 §4).
    ///
    /// - Throws: `Failure`.
    func keys(of issuer: String) async throws -> [EmulatorDirectory.JSONWebKey] {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        if !SystemAuthorities.exist { tls.trustRoots = .certificates([]) }
        tls.additionalTrustRoots = [.certificates(trustRoots)]
        var settings = HTTPClient.Configuration(tlsConfiguration: tls)
        settings.redirectConfiguration = .disallow
        settings.timeout = .init(connect: .seconds(5), read: .seconds(5))
        // Keys are read so rarely that no connection is worth keeping.
        let client = HTTPClient(configuration: settings)
        let result: Result<[EmulatorDirectory.JSONWebKey], any Error>
        do {
            result = .success(try await keys(of: issuer, with: client))
        } catch {
            result = .failure(error)
        }
        // It fails only if it has been shut down before.
        try? await client.shutdown()
        return try result.get()
    }

    private func keys(of issuer: String, with client: HTTPClient) async throws -> [EmulatorDirectory.JSONWebKey] {
        // §4.1: a slash at the end is removed before the path is added.
        let root = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
        let document = try await read(root + "/.well-known/openid-configuration", with: client)
        // §4.3: otherwise an issuer could speak for another.
        guard document["issuer"]?.string == issuer else {
            throw Failure(reason: "its discovery document names another issuer")
        }
        guard let address = document["jwks_uri"]?.string else {
            throw Failure(reason: "its discovery document has no jwks_uri")
        }
        let keys = EmulatorDirectory.JSONWebKey.usable(in: try await read(address, with: client))
        guard !keys.isEmpty else { throw Failure(reason: "its key set has no RSA key of 2048 bits or more") }
        return keys
    }

    private func read(_ address: String, with client: HTTPClient) async throws -> JSONValue {
        guard let address = HTTPSAddress(address)?.text else {
            throw Failure(reason: "\(address) is no https address that a server can have")
        }
        do {
            var request = HTTPClientRequest(url: address)
            request.headers.add(name: "accept", value: "application/json")
            let response = try await client.execute(request, timeout: Self.timeLimit)
            guard response.status == .ok else {
                throw Failure(reason: "\(address) responded with status \(response.status.code)")
            }
            let body = try await response.body.collect(upTo: Self.sizeLimit)
            guard let value = JSONValue(parsing: Data(body.readableBytesView)) else {
                throw Failure(reason: "\(address) is not JSON")
            }
            return value
        } catch let failure as Failure {
            throw failure
        } catch is NIOTooManyBytesError {
            throw Failure(reason: "\(address) has more than \(Self.sizeLimit) bytes")
        } catch {
            throw Failure(reason: "\(address) cannot be read (\(error))")
        }
    }
}
