// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import Synchronization
import TestSupport
import Testing

/// Requests and responses beyond the conformance cases.
struct ManagedIdentityTests {
    private static let appService = [
        "IDENTITY_ENDPOINT": "http://127.0.0.1:41741/msi/token", "IDENTITY_HEADER": "hdr-secret",
    ]
    private static let good = #"{"access_token":"at-1","expires_in":"3600"}"#

    private func fault(
        _ machine: MachineDouble,
        identity: MSALManagedIdentityId = .systemAssigned
    ) async throws -> MSALTokenError {
        let application = machine.application(identity)
        return try await failure { () async throws(MSALTokenError) in
            try await application.acquireToken(resource: "https://vault.azure.net")
        }
    }

    // MARK: Addresses

    @Test(arguments: [
        "http://vault.example/msi/token", "http://8.8.8.8/x", "http://169.254.169.254.example/x", "http://[fe80::1]/x",
        "http://user:password@127.0.0.1/x", "ftp://127.0.0.1/x", "http:///x", "http://127.0.0.1/x#fragment", "   ",
        "http://0x7f000001/x", "http://127.1/x", "http://127.0.0.1:65536/x", "http://[::1]:65536/x",
    ])
    func `plain http to another host is rejected without a request`(address: String) async throws {
        var variables = Self.appService
        variables["IDENTITY_ENDPOINT"] = address
        let machine = MachineDouble(variables: variables)

        let error = try await fault(machine)

        #expect(error.kind == .configuration)
        #expect(error.message.contains("IDENTITY_ENDPOINT"))
        #expect(machine.transport.messages.isEmpty)
    }

    @Test(
        arguments: [
            "IDENTITY_ENDPOINT", "MSI_ENDPOINT", "AZURE_POD_IDENTITY_AUTHORITY_HOST",
        ],
        ["http://127.0.0.1:65536", "http://[::1]:70000", "http://127.0.0.1:99999999999999999999", "http://127.0.0.1:0"]
    )
    func `an invalid port is rejected without a request`(_ variable: String, _ address: String) async throws {
        let machine = MachineDouble(variables: [
            variable: address, "IDENTITY_HEADER": "hdr-secret", "MSI_SECRET": "hdr-secret",
            "DEFAULT_IDENTITY_CLIENT_ID": "id",
        ])

        let error = try await fault(machine)

        #expect(error.kind == .configuration)
        #expect(error.message.contains(variable))
        #expect(machine.transport.messages.isEmpty)
    }

