// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// The issuers like those of GitHub Actions, Azure Pipelines and Kubernetes.
struct IssuerTests {
    @Test func `issuers are disabled by default`() async throws {
        try await Bench.run { bench in
            let response = try await bench.get("/issuers/github/.well-known/openid-configuration")
            #expect(response.status != 200)
        }
    }

    @Test(arguments: FederatedIssuer.allCases)
    func `every issuer publishes its document and its signing keys`(issuer: FederatedIssuer) async throws {
        try await Workload.run { workload in
            let own = "\(workload.bench.base)/issuers/\(issuer.rawValue)"
            let document = try await workload.bench.get("\(own)/.well-known/openid-configuration").json()
            let keys = try await workload.bench.get(try #require(document["jwks_uri"] as? String)).json()
            let token = try await workload.bench.emulator.federatedToken(.init(issuer: issuer, subject: "s"))
            let header = try Bench.claims("x.\(token.split(separator: ".")[0]).x")

            #expect(document["issuer"] as? String == own)
            #expect(try Bench.claims(token)["iss"] as? String == own)
            let names = (keys["keys"] as? [[String: Any]])?.compactMap { $0["kid"] as? String } ?? []
            #expect(names.contains { $0 == header["kid"] as? String })
        }
    }

    @Test func `a job of GitHub gets a token with the claims of its workflow, and signs in with it`() async throws {
        try await Workload.run { workload in
            let response = try await workload.askGitHub()
            let token = try #require(try response.json()["value"] as? String)
            let claims = try Bench.claims(token)
            let exchanged = try await workload.exchange(token)

            #expect(claims["sub"] as? String == Workload.repository)
            #expect(claims["aud"] as? String == "api://AzureADTokenExchange")
            #expect(claims["repository_owner"] as? String == "contoso")
            #expect(claims["job_workflow_ref"] as? String == "contoso/app/.github/workflows/ci.yml@refs/heads/main")
            let (start, end) = (try #require(claims["iat"] as? Int), try #require(claims["exp"] as? Int))
            #expect(end - start == 300)
            #expect(exchanged.status == 200)
            let own = try Bench.claims(try exchanged.json()["access_token"])
            #expect((own["appid"] ?? own["azp"]) as? String == Workload.clientID)
            #expect((own["appidacr"] ?? own["azpacr"]) as? String == "2")
        }
    }

    @Test(arguments: [
        (["environment": "production"], "repo:contoso/app:environment:production"),
        (["event_name": "pull_request"], "repo:contoso/app:pull_request"),
        (["ref": "refs/tags/v1", "repository": "octo/tool"], "repo:octo/tool:ref:refs/tags/v1"),
        (["subject": "repository_owner_id:65"], "repository_owner_id:65"),
    ])
    func `the subject of a job follows its event and environment`(
        parameters: [String: String],
        subject: String
    ) async throws {
        try await Workload.run { workload in
            let claims = try Bench.claims(try await workload.askGitHub(parameters).json()["value"])

            #expect(claims["sub"] as? String == subject)
            #expect((claims["aud"] as? String)?.hasPrefix("https://github.com/") == true)
        }
    }

    @Test func `a pipeline gets a token for its service connection, and signs in with it`() async throws {
        try await Workload.run { workload in
            let headers = ["authorization": "Bearer emulator-request-token", "content-type": "application/json"]
            let path = "/issuers/azure-pipelines/token"
            let query = "?api-version=7.1&serviceConnectionId=connection-1"
            let response = try await workload.bench.send(.POST, to: path + query, headers: headers)
            let exchanged = try await workload.exchange(try #require(try response.json()["oidcToken"] as? String))
            let incomplete = try await workload.bench.send(.POST, to: path + "?api-version=7.1", headers: headers)
            let reading = try await workload.bench.send(.GET, to: path + query, headers: headers)

            #expect(response.status == 200)
            #expect(exchanged.status == 200)
            #expect(incomplete.status == 400)
            #expect(reading.status == 405)
        }
    }

    @Test func `a pod signs in with the token of its file`() async throws {
        try await Workload.run { workload in
            let token = try await workload.bench.emulator.federatedToken(
                .init(issuer: .kubernetes, subject: Workload.account)
            )
            let claims = try Bench.claims(token)
            let exchanged = try await workload.exchange(token)

            #expect(claims["aud"] as? [String] == ["api://AzureADTokenExchange"])
            #expect((claims["kubernetes.io"] as? [String: Any])?["namespace"] as? String == "default")
            #expect(exchanged.status == 200)
        }
    }

    @Test func `a token can be created without a running emulator`() async throws {
        try await Workload.run { workload in
            let token = try await Emulator.federatedToken(
                .init(issuer: .kubernetes, subject: Workload.account),
                port: workload.bench.emulator.port,
                stateDirectory: Bench.stateDirectory
            )
            let exchanged = try await workload.exchange(token)

            #expect(exchanged.status == 200)
        }
    }

    @Test(arguments: ["wrong", ""])
    func `a job without the request token gets none`(token: String) async throws {
        try await Workload.run { workload in
            let response = try await workload.askGitHub(token: token)

            #expect(response.status == 401)
            #expect(!response.text.contains("value"))
        }
    }

    // MARK: Flaws

    @Test(arguments: FederatedToken.Flaw.allCases)
    func `a job gets a token that the token endpoint rejects, once`(flaw: FederatedToken.Flaw) async throws {
        let numbers: [FederatedToken.Flaw: Int] = [
            .expired: 700_024, .early: 700_024, .otherAudience: 700_212, .otherIssuer: 700_211, .otherSubject: 700_213,
            .unknownKey: 700_027, .unsigned: 700_027,
        ]
        try await Workload.run { workload in
            workload.bench.emulator.flawFederatedTokens(flaw, of: .github)
            let wrong = try #require(try await workload.askGitHub().json()["value"] as? String)
            let right = try #require(try await workload.askGitHub().json()["value"] as? String)
            let refused = try await workload.exchange(wrong)
            let granted = try await workload.exchange(right)

            #expect(try refused.errorCode() == numbers[flaw])
            #expect(granted.status == 200)
        }
    }

    @Test func `a pod's token can have a flaw, too`() async throws {
        try await Workload.run { workload in
            let token = try await workload.bench.emulator.federatedToken(
                .init(issuer: .kubernetes, subject: Workload.account, flaw: .expired)
            )
            let refused = try await workload.exchange(token)

            #expect(try refused.errorCode() == 700_024)
        }
    }

    @Test func `the control API adds flaws to tokens and makes issuers fail`() async throws {
        try await Workload.run(change: { $0.controlPort = 0 }) { workload in
            let bench = workload.bench
            let control = "https://localhost:\(try #require(bench.emulator.controlPort))"
            let headers = ["authorization": "Bearer \(try #require(bench.emulator.controlToken))"]
            func post(_ path: String, body: String) async throws -> Bench.Response {
                try await bench.send(.POST, to: control + path, headers: headers, body: body)
            }
            let added = try await post("/issuers", body: #"{"flaw":"unsigned","issuer":"github"}"#)
            let refused = try await post("/issuers", body: #"{"flaw":"wrong"}"#)
            let unknown = try await post("/issuers", body: #"{"flaw":"early","issuer":"gitlab"}"#)
            let unsigned = try await workload.askGitHub().json()["value"] as? String
            _ = try await post("/faults", body: #"{"pathSuffix":"/github/token","status":403,"body":"{}"}"#)
            _ = try await post("/faults", body: #"{"pathSuffix":"/github/token","status":200,"body":"{}"}"#)
            let forbidden = try await workload.askGitHub()
            let empty = try await workload.askGitHub()

            #expect(added.status == 201)
            #expect(refused.status == 400 && refused.text.contains("'flaw' must be one of expired"))
            #expect(unknown.status == 400 && unknown.text.contains("'issuer' must be one of github"))
            #expect(unsigned?.hasSuffix(".") == true)
            #expect(forbidden.status == 403)
            #expect(empty.status == 200 && empty.text == "{}")
        }
    }
}
