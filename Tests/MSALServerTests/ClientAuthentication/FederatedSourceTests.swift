// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import TestSupport
import Testing

struct FederatedSourceTests {
    private let path = "/var/run/secrets/token"
    private let graph = "https://graph.microsoft.com/.default"
    private let good = ScriptedTransport.Response.json(
        #"{"access_token":"a1","token_type":"Bearer","expires_in":3600}"#,
        to: "/oauth2/v2.0/token"
    )

    private func application(
        _ source: MSALFederatedSource,
        host: String = "login.microsoftonline.com",
        variables: [String: String] = [:],
        files: MemoryFiles = MemoryFiles(),
        transport: ScriptedTransport,
        metadataTransport: ScriptedTransport = ScriptedTransport([])
    ) throws -> MSALConfidentialClientApplication {
        try MSALConfidentialClientApplication(
            configuration: MSALConfidentialClientConfiguration(
                clientId: "79cb9e86-830c-41c2-8dcc-69292f45e678",
                authority: .tenant("db5b5fab-8f4d-4e27-9da1-494c73cf256d", host: host),
                credential: .federated(source)
            ),
            environment: .double(
                variables: variables,
                files: files,
                transport: transport,
                metadataTransport: metadataTransport
            )
        )
    }

    private func failure(_ application: MSALConfidentialClientApplication) async throws -> MSALTokenError {
        try await MSALServerTests.failure { () async throws(MSALTokenError) in
            try await application.acquireTokenForClient(scopes: [graph])
        }
    }

    // MARK: Kubernetes

    @Test func `a file that is being replaced fails once, and is read when it is complete`() async throws {
        let files = MemoryFiles([path: Data("jwt-1\n".utf8)])
        let transport = ScriptedTransport(good, good)
        let application = try application(.kubernetes(tokenFile: path), files: files, transport: transport)
        var options = MSALTokenOptions()
        options.forceRefresh = true
        _ = try await application.acquireTokenForClient(scopes: [graph])

        files.write(Data(), to: path)
        let error = try await MSALServerTests.failure { () async throws(MSALTokenError) in
            try await application.acquireTokenForClient(scopes: [graph], options: options)
        }
        files.write(Data("jwt-2".utf8), to: path)
        _ = try await application.acquireTokenForClient(scopes: [graph], options: options)

        #expect(error.kind == .credentialUnavailable)
        #expect(error.message.contains("\(path), is empty"))
        #expect(transport.messages.compactMap { $0.form["client_assertion"] } == ["jwt-1", "jwt-2"])
    }

    @Test(arguments: [
        ("a b", "holds no token"), (" ", "holds no token"), ("\n", "is empty"),
        ("a\r\nX-Evil: 1", "has a character at position 2 that is not printable ASCII"),
        ("\u{0}", "has a character at position 1"), ("\u{FEFF}eyJ.e30.c2ln", "has a character at position 1"),
        ("a\n\n", "has a character at position 2"), ("schlüssel", "has a character at position 5"),
    ])
    func `a file without a token is rejected, and its content is not shown`(
        _ content: String,
        _ reason: String
    ) async throws {
        let files = MemoryFiles([path: Data(content.utf8)])
        let transport = ScriptedTransport([])

        let error = try await failure(application(.kubernetes(tokenFile: path), files: files, transport: transport))

        #expect(error.kind == .credentialUnavailable)
        #expect(error.message.contains("\(path), \(reason)"))
        #expect(transport.messages.isEmpty)
    }

    @Test func `a folder instead of the file is rejected`() async throws {
        let folder = try TemporaryDirectory()
        var environment = ServerEnvironment.double(variables: ["AZURE_FEDERATED_TOKEN_FILE": folder.path])
        environment.files = SystemFiles()
        let application = try MSALConfidentialClientApplication(
            configuration: MSALConfidentialClientConfiguration(
                clientId: "79cb9e86-830c-41c2-8dcc-69292f45e678",
                authority: .tenant("db5b5fab-8f4d-4e27-9da1-494c73cf256d"),
                credential: .federated(.kubernetes)
            ),
            environment: environment
        )

        let error = try await failure(application)

        #expect(error.kind == .credentialUnavailable)
        #expect(error.message.contains("is not a regular file"))
    }

    @Test func `without the variable, the message explains how a pod gets it`() async throws {
        let error = try await failure(application(.kubernetes, transport: ScriptedTransport([])))

        #expect(error.kind == .credentialUnavailable)
        #expect(error.message.contains("AZURE_FEDERATED_TOKEN_FILE"))
        #expect(error.message.contains("azure.workload.identity/use"))
    }

