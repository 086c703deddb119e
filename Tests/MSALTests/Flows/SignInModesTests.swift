// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import Synchronization
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore

/// One call that tries several sign-in modes, through the public API.
struct SignInModesTests {
    private let service = StandInService()
    private let time = ManualTime(skipsSleeps: true)

    private var nothing: SignInEnvironment {
        var machine = SignInEnvironment()
        machine.isRemoteLogin = true
        return machine
    }

    private func application(
        _ agent: StubAgent,
        configure: (MSALPublicClientApplicationConfig) -> Void = { _ in }
    ) throws -> MSALPublicClientApplication {
        let configuration = MSALPublicClientApplicationConfig(clientId: Contoso.clientID)
        configure(configuration)
        return try MSALPublicClientApplication(
            configuration: configuration,
            platform: Platform(transport: service, agent: agent, time: time),
            store: MemoryStore(),
            session: CurrentSession(),
            registeredSchemes: []
        )
    }

    /// A user who signs in by pasting, and a browser that cannot be started.
    private func agent(
        on machine: SignInEnvironment? = nil,
        refusing kind: AgentError.Kind? = nil
    ) -> StubAgent {
        StubAgent(on: machine) { [service, time] visit, url throws(AgentError) in
            if let kind, visit.paste == nil || kind == .declined {
                throw AgentError(kind, message: "As the script says.")
            }
            let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
            let nonce = items.first { $0.name == "nonce" }?.value
            let idToken = Contoso.idToken(Contoso.claims(at: time.now, nonce: nonce))
            service.append([.reply(.json(.object(Contoso.tokens(idToken: idToken))))])
            return ["code": "code-1", "state": visit.expectedState]
        }
    }

    private func parameters(
        _ modes: [MSALSignInMode]? = nil,
        canPaste: Bool = true,
        showsCode: Bool = false
    ) -> MSALInteractiveTokenParameters {
        let webview = MSALWebviewParameters()
        if canPaste { webview.onPaste = { _ in .cancel } }
        let parameters = MSALInteractiveTokenParameters(scopes: ["user.read"], webviewParameters: webview)
        parameters.modes = modes
        if showsCode { parameters.onDeviceCode = { _ in } }
        return parameters
    }

    private func failure(_ body: () async throws -> Void) async -> NSError? {
        do {
            try await body()
            return nil
        } catch {
            return error as NSError
        }
    }

