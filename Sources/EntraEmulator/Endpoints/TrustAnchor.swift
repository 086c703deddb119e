// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import MSALBase
import NIOCore

/// Serves the certificate of the emulator's authority, for a client that does not trust it yet. It is public.
struct TrustAnchor: HTTPResponder {
    typealias Context = EmulatorContext

    static let path = "/ca.pem"
    static let methods: [HTTPRequest.Method] = [.get, .head]

    /// The PEM file.
    let file: URL

    /// The file, or 404 at any other path. A listener without TLS serves nothing else.
    func respond(to request: Request, context: EmulatorContext) async throws -> Response {
        var response =
            if request.uri.path == Self.path, Self.methods.contains(request.method) {
                try response()
            } else {
                Response(status: .notFound)
            }
        SecurityHeaders.add(to: &response)
        return response
    }

    /// `200` with the certificate.
    func response() throws -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "application/x-pem-file"],
            body: .init(byteBuffer: ByteBuffer(bytes: try Data(contentsOf: file)))
        )
    }

    /// The SHA-256 of the certificate, as `openssl x509 -fingerprint -sha256` prints it.
    var fingerprint: String {
        get throws {
            let pem = try String(contentsOf: file, encoding: .utf8)
            let base64 = pem.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }.joined()
            let digest = SHA256.hash(data: Data(base64Encoded: base64) ?? Data())
            return digest.map { Hexadecimal.text([$0], uppercase: true) }.joined(separator: ":")
        }
    }
}