    @Test func `a token that cannot be sent in a header is not used`() async throws {
        let machine = MachineDouble(variables: Self.appService)
        machine.transport.append(.json(#"{"access_token":"at-1\r\nX-Evil: 1","expires_in":"3600"}"#))

        let error = try await fault(machine)

        #expect(error.kind == .invalidResponse)
        #expect(!error.message.contains("X-Evil"))
    }

    @Test(arguments: ["http://[::1]:8080", "https://[2001:db8::1]"])
    func `the metadata service is called over IPv4 only`(address: String) async throws {
        let machine = MachineDouble(variables: ["AZURE_POD_IDENTITY_AUTHORITY_HOST": address])

        let error = try await fault(machine)

        #expect(error.kind == .configuration)
        #expect(error.message.contains("AZURE_POD_IDENTITY_AUTHORITY_HOST"))
        #expect(machine.transport.messages.isEmpty)
    }

    @Test(arguments: [
        (["IDENTITY_ENDPOINT": "http://127.0.0.1/x"], "IDENTITY_ENDPOINT"),
        (["IDENTITY_SERVER_THUMBPRINT": "1f40"], "IDENTITY_SERVER_THUMBPRINT"),
    ])
    func `Service Fabric requires https and a complete thumbprint`(
        change: [String: String],
        variable: String
    ) async throws {
        let variables = [
            "IDENTITY_ENDPOINT": "https://127.0.0.1:1/x", "IDENTITY_HEADER": "hdr-secret",
            "IDENTITY_SERVER_THUMBPRINT": String(repeating: "0", count: 40),
        ]
        let machine = MachineDouble(variables: variables.merging(change) { $1 })

        let error = try await fault(machine)

        #expect(error.kind == .configuration)
        #expect(error.message.contains(variable))
        #expect(machine.transport.messages.isEmpty)
    }

    @Test func `Machine Learning without an identity of its own requires a client ID`() async throws {
        let machine = MachineDouble(variables: ["MSI_ENDPOINT": "http://127.0.0.1/x", "MSI_SECRET": "hdr-secret"])

        let error = try await fault(machine)

        #expect(error.kind == .configuration)
        #expect(error.message.contains("DEFAULT_IDENTITY_CLIENT_ID"))
    }

    @Test func `a blank id is rejected without a request`() async throws {
        let machine = MachineDouble()

        let error = try await fault(machine, identity: .clientId(" "))

        #expect(error.kind == .configuration)
        #expect(machine.transport.messages.isEmpty)
    }

    // MARK: Error responses

    @Test func `a container desktop's 403 is reported as a missing metadata service`() async throws {
        let machine = MachineDouble()
        machine.transport.append(
            .json(
                "connecting to 169.254.169.254:80: A socket operation was attempted to an unreachable network.",
                status: 403
            )
        )

        let error = try await fault(machine)

        #expect(error.kind == .unavailable)
        #expect(machine.transport.messages.count == 1)
    }

    @Test func `an error shows no secrets, tokens or control characters, and at most 500 characters`() async throws {
        let machine = MachineDouble(variables: Self.appService)
        let token = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.c2ln"
        let long = String(repeating: "ä", count: 5000)
        machine.transport.append(
            .json(#"{"message":"\u001b[31m hdr-secret \#(token)\r\nX: \u202e \#(long)"}"#, status: 400)
        )

        let error = try await fault(machine)

        #expect(error.kind == .refused)
        #expect(!error.message.contains("hdr-secret"))
        #expect(!error.message.contains("eyJ"))
        #expect(!error.message.hasControlCharacters)
        #expect(!error.message.unicodeScalars.contains("\u{202E}"))
        #expect(error.message.count < 620)
    }

    private static let notAssigned: [(variables: [String: String], body: String)] = [
        (
            appService,
            #"{"statusCode":400,"message":"No Managed Identity found for specified ClientId/ResourceId/PrincipalId."}"#
        ),
        (
            appService,
            #"{"statusCode":400,"message":"No User Assigned or Delegated Managed Identity found for specified "#
                + #"ClientId/ResourceId/PrincipalId.","correlationId":"7f30f4d3"}"#
        ),
        (
            [
                "MSI_ENDPOINT": "http://127.0.0.1:41741/msi/token", "MSI_SECRET": "s",
                "DEFAULT_IDENTITY_CLIENT_ID": "99999999-0000-4000-8000-000000000001",
            ],
            #"{"StatusCode":400,"Message":"No MSI found for specified ClientId/ResourceId.","CorrelationId":"8797a7fe"}"#
        ),
        (
            ["MSI_ENDPOINT": "http://127.0.0.1:50342/oauth2/token"],
            #"{"error":{"code":"invalid_request","message":"Identity not found"}}"#
        ),
    ]

    // By number, because a test prints its arguments and the variables contain secrets.
    @Test(arguments: Self.notAssigned.indices)
    func `a host without the identity is distinguished from an error`(_ number: Int) async throws {
        let (variables, body) = Self.notAssigned[number]
        let machine = MachineDouble(variables: variables)
        machine.transport.append(.json(body, status: 400))

        #expect(try await fault(machine).kind == .identityNotAssigned)
    }

    @Test(arguments: [(400, "Resource not found"), (403, "Identity not found"), (400, "No token found for the scope.")])
    func `any other error is not a missing identity`(_ status: Int, _ message: String) async throws {
        let machine = MachineDouble(variables: Self.appService)
        machine.transport.append(.json(#"{"message":"\#(message)"}"#, status: status))

        #expect(try await fault(machine).kind == .refused)
    }

    @Test func `a host that requires a pause of more than a minute is not called again`() async throws {
        let machine = MachineDouble()
        machine.transport.append(.json("{}", status: 429, headers: ["Retry-After": "61"]))

        let error = try await fault(machine)

        #expect(error.kind == .throttled)
        #expect(error.retryAfter == .seconds(61))
        #expect(error.isRetryable)
        #expect(machine.time.sleeps.isEmpty)
    }

    @Test func `attempts are limited, whatever the responses are`() async throws {
        let machine = MachineDouble()
        for status in [410, 500, 410, 429, 410, 410, 503, 410, 410, 410, 404] {
            machine.transport.append(.json(#"{"error":"busy"}"#, status: status))
        }

        let error = try await fault(machine)

        #expect(error.kind == .refused)
        #expect(machine.time.sleeps.count == 10)
        try machine.transport.verify()
    }

    @Test func `a response timeout is retried, and finally the identity is unavailable`() async throws {
        let machine = MachineDouble(variables: Self.appService)
        for _ in 0..<4 { machine.transport.append(.failure(.timedOut)) }

        let error = try await fault(machine)

        #expect(error.kind == .unavailable)
        #expect((error.causes.first as? NSError)?.code == -1001)
        #expect(machine.time.sleeps == Array(repeating: .seconds(1), count: 3))
    }

    // MARK: Responses

    @Test(arguments: [
        "", "[]", "null", #"{"expires_in":"3600"}"#, #"{"access_token":"","expires_in":"3600"}"#,
        #"{"access_token":"at"}"#, #"{"access_token":"at","expires_in":"soon"}"#,
        #"{"access_token":"at","expires_on":"1e400"}"#, #"{"access_token":"at","expires_in":0}"#,
        #"{"access_token":"at","expires_in":"3600","token_type":"pop"}"#,
        #"{"access_token":"at","expires_on":"13/45/2026 99:99:99 +00:00"}"#,
    ])
    func `a response without a token of known lifetime is not used`(body: String) async throws {
        let machine = MachineDouble(variables: Self.appService)
        machine.transport.append(.json(body))

        let error = try await fault(machine)

        #expect(error.kind == .invalidResponse)
        #expect(error.message.hasPrefix("The response of the token endpoint of App Service "))
        #expect(error.message.hasSuffix(". The response was discarded."))
        #expect(!error.message.contains("is not one of"))
    }

    @Test(arguments: ["", "[]", "<html>"])
    func `a response that is not a JSON object may be the page of a proxy`(body: String) async throws {
        let machine = MachineDouble(variables: Self.appService)
        machine.transport.append(.json(body))

        let error = try await fault(machine)

        #expect(
            error.message
                == "The response of the token endpoint of App Service is not a JSON object. "
                + "A proxy or a sign-in portal of the network may stand between. The response was discarded."
        )
    }

    @Test(arguments: [
        ("2026-09-21T15:13:20Z", 1_790_003_600), ("2026-09-21T17:13:20.123+02:00", 1_790_003_600),
        ("9/21/2026 3:13:20 PM +00:00", 1_790_003_600), ("9/21/2026 12:13:20 AM +00:00", 1_789_949_600),
        ("2024-02-29T00:00:00Z", 1_709_164_800), ("1970-01-01T00:00:00Z", 0), ("2000-03-01 00:00:00Z", 951_868_800),
    ])
    func `dates in all forms are parsed`(text: String, seconds: Int64) {
        #expect(ManagedIdentityExpiry.date(text) == seconds)
    }

    @Test(arguments: [
        "2026-02-29T00:00:00Z", "2026-09-21", "2026-09-21T24:00:00Z", "2026-09-21T15:13:20+99:00",
        "21/09/2026 15:13:20",
        "2026-9-21T15:13:20Z", "9/21/2026 13:13:20 PM", "2026-09-21T15:13:20Zx", "2026-09-21T15:13:20.Z", "",
    ])
    func `text that is not a date is rejected`(text: String) {
        #expect(ManagedIdentityExpiry.date(text) == nil)
    }

    @Test func `a response of any bytes yields a token that expires in the future, or an error`() async throws {
        let machine = MachineDouble()
        let request = try ManagedIdentityRequest(
            to: ManagedIdentityHosts.detect(in: machine.environment).host,
            identity: .clientId("5e29463d-71da-4fe0-8e69-999b57db23b0"),
            resource: "https://vault.azure.net",
            correlationID: UUID(),
            environment: machine.environment
        )
        let reader = ManagedIdentityResponse(to: request, environment: machine.environment)
        let now = machine.environment.time.wholeSeconds
        var fuzz = Fuzz(
            corpus: [
                Array(
                    #"{"access_token":"at-1","expires_on":"1790003600","refresh_in":"1800","token_type":"Bearer"}"#.utf8
                ),
                Array(#"{"access_token":"at-1","expires_on":"09/21/2026 15:13:20 +00:00","expires_in":3600}"#.utf8),
                Array(#"{"error":{"code":"c","message":"m","correlationId":"7f30f4d3"},"statusCode":500}"#.utf8),
                Array(#"{"error":"invalid_request","error_description":"Identity not found"}"#.utf8),
            ],
            words: ["\"expires_on\":", "-9223372036854775808", "1e308", "\\u0000", "Infinity", "\"AM\""]
        )
        fuzz.run { bytes in
            for status in [200, 400] {
                do throws(MSALTokenError) {
                    let token = try reader.token(HTTPResponse(status: status, body: Data(bytes)))
                    #expect(token.expiresAt > now)
                    #expect(token.refreshAt.map { $0 < token.expiresAt } ?? true)
                } catch {
                    #expect(!error.message.hasControlCharacters)
                    #expect(error.message.count < 1000)
                }
            }
        }
    }

    // MARK: Memory

    @Test func `concurrent calls of several objects share one request`() async throws {
        let machine = MachineDouble()
        let gate = OneShot<Void>()
        let response = HTTPResponse(status: 200, body: Data(Self.good.utf8))
        machine.transport.append(
            ScriptedTransport.Response("after the gate") { _ throws(TransportError) in
                await gate.value(ifCancelled: ())
                return response
            }
        )
        let applications = [machine.application(), machine.application()]
        let calls = applications.map { application in
            Task { try await application.acquireToken(resource: "https://vault.azure.net").accessToken }
        }
        try await until(machine.transport.messages.count == 1)
        gate.settle(())

        for call in calls { #expect(try await call.value == "at-1") }
        #expect(machine.transport.messages.count == 1)
    }

    @Test func `identities and resources do not share tokens, regardless of letter case`() async throws {
        let machine = MachineDouble()
        let id = "5e29463d-71da-4fe0-8e69-999b57db23b0"
        for number in 1...3 {
            machine.transport.append(.json(#"{"access_token":"at-\#(number)","expires_in":"3600"}"#))
        }

        let system = try await machine.application().acquireToken(resource: "https://vault.azure.net")
        let user = try await machine.application(.clientId(id)).acquireToken(resource: "https://vault.azure.net")
        let same = try await machine.application(.clientId(id.uppercased()))
            .acquireToken(resource: "https://vault.azure.net")
        let other = try await machine.application().acquireToken(resource: "https://vault.azure.net/")

        #expect([system, user, same, other].map(\.accessToken) == ["at-1", "at-2", "at-2", "at-3"])
    }

    @Test func `requests to the metadata service are serialized`() async throws {
        let machine = MachineDouble()
        let underWay = Mutex((now: 0, most: 0))
        for number in 1...5 {
            let body = Data(#"{"access_token":"at-\#(number)","expires_in":"3600"}"#.utf8)
            machine.transport.append(
                ScriptedTransport.Response("counts") { _ throws(TransportError) in
                    underWay.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                    for _ in 0..<20 { await Task.yield() }
                    underWay.withLock { $0.now -= 1 }
                    return HTTPResponse(status: 200, body: body)
                }
            )
        }
        let application = machine.application()

        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...5 {
                group.addTask { _ = try await application.acquireToken(resource: "https://r\(number).example") }
            }
            try await group.waitForAll()
        }

        #expect(underWay.withLock(\.most) == 1)
        try machine.transport.verify()
    }

    @Test func `a caller that leaves the queue does not block it`() async throws {
        let line = AsyncSerialQueue()
        let gate = OneShot<Void>()
        let first = Task {
            try await line.run { () async throws(TransportError) in await gate.value(ifCancelled: ()) }
        }
        let second = Task { () -> TransportError.Kind? in
            do throws(TransportError) {
                try await line.run { () async throws(TransportError) in }
                return nil
            } catch {
                return error.kind
            }
        }
        second.cancel()
        let kind = await second.value
        gate.settle(())
        try await first.value
        try await line.run { () async throws(TransportError) in }

        // The second may have come before the first. Then it has ended before the cancellation, or as canceled.
        #expect(kind == .canceled || kind == nil)
    }

    @Test func `a request for several scopes is rejected`() async throws {
        let application = MachineDouble().application()

        let error = try await failure { () async throws(MSALTokenError) in
            try await application.token(for: MSALTokenRequest(scopes: ["a/.default", "b/.default"]))
        }

        #expect(error.kind == .invalidScopes)
    }
}
