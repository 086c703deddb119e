// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import Synchronization
import TestSupport
import Testing

/// How tokens of an application are fetched, replaced and denied, through the public API.
struct AccessTokenFlowTests {
    private static let tenant = "73ab4876-7734-47c1-87fd-e805ec99108d"
    private static let scopes = ["https://graph.microsoft.com/.default"]
    private let time = ManualTime(skipsSleeps: true)
    private let transport = ScriptedTransport()

    private func application(
        configure: (inout MSALConfidentialClientConfiguration) -> Void = { _ in },
        jitter: Duration = .zero
    ) throws -> MSALConfidentialClientApplication {
        var configuration = MSALConfidentialClientConfiguration(
            clientId: "2fa91425-cb00-4853-9d2c-67eda13ffe79",
            authority: .tenant(Self.tenant),
            credential: .secret("s~ecret")
        )
        configure(&configuration)
        var environment = ServerEnvironment.double(time: time, transport: transport)
        environment.jitter = { min($0, jitter) }
        return try MSALConfidentialClientApplication(configuration: configuration, environment: environment)
    }

    private func answer(_ token: String, _ more: String = #""expires_in":3600"#) {
        transport.append(.json(#"{"access_token":"\#(token)","token_type":"Bearer",\#(more)}"#))
    }

    /// A response that production requests twice, if it is transient.
    private func refuse(_ body: String = "", status: Int, headers: [String: String] = [:]) {
        let isRepeated = status >= 500 && headers["Retry-After"] == nil
        for _ in 0..<(isRepeated ? 2 : 1) { transport.append(.json(body, status: status, headers: headers)) }
    }

    private func error(
        _ application: MSALConfidentialClientApplication,
        options: MSALTokenOptions = MSALTokenOptions()
    ) async throws -> MSALTokenError {
        try await failure { () async throws(MSALTokenError) in
            try await application.acquireTokenForClient(scopes: Self.scopes, options: options)
        }
    }

    // MARK: Refresh ahead of time

    @Test func `a failed refresh is retried after half a minute, and the old token used until then`() async throws {
        let failures = Mutex<[MSALTokenError.Kind]>([])
        let application = try application { configuration in
            configuration.onBackgroundFailure = { failure in failures.withLock { $0.append(failure.kind) } }
        }
        answer("a1", #""expires_in":7200,"refresh_in":3600"#)
        _ = try await application.acquireTokenForClient(scopes: Self.scopes)
        time.advance(by: .seconds(3601))
        refuse(status: 500)

        #expect(try await application.acquireTokenForClient(scopes: Self.scopes).accessToken == "a1")
        try await until(failures.withLock { $0 } == [.serviceUnavailable])
        time.advance(by: .seconds(29))
        #expect(try await application.acquireTokenForClient(scopes: Self.scopes).accessToken == "a1")
        #expect(transport.messages.count == 3)
        time.advance(by: .seconds(1))
        answer("a2")
        #expect(try await application.acquireTokenForClient(scopes: Self.scopes).accessToken == "a1")
        try await until(transport.messages.count == 4)

        try transport.verify()
    }

    @Test(arguments: [(Duration.seconds(100), 3500), (.seconds(10_000), 3300)])
    func `the refresh time is randomized once, and at most five minutes early`(
        _ jitter: Duration,
        _ expected: Int
    ) async throws {
        let application = try application(jitter: jitter)
        answer("a1", #""expires_in":7200,"refresh_in":3600"#)

        let result = try await application.acquireTokenForClient(scopes: Self.scopes)

        #expect(result.refreshOn == time.now.addingTimeInterval(TimeInterval(expected)))
    }

    // MARK: Pauses

    @Test(arguments: [
        (429, nil, 60), (429, "7", 7), (503, "20", 20), (503, nil, 5), (400, "9", 9), (429, "9999", 3600),
    ])
    func `no request is sent during the pause that an error response names`(
        _ status: Int,
        _ header: String?,
        _ seconds: Int
    ) async throws {
        let application = try application()
        let headers = header.map { ["Retry-After": $0] } ?? [:]
        refuse(#"{"error":"temporarily_unavailable"}"#, status: status, headers: headers)
        let first = try await error(application)
        let sent = transport.messages.count
        time.advance(by: .seconds(seconds - 1))

        let second = try await error(application)

        #expect(second.kind == first.kind)
        #expect(second.retryAfter == .seconds(1))
        #expect(transport.messages.count == sent)
        time.advance(by: .seconds(1))
        answer("a1")
        #expect(try await application.acquireTokenForClient(scopes: Self.scopes).accessToken == "a1")
    }

    @Test(arguments: ["0", "-5", "Thu, 01 Jan 1970 00:00:00 GMT"])
    func `a pause of zero or negative length is ignored`(_ header: String) async throws {
        let application = try application()
        transport.append(.json("", status: 429, headers: ["Retry-After": header]))
        _ = try await error(application)
        answer("a1")

        #expect(try await application.acquireTokenForClient(scopes: Self.scopes).accessToken == "a1")
    }

    @Test func `a pause applies to its tenant and scope only, and to forced refreshes too`() async throws {
        let application = try application()
        transport.append(.json("", status: 429))
        _ = try await error(application)
        var forced = MSALTokenOptions()
        forced.forceRefresh = true
        #expect(try await error(application, options: forced).kind == .throttled)
        var elsewhere = MSALTokenOptions()
        elsewhere.tenant = "contoso.example"
        answer("b1")
        answer("c1")

        let other = try await application.acquireTokenForClient(scopes: Self.scopes, options: elsewhere)
        let third = try await application.acquireTokenForClient(scopes: ["https://vault.azure.net/.default"])

        #expect(other.accessToken == "b1")
        #expect(third.accessToken == "c1")
    }

    @Test func `an error without a pause is not remembered`() async throws {
        let application = try application()
        transport.append(.json(#"{"error":"invalid_client"}"#, status: 401))
        _ = try await error(application)
        answer("a1")

        #expect(try await application.acquireTokenForClient(scopes: Self.scopes).accessToken == "a1")
    }

    // MARK: Outages

    @Test(arguments: [(503, MSALTokenResult.Source.cacheExtended), (401, nil), (429, nil)])
    func `an extended lifetime applies after a failure of the service, and not after an error response`(
        _ status: Int,
        _ source: MSALTokenResult.Source?
    ) async throws {
        let application = try application { $0.allowsExtendedLifetime = true }
        answer("a1", #""expires_in":600,"ext_expires_in":7200"#)
        _ = try await application.acquireTokenForClient(scopes: Self.scopes)
        time.advance(by: .seconds(1200))
        refuse(#"{"error":"invalid_client"}"#, status: status)

        // Some cases expect an error.
        let result = try? await application.acquireTokenForClient(scopes: Self.scopes)

        #expect(result?.source == source)
        #expect(result?.accessToken == (source == nil ? nil : "a1"))
    }

    @Test func `an extended lifetime ends`() async throws {
        let application = try application { $0.allowsExtendedLifetime = true }
        answer("a1", #""expires_in":600,"ext_expires_in":7200"#)
        _ = try await application.acquireTokenForClient(scopes: Self.scopes)
        time.advance(by: .seconds(7200))
        refuse(status: 503)

        #expect(try await error(application).kind == .serviceUnavailable)
    }

    // MARK: Concurrent requests

    @Test func `a forced refresh does not wait for an earlier request`() async throws {
        let application = try application()
        let mayAnswer = AtomicFlag()
        for token in ["a1", "a2"] {
            transport.append(
                ScriptedTransport.Response(token) { _ in
                    while !mayAnswer.isSet { await Task.yield() }
                    let body = #"{"access_token":"\#(token)","token_type":"Bearer","expires_in":3600}"#
                    return HTTPResponse(status: 200, body: Data(body.utf8))
                }
            )
        }
        var forced = MSALTokenOptions()
        forced.forceRefresh = true
        let first = Task { try await application.acquireTokenForClient(scopes: Self.scopes) }
        try await until(transport.messages.count == 1)
        let second = Task { [forced] in
            try await application.acquireTokenForClient(scopes: Self.scopes, options: forced)
        }
        try await until(transport.messages.count == 2)
        mayAnswer.set()

        #expect(try await first.value.accessToken == "a1")
        #expect(try await second.value.accessToken == "a2")
    }

    @Test func `application objects that share a memory share a request`() async throws {
        let cache = MSALTokenCache()
        let applications = try (0..<20).map { _ in try application { $0.cache = cache } }
        let mayAnswer = AtomicFlag()
        transport.append(
            ScriptedTransport.Response("held") { _ in
                while !mayAnswer.isSet { await Task.yield() }
                let body = #"{"access_token":"a1","token_type":"Bearer","expires_in":3600}"#
                return HTTPResponse(status: 200, body: Data(body.utf8))
            }
        )
        let tasks = applications.map { application in
            Task { try await application.acquireTokenForClient(scopes: Self.scopes).accessToken }
        }
        try await until(cache.appTokens.waitingCallers == applications.count)
        mayAnswer.set()

        for task in tasks { #expect(try await task.value == "a1") }
        #expect(transport.messages.count == 1)
    }

    // MARK: Extra parameters of the application

    @Test func `extra parameters are sent, and have separate tokens`() async throws {
        let application = try application { $0.capabilities = ["cp1"] }
        var options = MSALTokenOptions()
        options.fmiPath = "agents/blue"
        options.clientClaims = #"{"access_token":{"own":{"value":"1"}}}"#
        options.extraBodyParameters = ["slice": "testslice"]
        answer("a1")
        answer("a2")

        _ = try await application.acquireTokenForClient(scopes: Self.scopes)
        let result = try await application.acquireTokenForClient(scopes: Self.scopes, options: options)
        let again = try await application.acquireTokenForClient(scopes: Self.scopes, options: options)

        #expect(result.accessToken == "a2")
        #expect(again.source == .cache)
        let form = try #require(transport.messages.last?.form)
        #expect(form["fmi_path"] == "agents/blue")
        #expect(form["slice"] == "testslice")
        #expect(form["claims"] == #"{"access_token":{"own":{"value":"1"},"xms_cc":{"values":["cp1"]}}}"#)
    }

    @Test(arguments: ["grant_type", "client_id", "Client_Secret", "client_info", "claims"])
    func `a parameter of the library cannot be replaced`(_ name: String) async throws {
        let application = try application()
        var options = MSALTokenOptions()
        options.extraBodyParameters = [name: "x"]

        let error = try await error(application, options: options)

        #expect(error.kind == .configuration)
        #expect(error.message.contains(name))
        #expect(transport.messages.isEmpty)
    }

    @Test(arguments: ["..", "a/b", "a?b", "contoso.example/oauth2"])
    func `an invalid tenant is neither requested nor replaced`(_ tenant: String) async throws {
        let application = try application()
        var options = MSALTokenOptions()
        options.tenant = tenant

        let error = try await error(application, options: options)

        #expect(error.kind == .configuration)
        #expect(transport.messages.isEmpty)
    }

    // MARK: The log

    @Test func `a failure in the background is logged to the service's log, without the secret`() async throws {
        let lines = Mutex<[String]>([])
        let listener = Log.Listener { level, line in lines.withLock { $0.append("\(level): \(line)") } }
        let application = try application()
        answer("a1", #""expires_in":7200,"refresh_in":3600"#)
        try await Log.$listener.withValue(listener) {
            _ = try await application.acquireTokenForClient(scopes: Self.scopes)
            time.advance(by: .seconds(3601))
            transport.append(.json(#"{"error":"invalid_client"}"#, status: 401))
            _ = try await application.acquireTokenForClient(scopes: Self.scopes)
            try await until(lines.withLock { $0.contains { $0.hasPrefix("warning: ") } })
        }

        let text = lines.withLock { $0.joined(separator: "\n") }
        #expect(text.contains("warning: A token could not be refreshed ahead of time"))
        #expect(!text.contains("s~ecret") && !text.contains("a1"))
    }
}
