// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import TestSupport
import Testing

// Assertions of other issuers.
extension ServerConformance {
    @Test(arguments: ServerConformanceFolder.shared.cases(of: .clientAssertion, ops: "workload-file"))
    func `a pod sends the content of its file`(_ testCase: ServerCase) async throws {
        defer { testCase.expectAllRead() }
        let workload = Workload(testCase)
        let credential = MSALWorkloadIdentityCredential(environment: workload.environment)

        do throws(MSALTokenError) {
            try await workload.ask(credential)
            #expect(testCase.expected("error") == nil && testCase.expected("unavailable") == nil)
        } catch {
            // A faulty file of a configured workload is an error for a chain, and not a reason to continue. An
            // application with the same source reports the actual fault.
            guard testCase.expected("error")?.string == "credentialUnavailable" else {
                return check(error, against: testCase)
            }
            #expect(error.kind == .authenticationFailed)
            let error = try await failure { () async throws(MSALTokenError) in
                try await workload.ask(try workload.application)
            }
            check(error, against: testCase)
            #expect(workload.transport.messages.isEmpty)
        }

        let messages = workload.transport.messages
        for (name, value) in testCase.expected("form")?.object ?? [:] {
            #expect(messages.first?.form[name] == value.string)
        }
        if let url = testCase.expected("url")?.string { #expect(messages.first?.url.absoluteString == url) }
        if let sent = testCase.expected("assertionsSent")?.array {
            #expect(messages.map { $0.form["client_assertion"] } == sent.map(\.string))
        }
    }

    @Test(arguments: ServerConformanceFolder.shared.cases(of: .clientAssertion, ops: "github-oidc"))
    func `a job of GitHub Actions gets its assertion`(_ testCase: ServerCase) async throws {
        try await replay(testCase, source: .gitHubActions(audience: testCase["audience"]?.string))
    }

    @Test(arguments: ServerConformanceFolder.shared.cases(of: .clientAssertion, ops: "pipelines-oidc"))
    func `a job of Azure Pipelines gets its assertion`(_ testCase: ServerCase) async throws {
        try await replay(
            testCase,
            source: .azurePipelines(
                serviceConnectionId: testCase["serviceConnectionId"]?.string,
                systemAccessToken: testCase["systemAccessToken"]?.string
            )
        )
    }

    /// Redeems assertions of a source whose service responds as the case specifies.
    private func replay(_ testCase: ServerCase, source: MSALFederatedSource) async throws {
        defer { testCase.expectAllRead() }
        let variables = testCase.input.named("environment")
        let transport = ScriptedTransport([])
        for answer in testCase["answers"]?.array ?? [testCase["answer"]].compactMap({ $0 }) {
            transport.append(try issuerResponse(answer))
        }
        let redemptions = Int(testCase["redemptions"]?.double ?? 1)
        for number in 1...redemptions {
            let token = #"{"access_token":"at-\#(number)","token_type":"Bearer","expires_in":3600}"#
            transport.append(.json(token, to: "/oauth2/v2.0/token"))
        }
        let application = try MSALConfidentialClientApplication(
            configuration: MSALConfidentialClientConfiguration(
                clientId: variables["AZURE_CLIENT_ID"] ?? "79cb9e86-830c-41c2-8dcc-69292f45e678",
                authority: .tenant(variables["AZURE_TENANT_ID"] ?? "db5b5fab-8f4d-4e27-9da1-494c73cf256d"),
                credential: .federated(source)
            ),
            environment: .double(variables: variables, transport: transport)
        )
        var options = MSALTokenOptions()
        options.forceRefresh = true

        do throws(MSALTokenError) {
            for _ in 0..<redemptions {
                let scopes = [testCase["scope"]?.string ?? "https://graph.microsoft.com/.default"]
                _ = try await application.acquireTokenForClient(scopes: scopes, options: options)
            }
            #expect(testCase.expected("error") == nil && testCase.expected("unavailable") == nil)
        } catch {
            check(error, against: testCase)
        }

        let sent = transport.messages.compactMap { $0.form["client_assertion"] }
        if let assertion = testCase.expected("assertion")?.string { #expect(sent == [assertion]) }
        if let assertions = testCase.expected("assertions")?.array { #expect(sent == assertions.compactMap(\.string)) }
        guard let request = testCase.output.object("request") else { return }
        let message = try #require(transport.messages.first)
        #expect(message.method == request["method"]?.string)
        #expect(message.url.absoluteString == request["url"]?.string)
        for (name, value) in request["headers"]?.object ?? [:] { #expect(message.headers[name] == value.string) }
    }

    private func check(_ error: MSALTokenError, against testCase: ServerCase) {
        if let variable = testCase.expected("unavailable")?.string {
            #expect(error.kind == .credentialUnavailable)
            #expect(error.message.contains(variable))
        } else {
            #expect(error.kind.rawValue == testCase.expected("error")?.string)
        }
        if let name = testCase.expected("names")?.string { #expect(error.message.contains(name)) }
        for part in testCase.expected("messageAbsent")?.array?.compactMap(\.string) ?? [] {
            #expect(!"\(error) \(error.userInfo) \(error.causes)".contains(part))
        }
    }

    private func issuerResponse(_ answer: JSONValue) throws -> ScriptedTransport.Response {
        let isToIssuer = { @Sendable (message: HTTPMessage) in !message.url.path().hasSuffix("/oauth2/v2.0/token") }
        let result = try CaseAnswer(answer).result
        return ScriptedTransport.Response("the issuer's", to: isToIssuer) { _ throws(TransportError) in
            try result.get()
        }
    }
}

/// A pod whose file, variables and time are in a case.
private struct Workload {
    let testCase: ServerCase
    let transport = ScriptedTransport([])
    let environment: ServerEnvironment
    private let files: MemoryFiles
    private let time = ManualTime(skipsSleeps: true)

    init(_ testCase: ServerCase) {
        self.testCase = testCase
        files = MemoryFiles(Self.files(testCase["files"]))
        environment = .double(
            variables: testCase.input.named("environment"),
            time: time,
            files: files,
            transport: transport
        )
    }

    private static func files(_ value: JSONValue?) -> [String: Data] {
        (value?.object ?? [:]).mapValues { content in
            let letters = content.object?["letters"]?.double.map { String(repeating: "a", count: Int($0)) }
            return Data((content.string ?? letters ?? "").utf8)
        }
    }

    /// An application with the source of the credential.
    var application: MSALConfidentialClientApplication {
        get throws(MSALTokenError) {
            try MSALConfidentialClientApplication(
                configuration: MSALConfidentialClientConfiguration(
                    clientId: environment.variables["AZURE_CLIENT_ID"] ?? "",
                    authority: .tenant(environment.variables["AZURE_TENANT_ID"] ?? ""),
                    credential: .federated(.kubernetes)
                ),
                environment: environment
            )
        }
    }

    /// Requests a token, and once more when the file has changed.
    func ask(_ credential: some MSALTokenCredential) async throws(MSALTokenError) {
        try await redeem(with: credential)
        guard let change = testCase.input.object("then") else { return }
        time.advance(by: .seconds(change["after"]?.double ?? 0))
        for (path, content) in Self.files(change["files"]) { files.write(content, to: path) }
        try await redeem(with: credential)
    }

    private func redeem(with credential: some MSALTokenCredential) async throws(MSALTokenError) {
        transport.append(.json(#"{"access_token":"at","token_type":"Bearer","expires_in":3600}"#))
        var request = MSALTokenRequest(scopes: [testCase["scope"]?.string ?? "https://graph.microsoft.com/.default"])
        request.options.forceRefresh = true
        _ = try await credential.token(for: request)
    }
}
