// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase
@testable import MSALCore

/// Device codes with a scripted service. Every wait advances the clock.
struct DeviceCodeFlowTests {
    private let bench: ClientBench

    init() {
        bench = ClientBench()
        bench.service.offerDeviceCodes()
    }

    private static func codes(_ changes: [String: JSONValue] = [:]) -> StandInService.Response {
        let members: [String: JSONValue] = [
            "device_code": .string("secret-device-code"), "user_code": .string("BCDF-GHJK"),
            "verification_uri": .string("https://login.contoso.example/device"), "expires_in": .integer(900),
            "interval": .integer(5), "message": .string("Open the page."),
        ]
        return .reply(.json(.object(members.merging(changes) { $1 }.filter { $0.value != .null })))
    }

    private static func refusal(_ error: String, status: Int = 400) -> StandInService.Response {
        .reply(.json(.object(["error": .string(error)]), status: status))
    }

    private var tokens: StandInService.Response {
        .reply(.json(.object(Contoso.tokens(idToken: Contoso.idToken(Contoso.claims(at: bench.time.now))))))
    }

    private func signIn(
        _ answers: [StandInService.Response],
        timeout: Duration? = nil,
        client: TokenClient? = nil,
        report: @escaping @Sendable (DeviceCodeEvent) -> Void = { _ in }
    ) async throws(AuthError) -> TokenResult {
        bench.service.append(answers)
        var request = DeviceCodeRequest(token: TokenRequest(scopes: ScopeSet(parsing: "user.read")), report: report)
        request.timeout = timeout
        return try await (client ?? bench.client).deviceCode.acquire(request)
    }

    private func form(_ message: HTTPMessage) -> [String: String] {
        RedirectParameters.parse(String(decoding: message.body ?? Data(), as: UTF8.self))
    }

    @Test func `the code is shown, the service is polled, and the tokens are stored`() async throws {
        let events = Mutex<[DeviceCodeEvent]>([])

        let result = try await signIn([Self.codes(), Self.refusal("authorization_pending"), tokens]) { event in
            events.withLock { $0.append(event) }
        }

        #expect(result.source == .deviceCode && result.isPersisted)
        let requests = bench.service.tokenRequests
        let (begin, poll) = (form(requests[0]), form(requests[1]))
        #expect(begin["client_id"] == Contoso.clientID && begin["scope"] == "user.read openid profile offline_access")
        #expect(poll["grant_type"] == "urn:ietf:params:oauth:grant-type:device_code")
        #expect(poll["device_code"] == "secret-device-code" && poll["client_info"] == "1")
        #expect(bench.time.sleeps == [.seconds(5), .seconds(5)], "The first poll comes after a pause.")
        guard case .code(let codes, let expiresOn)? = events.withLock(\.first) else {
            Issue.record("No code was shown.")
            return
        }
        #expect(codes.userCode == "BCDF-GHJK" && codes.verificationURI.absoluteString.hasSuffix("/device"))
        #expect(expiresOn.timeIntervalSince(bench.time.now) == 890)
        #expect(try bench.records().contains { if case .refreshToken = $0 { true } else { false } })
    }

    @Test func `slow_down makes every later pause longer`() async throws {
        _ = try await signIn([
            Self.codes(), Self.refusal("slow_down"), Self.refusal("authorization_pending"), Self.refusal("slow_down"),
            tokens,
        ])

        #expect(bench.time.sleeps == [5, 10, 10, 15].map(Duration.seconds))
    }

    @Test func `services that are slow or fail are polled again, at the pause that they name`() async throws {
        let html = HTTPResponse(status: 200, body: Data("<html>Sign in to this network</html>".utf8))

        _ = try await signIn([
            Self.codes(), .reply(HTTPResponse(status: 500)), .reply(html), .failure(.connectionLost),
            .failure(.timedOut), .reply(HTTPResponse(status: 429, headers: ["Retry-After": "60"])), tokens,
        ])

        #expect(bench.time.sleeps == [5, 5, 5, 5, 10, 60].map(Duration.seconds))
    }

    @Test func `timeouts lengthen the pause until the service can be reached again`() async throws {
        _ = try await signIn([
            Self.codes(), .failure(.timedOut), .failure(.timedOut), .failure(.connectionLost),
            Self.refusal("authorization_pending"), .failure(.timedOut), Self.refusal("slow_down"), tokens,
        ])

        #expect(bench.time.sleeps == [5, 10, 20, 20, 5, 10, 10].map(Duration.seconds))
    }

