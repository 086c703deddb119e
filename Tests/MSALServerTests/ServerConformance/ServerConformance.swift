// Licensed under the MIT License. See LICENSE.

import Foundation
import TestSupport
import Testing

/// Replays the conformance files about servers: one test per group of ops, in the extension files next to this one.
@Suite(.enabled(if: ServerConformanceFolder.shared.exists, "\(ConformanceFiles.absence)"), .timeLimit(.minutes(1)))
struct ServerConformance {
    @Test func `every file can be read and belongs to a family`() {
        #expect(ServerConformanceFolder.shared.complaints == [])
        #expect(!ServerConformanceFolder.shared.all.isEmpty)
    }

    @Test(arguments: [[:], ["MSAL_CONFORMANCE_DIR": ""]])
    func `without a configured folder, the cases are those of this repository`(_ environment: [String: String]) {
        #expect(ConformanceFiles.folder(in: environment).path.hasSuffix("/Tests/Conformance"))
    }

    @Test func `a configured folder replaces this repository's`() {
        let environment = ["MSAL_CONFORMANCE_DIR": "/srv/other cases"]

        #expect(ConformanceFiles.folder(in: environment).path == "/srv/other cases")
    }

    @Test(arguments: ServerException.allCases)
    func `every exception states how many cases it excludes`(_ exception: ServerException) {
        let matches = ServerConformanceFolder.shared.all.filter { ServerException.matching($0) == exception }
        print("conformance exception, \(matches.count) cases: \(exception.rawValue)")
        #expect(matches.count < ServerConformanceFolder.shared.all.count)
    }

    @Test(arguments: ServerConformanceFolder.shared.all.filter { ServerException.matching($0) == nil })
    func `every op is replayed by a test`(_ testCase: ServerCase) {
        let replayed: [ServerFamily: Set<String>] = [
            .clientAssertion: [
                "thumbprints", "algorithm", "assertion", "pem", "form", "callback", "workload-file", "github-oidc",
                "pipelines-oidc",
            ],
            .appCache: ["ext-key", "partition-key", "lookup", "app-steps", "host", "discover"],
            .managedIdentity: ["source", "request", "response", "retry", "arc", "steps"],
            .tokenValidation: ["validate", "validate-pop", "keys", "bearer-header", "www-authenticate", "challenge"],
            .credentialChain: ["chain", "decide", "environment", "tenant", "probe", "cli-output"],
        ]
        #expect(replayed[testCase.family]?.contains(testCase.op) == true)
    }
}
