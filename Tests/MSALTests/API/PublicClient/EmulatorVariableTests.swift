// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase
@testable import MSALCore

/// `MSAL_EMULATOR` directs every application object of a process to the emulator.
struct EmulatorVariableTests {
    private static let variables = ["MSAL_EMULATOR": "https://localhost:8443"]

    private func bench(
        _ variables: [String: String] = Self.variables,
        hasSignedIn: Bool = false,
        _ configure: (MSALPublicClientApplicationConfig) throws -> Void = { _ in }
    ) throws -> BadInputBench {
        let bench = try BadInputBench(hasSignedIn: hasSignedIn, environment: variables, configure)
        bench.setResponse(claims: ["iss": .string("https://localhost:8443/\(Contoso.tenant)/v2.0")])
        return bench
    }

    private func hosts(_ bench: BadInputBench) -> Set<String> {
        Set(bench.service.messages.map { "\($0.url.host() ?? ""):\($0.url.port ?? 443)" })
    }

    @Test func `an application goes to the emulator, keeps its tokens in a separate store, and logs it`() async throws {
        let lines = Mutex<[String]>([])
        let listener = Log.Listener { level, line in if level == .warning { lines.withLock { $0.append(line) } } }
        let bench = try Log.$listener.withValue(listener) { try self.bench() }

        let result = try await bench.application.acquireToken(
            with: MSALInteractiveTokenParameters(scopes: ["user.read"])
        )

        #expect(
            lines.withLock { $0 } == [
                "MSAL_EMULATOR sends this application to the emulator at https://localhost:8443 instead of the service."
            ]
        )
        #expect(hosts(bench) == ["localhost:8443"])
        #expect(bench.agent.openedURLs.map { $0.host() } == ["localhost"])
        #expect(result.authority.url.host() == "localhost")
        let places = try bench.records().compactMap { record in
            if case .refreshToken(let token) = record { token.environment } else { nil }
        }
        #expect(places == ["localhost:8443"])
        let own = bench.application.configuration.authority.url.absoluteString
        #expect(own == "https://login.microsoftonline.com/common")
    }

    @Test func `the authority of a request goes to the emulator, too`() async throws {
        let bench = try bench()
        let parameters = MSALInteractiveTokenParameters(scopes: ["user.read"])
        parameters.authority = try MSALAADAuthority(
            url: #require(URL(string: "https://login.microsoftonline.us/\(Contoso.tenant)"))
        )

        let result = try await bench.application.acquireToken(with: parameters)
        let silent = MSALSilentTokenParameters(scopes: ["user.read"], account: result.account)
        silent.authority = parameters.authority
        silent.forceRefresh = true
        _ = try await bench.application.acquireTokenSilent(with: silent)

        #expect(hosts(bench) == ["localhost:8443"])
        #expect(bench.agent.openedURLs.map { $0.port } == [8443])
    }

    @Test func `a refresh token of the service is never sent to the emulator`() async throws {
        let bench = try bench(hasSignedIn: true)

        let account = try #require(try bench.application.allAccounts().first)
        let silent = MSALSilentTokenParameters(scopes: ["user.read"], account: account)
        silent.forceRefresh = true
        await #expect(throws: (any Error).self) { _ = try await bench.application.acquireTokenSilent(with: silent) }
        for message in bench.service.messages { #expect(message.body == nil) }
    }

    @Test(arguments: ["https://login.contoso.example", "http://localhost:8443", "https://localhost:8443/common"])
    func `an address outside this machine makes the initializer fail`(_ text: String) throws {
        let error = try #require(nsError { _ = try bench(["MSAL_EMULATOR": text]) })

        #expect(error.detail == -42000)
        let words = error.userInfo[MSALErrorDescriptionKey] as? String
        #expect(words?.contains("MSAL_EMULATOR is not an https address on this machine") == true)
    }

    @Test func `applications trust only the file, and a missing file is rejected`() throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/ca.pem"
        try Data("PEM".utf8).write(to: URL(filePath: path))
        let configuration = MSALPublicClientApplicationConfig(clientId: "client")
        var variables = Self.variables
        variables["MSAL_EMULATOR_CA"] = path
        variables["MSAL_STORE_KEY"] = "memory"

        let machine = try SystemMachine(for: configuration, environment: variables)
        let own = try SystemMachine(for: configuration, environment: ["MSAL_STORE_KEY": "memory"])

        #expect(machine.service !== own.service)
        variables["MSAL_EMULATOR_CA"] = folder.path + "/none"
        let error = #expect(throws: AuthError.self) {
            _ = try SystemMachine(for: configuration, environment: variables)
        }
        #expect(error?.message.contains("MSAL_EMULATOR_CA") == true)
    }

    /// Runs in a separate process because the switch applies to all applications of a process.
    @Test func `an app can ignore the variable`() async {
        await #expect(processExitsWith: .success) {
            let tests = EmulatorVariableTests()
            MSALGlobalConfig.allowsEmulator = false

            let error = try #require(nsError { _ = try tests.bench() })

            #expect(error.detail == -42000)
            let words = error.userInfo[MSALErrorDescriptionKey] as? String
            #expect(words?.contains("MSAL_EMULATOR") == true && words?.contains("allowsEmulator") == true)
            #expect(nsError { _ = try tests.bench([:]) } == nil)
        }
    }

    @Test func `no other variable redirects an application`() throws {
        let variables = [
            "MSAL_EMULATOR_CA": "/none", "MSAL_AUTHORITY": "https://localhost:8443/common",
            "AZURE_AUTHORITY_HOST": "https://localhost:8443", "ENTRA_EMULATOR_URL": "https://localhost:8443",
        ]

        let bench = try bench(variables)

        #expect(try bench.application.client().configuration.authorityRules.configured == .default)
    }

    @Test func `the identity broker of the machine is not called`() throws {
        let client = try bench().application.client()

        let authority = client.configuration.authorityRules.configured
        #expect(client.broker.refusal(for: authority)?.contains("MSAL_EMULATOR") == true)
    }

    @Test func `native authentication goes to the emulator, too`() throws {
        let configuration = try MSALNativeAuthPublicClientApplicationConfig(
            clientId: "client",
            tenantSubdomain: "fabrikam",
            challengeTypes: [.OOB]
        )

        let application = try MSALNativeAuthPublicClientApplication(
            nativeAuthConfiguration: configuration,
            platform: Platform(
                transport: ScriptedTransport(),
                agent: StubAgent.givingCode,
                time: ManualTime(),
                environment: Self.variables
            ),
            store: MemoryStore(),
            session: CurrentSession()
        )

        let authority = application.native.tokens.configuration.authorityRules.configured
        #expect(authority.url.absoluteString == "https://127.0.0.1:8443/fabrikam.onmicrosoft.com")
        #expect(authority.kind == .ciam)
    }
}