    @Test(arguments: [(JSONValue.integer(600), [600, 600]), (.number(0.001), [1, 2])])
    func `a timeout never shortens a pause, and no pause is shorter than a second`(
        interval: JSONValue,
        sleeps: [Double]
    ) async throws {
        let changes: [String: JSONValue] = ["interval": interval, "expires_in": .integer(3600)]

        _ = try await signIn([Self.codes(changes), .failure(.timedOut), tokens])

        #expect(bench.time.sleeps == sleeps.map(Duration.seconds))
    }

    @Test func `a user who approves in the last pause is signed in by a poll before the code expires`() async throws {
        _ = try await signIn([
            Self.codes(["expires_in": .integer(30)]), .failure(.timedOut), .failure(.timedOut), tokens,
        ])

        #expect(bench.time.sleeps == [5, 10, 13].map(Duration.seconds))
    }

    @Test func `a service that names the time of the next poll is not polled earlier`() async throws {
        let failure = await #expect(throws: AuthError.self) {
            try await signIn([
                Self.codes(["expires_in": .integer(30)]),
                .reply(HTTPResponse(status: 503, headers: ["Retry-After": "60"])),
            ])
        }

        #expect(failure?.oauth?.error == "expired_token")
        #expect(bench.time.sleeps == [5, 25].map(Duration.seconds))
    }

    @Test func `a page of the network ends the sign-in if it does not go away`() async {
        let html = StandInService.Response.reply(HTTPResponse(status: 200, body: Data("<html></html>".utf8)))

        let failure = await #expect(throws: AuthError.self) {
            try await signIn([Self.codes()] + Array(repeating: html, count: 5))
        }

        #expect(failure?.nsError.userInfo[MSALInternalErrorCodeKey] as? Int == -42600)
    }

    @Test(arguments: [
        ("authorization_declined", -50005, Int?.none), ("access_denied", -50005, nil),
        ("expired_token", -50000, -42104),
        ("code_expired", -50000, -42104), ("bad_verification_code", -50000, -42104), ("invalid_grant", -50000, -42004),
    ])
    func `an error response ends the sign-in with its own error`(error: String, code: Int, detail: Int?) async throws {
        let failure = await #expect(throws: AuthError.self) {
            try await signIn([Self.codes(), Self.refusal(error)])
        }

        let shown = try #require(failure?.nsError)
        #expect(shown.code == code)
        if let detail, error != "invalid_grant" { #expect(shown.userInfo[MSALInternalErrorCodeKey] as? Int == detail) }
        #expect(shown.userInfo[MSALOAuthErrorKey] as? String == error)
    }

    @Test func `a protection policy has its own error`() async {
        let members: [String: JSONValue] = [
            "error": .string("unauthorized_client"), "suberror": .string("protection_policy_required"),
            "adi": .string("megan@contoso.example"),
        ]

        let failure = await #expect(throws: AuthError.self) {
            try await signIn([Self.codes(), .reply(.json(.object(members), status: 400))])
        }

        #expect(failure?.nsError.code == MSALError.serverProtectionPoliciesRequired.rawValue)
    }

    @Test func `a code that is not used expires locally, without another poll`() async throws {
        bench.service.setLast(Self.refusal("authorization_pending"))

        let failure = await #expect(throws: AuthError.self) {
            try await signIn([Self.codes(["expires_in": .integer(12)])])
        }

        #expect(failure?.oauth?.error == "expired_token")
        #expect(bench.time.sleeps == [5, 5, 2].map(Duration.seconds))
        #expect(bench.service.tokenRequests.count == 3)
    }

    @Test func `the app's own time limit ends the sign-in as canceled`() async throws {
        bench.service.setLast(Self.refusal("authorization_pending"))

        let failure = await #expect(throws: AuthError.self) { try await signIn([Self.codes()], timeout: .seconds(7)) }

        #expect(failure?.nsError.code == MSALError.userCanceled.rawValue)
        #expect(bench.time.sleeps == [5, 2].map(Duration.seconds))
    }

    @Test func `a clock change does not end a sign-in, and a suspend of the machine does`() async throws {
        for (time, hasExpired) in [
            (JumpyTime(jump: 86_400, sleep: 0), false), (JumpyTime(jump: 0, sleep: 86_400), true),
        ] {
            let service = StandInService()
            service.offerDeviceCodes()
            service.append([Self.codes()])
            service.setLast(
                .made { _ in
                    .json(.object(Contoso.tokens(idToken: Contoso.idToken(Contoso.claims(at: time.now)))))
                }
            )
            let platform = Platform(transport: service, agent: StubAgent.givingCode, time: time)
            let client = TokenClient(
                configuration: .bench,
                platform: platform,
                store: MemoryStore(),
                session: CurrentSession()
            )

            do throws(AuthError) {
                _ = try await signIn([], client: client)
                #expect(!hasExpired)
            } catch {
                #expect(hasExpired && error.oauth?.error == "expired_token")
                #expect(service.tokenRequests.count == 1, "An expired code was polled.")
            }
        }
    }

    @Test func `canceling ends the pause, and so does the end of the session`() async throws {
        for endsSession in [false, true] {
            let time = ManualTime()
            let bench = ClientBench(time: time)
            bench.service.offerDeviceCodes()
            bench.service.append([Self.codes()])
            let task = Task { () async -> AuthError? in
                let request = DeviceCodeRequest(token: TokenRequest(scopes: ScopeSet(parsing: "user.read"))) { _ in }
                do throws(AuthError) {
                    _ = try await bench.client.deviceCode.acquire(request)
                    return nil
                } catch {
                    return error
                }
            }
            await time.untilSomebodySleeps()

            if endsSession { #expect(bench.session.cancel()) } else { task.cancel() }

            #expect(await task.value?.nsError.code == MSALError.userCanceled.rawValue)
        }
    }

    @Test(arguments: [
        ["device_code": JSONValue.null], ["user_code": .null], ["user_code": .string("AB\u{1B}[2J")],
        ["verification_uri": .string("http://login.contoso.example/device")], ["verification_uri": .null],
        ["verification_uri": .string("https://login.contoso.example/\u{7}")],
    ])
    func `codes that cannot be shown are rejected`(changes: [String: JSONValue]) async {
        let failure = await #expect(throws: AuthError.self) { try await signIn([Self.codes(changes)]) }

        #expect(failure?.nsError.userInfo[MSALInternalErrorCodeKey] as? Int == -42600)
    }

    @Test func `the address of the page has at most 16384 characters`() async throws {
        let start = "https://login.contoso.example/"
        let longest = start + String(repeating: "a", count: 16_384 - start.count)

        _ = try await signIn([Self.codes(["verification_uri": .string(longest)]), tokens])
        let failure = await #expect(throws: AuthError.self) {
            try await signIn([Self.codes(["verification_uri": .string(longest + "a")])])
        }

        #expect(failure?.nsError.userInfo[MSALInternalErrorCodeKey] as? Int == -42600)
    }

    @Test func `members that the service omits have default values`() async throws {
        let shown = Mutex<DeviceAuthorization?>(nil)
        let changes: [String: JSONValue] = [
            "interval": .integer(0), "expires_in": .null, "message": .string("Type\u{1B}[2J this"),
            "verification_uri": .null, "verification_url": .string("https://microsoft.com/devicelogin"),
        ]

        _ = try await signIn([Self.codes(changes), tokens]) { event in
            if case .code(let codes, _) = event { shown.withLock { $0 = codes } }
        }

        let codes = try #require(shown.withLock { $0 })
        #expect(codes.interval == .seconds(5) && codes.lifetime == .seconds(900))
        #expect(codes.verificationURI.absoluteString == "https://microsoft.com/devicelogin")
        #expect(codes.message.contains("BCDF-GHJK") && !codes.message.contains("\u{1B}"))
    }

    @Test func `an authority without device codes is an error`() async {
        bench.service.setDiscovery(.documents)

        let failure = await #expect(throws: AuthError.self) { try await signIn([]) }

        #expect(failure?.nsError.userInfo[MSALInternalErrorCodeKey] as? Int == -42008)
        #expect(bench.service.tokenRequests.isEmpty)
    }

    @Test func `an ID token of another app is rejected, and nothing is stored`() async throws {
        var claims = Contoso.claims(at: bench.time.now)
        claims["aud"] = .string("another-app")
        let answer = StandInService.Response.reply(.json(.object(Contoso.tokens(idToken: Contoso.idToken(claims)))))

        let failure = await #expect(throws: AuthError.self) { try await signIn([Self.codes(), answer]) }

        #expect(failure?.nsError.userInfo[MSALInternalErrorCodeKey] as? Int == -42600)
        #expect(try bench.records().isEmpty)
    }
}

/// A clock that jumps, or a machine that is suspended, during the first pause.
private final class JumpyTime: TimeSource {
    private let state = Mutex((wall: 0.0, up: 0.0, isFirst: true))
    private let jump: Double
    private let sleep: Double

    init(jump: Double, sleep: Double) {
        self.jump = jump
        self.sleep = sleep
    }

    var now: Date { Date(timeIntervalSince1970: 1_767_225_600 + state.withLock { $0.wall }) }
    var uptime: Duration { .seconds(state.withLock { $0.up }) }

    func sleep(for duration: Duration) async throws(CancellationError) {
        state.withLock { state in
            let seconds = duration.seconds + (state.isFirst ? sleep : 0)
            state = (state.wall + seconds + (state.isFirst ? jump : 0), state.up + seconds, false)
        }
    }
}