    // MARK: Jobs

    @Test func `a job without the permission gets its name`() async throws {
        let error = try await failure(application(.gitHubActions, transport: ScriptedTransport([])))

        #expect(error.kind == .credentialUnavailable)
        #expect(error.message.contains("permissions: id-token: write"))
    }

    private let github = [
        "ACTIONS_ID_TOKEN_REQUEST_URL": "https://pipelines.example/idtoken",
        "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "gh-req-1",
    ]

    @Test func `a request token is sent without its line end, and an invalid character is rejected with its position`()
        async throws
    {
        var variables = github
        let name = "ACTIONS_ID_TOKEN_REQUEST_TOKEN"
        let transport = ScriptedTransport(.json(#"{"value":"j1"}"#, to: "idtoken"), good)
        variables[name] = "gh-req-1\r\n"
        let application = try application(.gitHubActions, variables: variables, transport: transport)
        _ = try await application.acquireTokenForClient(scopes: [graph])
        variables[name] = "gh\u{200B}-req-1"
        let unused = ScriptedTransport([])

        let error = try await failure(self.application(.gitHubActions, variables: variables, transport: unused))

        #expect(transport.messages.first?.headers["Authorization"] == "Bearer gh-req-1")
        #expect(error.kind == .configuration)
        #expect(error.message.hasPrefix("The value of \(name) has a character at position 3"))
        #expect(unused.messages.isEmpty)
    }

    @Test(arguments: [
        "https://127.0.0.1:65536/idtoken", "https://[::1]:0/idtoken", "https://a.example:99999999999999999999/",
    ])
    func `an address with an invalid port is named, and nothing is sent`(_ address: String) async throws {
        let transport = ScriptedTransport([])
        var variables = github
        variables["ACTIONS_ID_TOKEN_REQUEST_URL"] = address

        let error = try await failure(application(.gitHubActions, variables: variables, transport: transport))

        #expect(error.kind == .configuration)
        #expect(error.message.contains("ACTIONS_ID_TOKEN_REQUEST_URL"))
        #expect(transport.messages.isEmpty)
    }

    @Test(arguments: [
        ("login.microsoftonline.us", "api%3A%2F%2FAzureADTokenExchangeUSGov"),
        ("login.chinacloudapi.cn", "api%3A%2F%2FAzureADTokenExchangeChina"),
        ("login.microsoftonline.com", "api%3A%2F%2FAzureADTokenExchange"),
    ])
    func `the audience depends on the cloud`(host: String, audience: String) async throws {
        let transport = ScriptedTransport(.json(#"{"value":"j"}"#, to: "idtoken"), good)
        let application = try application(.gitHubActions, host: host, variables: github, transport: transport)

        _ = try await application.acquireTokenForClient(scopes: [graph])

        #expect(transport.messages.first?.url.query() == "audience=\(audience)")
    }

    @Test func `three attempts are made, a second apart`() async throws {
        let transport = ScriptedTransport([])
        for _ in 0..<3 { transport.append(.failure(.connectionLost)) }
        let time = ManualTime(skipsSleeps: true)
        let application = try MSALConfidentialClientApplication(
            configuration: MSALConfidentialClientConfiguration(
                clientId: "79cb9e86-830c-41c2-8dcc-69292f45e678",
                authority: .tenant("db5b5fab-8f4d-4e27-9da1-494c73cf256d"),
                credential: .federated(.gitHubActions)
            ),
            environment: .double(variables: github, time: time, transport: transport)
        )

        let error = try await failure(application)

        #expect(error.kind == .credentialUnavailable)
        #expect(error.isRetryable)
        #expect(time.sleeps == [.seconds(1), .seconds(1)])
        #expect(transport.messages.count == 3)
        #expect(transport.messages.allSatisfy { $0.timeout == .seconds(10) && $0.repetition == .never })
    }

    @Test(arguments: [302, 401, 403, 404])
    func `an error response is final, and its body is not shown`(status: Int) async throws {
        let transport = ScriptedTransport(.json(#"{"message":"gh-req-1 and more"}"#, status: status))

        let error = try await failure(application(.gitHubActions, variables: github, transport: transport))

        #expect(error.kind == .credentialUnavailable)
        #expect(error.message.contains("HTTP status \(status)"))
        #expect(!error.message.contains("and more"))
        #expect(transport.messages.count == 1)
    }

    @Test func `a page instead of the token is reported as a possible sign-in portal`() async throws {
        let transport = ScriptedTransport(.json("<html>Sign in to the network</html>"))

        let error = try await failure(application(.gitHubActions, variables: github, transport: transport))

        #expect(error.kind == .credentialUnavailable)
        #expect(error.message.contains("not a JSON object. A proxy or a sign-in portal of the network"))
        #expect(!error.message.contains("html"))
    }

    @Test func `a pipeline without its access token gets instructions for the step`() async throws {
        let variables = ["SYSTEM_OIDCREQUESTURI": "https://dev.azure.com/x"]

        let error = try await failure(
            application(
                .azurePipelines(serviceConnectionId: "conn-1"),
                variables: variables,
                transport: ScriptedTransport([])
            )
        )

        #expect(error.kind == .credentialUnavailable)
        #expect(error.message.contains("SYSTEM_ACCESSTOKEN: $(System.AccessToken)"))
    }

    // MARK: Managed identity

    @Test func `the token of a managed identity is the assertion, from the process's memory`() async throws {
        let metadata = ScriptedTransport(.json(#"{"access_token":"mi-1","expires_in":"3600"}"#))
        let transport = ScriptedTransport(good, good)
        let application = try application(
            .managedIdentity(clientId: "5e29463d-71da-4fe0-8e69-999b57db23b0"),
            host: "login.microsoftonline.us",
            transport: transport,
            metadataTransport: metadata
        )
        var options = MSALTokenOptions()
        options.forceRefresh = true

        _ = try await application.acquireTokenForClient(scopes: [graph])
        _ = try await application.acquireTokenForClient(scopes: [graph], options: options)

        #expect(transport.messages.compactMap { $0.form["client_assertion"] } == ["mi-1", "mi-1"])
        let query = try #require(metadata.messages.first?.url.query())
        #expect(query.contains("resource=api%3A%2F%2FAzureADTokenExchangeUSGov"))
        #expect(query.contains("client_id=5e29463d-71da-4fe0-8e69-999b57db23b0"))
        #expect(metadata.messages.count == 1)
    }

    // MARK: Errors of the service

    @Test func `an assertion outside its validity is replaced once`() async throws {
        let refusal = ScriptedTransport.Response.json(
            #"{"error":"invalid_client","error_description":"AADSTS700024: …","error_codes":[700024]}"#,
            status: 401,
            to: "/oauth2/v2.0/token"
        )
        let transport = ScriptedTransport(
            .json(#"{"value":"j1"}"#, to: "idtoken"),
            refusal,
            .json(#"{"value":"j2"}"#, to: "idtoken"),
            refusal
        )

        let error = try await failure(application(.gitHubActions, variables: github, transport: transport))

        #expect(error.kind == .invalidClient)
        #expect(transport.messages.compactMap { $0.form["client_assertion"] } == ["j1", "j2"])
        try transport.verify()
    }

    @Test func `a mismatch shows issuer, subject and audience in visible text`() async throws {
        let claims = #"{"iss":"https://issuer.example","sub":"repo:a/b\u001b[31m\u202e","aud":["x","y"]}"#
        let assertion = "e30.\(Base64URL.encode(Data(claims.utf8))).c2ln"
        let transport = ScriptedTransport(
            .json(#"{"value":"\#(assertion)"}"#, to: "idtoken"),
            .json(
                #"{"error":"invalid_client","error_description":"AADSTS700213: no match.","error_codes":[700213]}"#,
                status: 401
            )
        )

        let error = try await failure(application(.gitHubActions, variables: github, transport: transport))

        #expect(error.kind == .federationMismatch)
        #expect(error.serviceCodes == [700_213])
        #expect(error.oauthError == "invalid_client")
        let expected = "the issuer 'https://issuer.example', the subject 'repo:a/b [31m' and the audience 'x y'"
        #expect(error.message.contains(expected))
        #expect(!error.message.contains(assertion))
    }

    @Test func `the claims of an assertion are read from any bytes without a trap`() {
        var fuzz = Fuzz(
            corpus: [
                Array(#"{"iss":"https://issuer.example","sub":"s","aud":"a"}"#.utf8),
                Array(#"{"iss":1,"aud":["a",null,{}]}"#.utf8),
            ],
            words: ["\"sub\":", "eyJhbGciOiJub25lIn0", "\\u202e", "\\ud800"]
        )
        fuzz.run { bytes in
            let text = "e30.\(Base64URL.encode(bytes)).c2ln"
            guard let names = AssertionNames(assertion: Secret(text)) else { return }
            #expect(names.description.count < 1000)
            #expect(!names.description.hasControlCharacters)
        }
        fuzz.run { bytes in
            _ = AssertionNames(assertion: Secret(String(decoding: bytes, as: UTF8.self)))
        }
    }
}