    private func responseMode(_ url: URL?) -> String? {
        url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: false) }?
            .queryItems?.first { $0.name == "response_mode" }?.value
    }

    @Test func `a browser on this machine gets a form, and a pasted address a query`() async throws {
        for (machine, mode) in [(nil, "form_post"), (nothing, "query")] {
            let agent = agent(on: machine)

            _ = try await application(agent).acquireToken(with: parameters())

            #expect(agent.openedURLs.map(responseMode) == [mode])
        }
    }

    @Test func `if the app does not allow a browser the address with the code is pasted`() async throws {
        let agent = agent(refusing: .noBrowser)
        let parameters = parameters()
        parameters.webviewParameters.onOpen = { _ in Issue.record("The address was shown twice.") }

        _ = try await application(agent) { $0.opensBrowser = false }.acquireToken(with: parameters)

        #expect(agent.openedURLs.map(responseMode) == ["query"])
    }

    @Test func `the app is notified that the browser is back before the code is redeemed`() async throws {
        for machine in [nil, nothing] {
            let before = service.tokenRequests.count
            let requests = Mutex<[Int]>([])
            let parameters = parameters()
            parameters.webviewParameters.onRedirect = { [service] in
                requests.withLock { $0.append(service.tokenRequests.count - before) }
            }

            _ = try await application(agent(on: machine)).acquireToken(with: parameters)

            #expect(requests.withLock(\.self) == [0])
            #expect(service.tokenRequests.count == before + 1)
        }
    }

    @Test func `if no browser starts the address is pasted`() async throws {
        let agent = agent(refusing: .noBrowser)

        let result = try await application(agent).acquireToken(with: parameters())

        #expect(agent.openedURLs.map(responseMode) == ["form_post", "query"])
        #expect(result.source.origin == .browser)
    }

    @Test func `a user who asks for the next sign-in mode gets a device code`() async throws {
        service.offerDeviceCodes()
        let idToken = Contoso.idToken(Contoso.claims(at: time.now))
        service.append([
            .reply(
                .json(
                    Contoso.deviceCode
                )
            ), .reply(.json(.object(Contoso.tokens(idToken: idToken)))),
        ])
        let parameters = parameters(showsCode: true)
        let code = Mutex<String?>(nil)
        parameters.onDeviceCode = { state in
            if let shown = state.code { code.withLock { $0 = shown.userCode } }
        }

        let result = try await application(agent(on: nothing, refusing: .declined)).acquireToken(with: parameters)

        #expect(result.source.origin == .deviceCode)
        #expect(code.withLock { $0 } == "BCDF")
    }

    @Test(arguments: [
        HTTPResponse(status: 404), HTTPResponse(status: 200, body: Data("{}".utf8)),
        .json(.object(["error": .string("unauthorized_client")]), status: 400),
    ])
    func `if the service offers no device code the address is pasted`(response: HTTPResponse) async throws {
        service.offerDeviceCodes()
        service.append([.reply(response)])
        let agent = agent(on: nothing)

        let result = try await application(agent).acquireToken(
            with: parameters([.deviceCode, .paste], showsCode: true)
        )

        #expect(result.source.origin == .browser)
    }

    @Test func `if a policy rejects the device code the address is pasted after all`() async throws {
        service.offerDeviceCodes()
        let refusal = JSONValue.object([
            "error": .string("invalid_grant"), "error_description": .string("AADSTS530003: The device is not managed."),
        ])
        service.append([.reply(.json(Contoso.deviceCode)), .reply(.json(refusal, status: 400))])
        let visits = Mutex<[SignInMode?]>([])
        let paste = agent(on: nothing)
        let agent = StubAgent(on: nothing) { visit, url throws(AgentError) in
            let isFirst = visits.withLock { visits in
                visits.append(visit.paste?.nextMode)
                return visits.count == 1
            }
            if isFirst { throw AgentError(.declined, message: "The user pressed a key.") }
            return try await paste.authorize(visit).parameters
        }
        let parameters = parameters(showsCode: true)
        let states = Mutex<[MSALDeviceCodeState]>([])
        parameters.onDeviceCode = { state in states.withLock { $0.append(state) } }

        let result = try await application(agent).acquireToken(with: parameters)

        #expect(result.source.origin == .browser)
        // The code is not offered a second time.
        #expect(visits.withLock(\.self) == [.deviceCode, nil])
        #expect(states.withLock { $0.map(\.kind) } == [.code, .refused])
        let words = states.withLock { $0.last?.error?.userInfo[MSALErrorDescriptionKey] as? String }
        #expect(words?.contains("530003") == true)
    }

    @Test(arguments: [
        ("invalid_grant", [MSALSignInMode.deviceCode]), ("authorization_declined", nil), ("expired_token", nil),
    ])
    func `a device code that the app chose, the user declined or that expired ends the sign-in`(
        _ error: String,
        modes: [MSALSignInMode]?
    ) async throws {
        service.offerDeviceCodes()
        let refusal = JSONValue.object(["error": .string(error)])
        service.append([.reply(.json(Contoso.deviceCode)), .reply(.json(refusal, status: 400))])
        let agent = agent(on: nothing, refusing: .declined)

        let failure = await failure {
            _ = try await application(agent).acquireToken(with: parameters(modes, showsCode: true))
        }

        #expect(failure != nil)
        #expect(agent.openedURLs.count == (modes == nil ? 1 : 0))
    }

    @Test func `a sign-in that the user or an attacker ended tries no other sign-in mode`() async throws {
        for kind in [AgentError.Kind.canceled, .timedOut, .startedTwice, .invalidResponse] {
            let agent = agent(refusing: kind)

            let failure = await failure { _ = try await application(agent).acquireToken(with: parameters()) }

            #expect(failure != nil && agent.openedURLs.count == 1)
        }
    }

    @Test func `without any sign-in mode the call fails at once with the reasons`() async throws {
        let agent = agent(on: nothing)

        let failure = await failure {
            _ = try await application(agent).acquireToken(with: parameters(canPaste: false))
        }

        #expect(failure?.detail == -42008)
        let text = try #require(failure?.userInfo[MSALErrorDescriptionKey] as? String)
        for reason in ["browser: nothing here opens a browser", "paste: the app has no prompt", "device-code: the app"]
        {
            #expect(text.contains(reason))
        }
        #expect(agent.openedURLs.isEmpty && service.messages.isEmpty)
    }

    @Test func `the error of the last sign-in mode names the previous ones`() async throws {
        let parameters = parameters([.browser, .deviceCode], showsCode: true)

        let failure = await failure {
            _ = try await application(agent(refusing: .noBrowser)).acquireToken(with: parameters)
        }

        #expect(failure?.detail == -42008)
        let text = try #require(failure?.userInfo[MSALErrorDescriptionKey] as? String)
        #expect(text.contains("offers no device codes") && text.contains("browser: As the script says."))
    }

    @Test func `the plan is available beforehand, and unknown sign-in modes are rejected`() async throws {
        let agent = agent(on: nothing)
        let application = try application(agent)

        let plan = try await application.signInPlan(for: parameters(showsCode: true))

        #expect(plan.modes == [.paste, .deviceCode])
        #expect(plan.steps.map(\.mode) == [.paste, .deviceCode, .broker, .browser, .appRedirect])
        #expect(plan.machine.isRemoteLogin && plan.description.contains("paste is tried first"))
        #expect(agent.openedURLs.isEmpty && service.messages.isEmpty)
        let failure = await failure {
            _ = try await application.signInPlan(for: parameters([MSALSignInMode(rawValue: "pigeon")]))
        }
        #expect(failure?.detail == -42000)
    }

    @Test func `an empty list of sign-in modes is an error with a message`() async throws {
        let failure = await failure {
            _ = try await application(agent(on: nothing)).acquireToken(with: parameters([]))
        }

        #expect(failure?.detail == -42000)
        #expect(
            (failure?.userInfo[MSALErrorDescriptionKey] as? String)?.contains("modes names no sign-in mode") == true
        )
    }

    @Test(arguments: ["http://host.contoso.example/cb", "https://host.contoso.example/cb"])
    func `any web page address can be pasted`(_ redirect: String) async throws {
        let application = try application(agent(on: nothing)) {
            $0.redirectUri = redirect
            $0.bypassRedirectURIValidation = true
        }

        #expect(try await application.signInPlan(for: parameters()).modes == [.paste])
    }

    @Test func `the reasons are logged`() async throws {
        let lines = Mutex<[String]>([])
        let application = try application(agent(on: nothing))

        try await Log.$listener.withValue(Log.Listener { _, line in lines.withLock { $0.append(line) } }) {
            _ = try await application.acquireToken(with: parameters())
        }

        #expect(lines.withLock { $0 }.contains { $0.contains("paste is tried first") && $0.contains("a remote login") })
    }
}
