// Licensed under the MIT License. See LICENSE.

import Foundation

/// The issuers that the emulator itself stands in for.
struct OwnIssuers: Sendable {
    /// `nil` while they are switched off.
    let settings: FederatedIssuerSettings?
    let identity: ServerIdentity
    let signingKeys: SigningKeys

    /// The issuer that a text names; `nil` for a foreign one.
    ///
    /// A text without a port names this emulator's issuer, whatever port it listens at. So a directory can name the
    /// issuer before the port is known. `base`: `https://host[:port]` as the client addressed the emulator.
    func issuer(named text: String, base: String) -> FederatedIssuer? {
        guard settings != nil, let url = URL(string: text), url.scheme == "https", let host = url.host,
            identity.covers(host), url.port == nil || url.port == URL(string: base)?.port ?? 443
        else { return nil }
        return FederatedIssuer.allCases.first { $0.path == url.path }
    }

    /// The keys that sign for all of them.
    var keys: [EmulatorDirectory.JSONWebKey] {
        EmulatorDirectory.JSONWebKey.usable(in: signingKeys.keySet(issuer: nil))
    }
}
