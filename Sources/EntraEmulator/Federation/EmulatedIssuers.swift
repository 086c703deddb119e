// Licensed under the MIT License. See LICENSE.

import Foundation

/// The external issuers that the emulator itself simulates.
struct EmulatedIssuers: Sendable {
    /// `nil` if they are switched off.
    let settings: FederatedIssuerSettings?
    let identity: ServerIdentity
    let signingKeys: SigningKeys

    /// The simulated issuer with this identifier; `nil` for any other issuer.
    ///
    /// An identifier without a port matches whatever port the emulator listens on, so that a directory can name the
    /// issuer before the port is known. `base`: `https://host[:port]` as the client addressed the emulator.
    func issuer(named text: String, base: String) -> FederatedIssuer? {
        guard settings != nil, let url = URL(string: text), url.scheme == "https", let host = url.host,
            identity.covers(host), url.port == nil || url.port == URL(string: base)?.port ?? 443
        else { return nil }
        return FederatedIssuer.allCases.first { $0.path == url.path }
    }

    /// The signing keys shared by all of them.
    var keys: [EmulatorDirectory.JSONWebKey] {
        EmulatorDirectory.JSONWebKey.usable(in: signingKeys.keySet(issuer: nil))
    }
}
