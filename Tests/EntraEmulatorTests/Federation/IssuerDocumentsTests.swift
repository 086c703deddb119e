// Licensed under the MIT License. See LICENSE.

import Testing

@testable import EntraEmulator

/// Keys of a foreign issuer, read over the network.
struct IssuerDocumentsTests {
    @Test(arguments: ["localhost", "keys.localhost"])
    func `a name of this machine is resolved without a name server`(host: String) async throws {
        try await Bench.run({
            $0.federatedIssuers = FederatedIssuerSettings()
            $0.additionalHosts = ["keys.localhost"]
        }) { foreign in
            let documents = try IssuerDocuments(trustRoots: foreign.emulator.certificateAuthorityFile)

            let keys = try await documents.keys(of: "https://\(host):\(foreign.emulator.port)/issuers/kubernetes")

            #expect(keys.count == 1)
        }
    }

    @Test(arguments: [
        "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n", "HTTP/1.0 100 Continue\r\n\r\n",
        "HTTP/1.1 103 Early Hints\r\nConnection: close\r\n\r\n",
        "HTTP/1.1 199 Odd\r\nContent-Length: 5\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n",
    ])
    func `interim responses before the documents are skipped`(_ interim: String) async throws {
        let issuer = try await ScriptedIssuer(before: interim)
        let documents = try IssuerDocuments(trustRoots: issuer.authorityFile)

        let keys = try await documents.keys(of: issuer.name)

        #expect(keys.count == 1)
        try await issuer.stop()
    }
}
