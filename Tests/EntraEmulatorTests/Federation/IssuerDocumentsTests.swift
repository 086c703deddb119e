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
}
