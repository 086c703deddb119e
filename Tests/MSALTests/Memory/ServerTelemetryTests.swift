// Licensed under the MIT License. See LICENSE.

import Foundation
import Testing

@testable import MSAL
@testable import MSALBase
@testable import MSALCore

struct ServerTelemetryTests {
    private let id = UUID(uuidString: "11111111-2222-3333-4444-555555555555") ?? .random()

    @Test(arguments: [
        (RefreshReason.forced, "4|34,1|"), (.claimsRequested, "4|34,1|"), (.noAccessToken, "4|34,2|"),
        (.accessTokenExpired, "4|34,3|"), (.refreshDue, "4|34,4|"),
    ])
    func `a silent request states why it was not served from the store`(reason: RefreshReason, value: String) {
        #expect(ServerTelemetry.current(.refresh(reason)) == value)
    }

    @Test func `a sign-in states that the store was not used`() {
        #expect(ServerTelemetry.current(.browser) == "4|167,0|")
    }

    @Test func `the header is empty before the first request`() {
        #expect(ServerTelemetry().last().text == "4|0|||")
    }

    @Test func `failures are reported newest first, successes are counted`() {
        let telemetry = ServerTelemetry()
        telemetry.noteSilentSuccess()
        telemetry.noteSilentSuccess()
        telemetry.note(failure: "invalid_grant", of: .silent, correlationID: id)
        telemetry.note(failure: "MSALErrorDomain_-50005", of: .interactive, correlationID: id)

        #expect(telemetry.last().text == "4|2|167,\(id),34,\(id)|MSALErrorDomain_-50005,invalid_grant|")
    }

    @Test func `reported events are dropped, and later ones are kept`() {
        let telemetry = ServerTelemetry()
        telemetry.noteSilentSuccess()
        telemetry.note(failure: "first", of: .silent, correlationID: id)
        let reported = telemetry.last()
        telemetry.noteSilentSuccess()
        telemetry.note(failure: "second", of: .silent, correlationID: id)

        telemetry.forget(reported)

        #expect(telemetry.last().text == "4|1|34,\(id)|second|")
    }

    @Test func `a header stays below 350 bytes, and the rest is reported later`() {
        let telemetry = ServerTelemetry()
        for number in 0..<200 { telemetry.note(failure: "error_\(number)", of: .silent, correlationID: id) }

        var headers: [String] = []
        while !telemetry.last().text.hasPrefix("4|0|||"), headers.count < 100 {
            let report = telemetry.last()
            headers.append(report.text)
            telemetry.forget(report)
        }

        #expect(headers.allSatisfy { $0.utf8.count <= 350 })
        let reported = headers.flatMap { $0.split(separator: "|").last?.split(separator: ",") ?? [] }
        #expect(reported.map(String.init) == (125..<200).reversed().map { "error_\($0)" })
    }

    @Test func `an error's name cannot end the header or start another`() {
        let telemetry = ServerTelemetry()
        telemetry.note(
            failure: "bad\r\nCookie: a|b,c" + String(repeating: "x", count: 500),
            of: .silent,
            correlationID: id
        )

        let error = telemetry.last().text.split(separator: "|").last ?? ""

        #expect(error.count == 64)
        #expect(error.hasPrefix("badCookieabcx"))
    }

    @Test func `a request reports what happened since the last one with a response`() async throws {
        let bench = try BadInputBench()
        let account = try bench.application.account(forIdentifier: Contoso.homeAccountID)
        let parameters = MSALSilentTokenParameters(scopes: ["user.read"], account: account)
        for _ in 0..<2 { _ = try await bench.application.acquireTokenSilent(with: parameters) }
        bench.service.setLast(.reply(.json(.object(["error": .string("temporarily_unavailable")]), status: 400)))
        parameters.forceRefresh = true
        parameters.correlationId = id
        _ = try? await bench.application.acquireTokenSilent(with: parameters)  // Fails as expected.
        bench.setResponse()

        _ = try await bench.signIn()
        _ = try await bench.renew()

        let headers = bench.service.tokenRequests.map(\.headers)
        #expect(headers.map { $0["x-client-current-telemetry"] } == ["4|34,1|", "4|167,0|", "4|34,1|"])
        #expect(
            headers.map { $0["x-client-last-telemetry"] }
                == ["4|2|||", "4|2|34,\(id)|temporarily_unavailable|", "4|0|||"]
        )
    }
}
