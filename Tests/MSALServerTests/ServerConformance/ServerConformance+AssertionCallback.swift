// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import Synchronization
import TestSupport
import Testing

// Client authentication: assertions of a callback.
extension ServerConformance {
    @Test(arguments: ServerConformanceFolder.shared.cases(of: .clientAssertion, ops: "callback"))
    func `a callback is called with the right context, and its result checked`(_ testCase: ServerCase) async throws {
        defer { testCase.expectAllRead() }
        let story = try CallbackStory(testCase)

        let error = try await story.act()

        #expect(error?.kind.rawValue == testCase.expected("error")?.string)
        if let text = testCase.expected("underlying")?.string {
            #expect((error?.causes.first as? CallbackStory.Fault)?.text == text)
        }
        if let count = testCase.expected("requests")?.double { #expect(Double(story.messages.count) == count) }
        if let calls = testCase.expected("callbackCalls") {
            #expect(calls == story.calls || calls == .integer(Int64(story.contexts.count)))
        }
        if let sent = testCase.expected("assertionsSent")?.array {
            #expect(story.messages.map { $0.form["client_assertion"] } == sent.map(\.string))
        }
        if let told = testCase.output.object("context") {
            let context = try #require(story.contexts.first)
            #expect(told["clientID"] == .string(context.clientId))
            #expect(told["tokenEndpoint"] == .string(context.tokenEndpoint.absoluteString))
            #expect(told["tenantID"]?.string == context.tenant)
            #expect(told["authority"] == .string(context.authority.absoluteString))
            #expect(told["clientCapabilities"] == .array(context.capabilities.map(JSONValue.string)))
            #expect(told["claims"]?.string == context.claims)
            #expect(told["fmiPath"]?.string == context.fmiPath)
            #expect(told["correlationID"]?.string?.lowercased() == context.correlationID.uuidString.lowercased())
        }
    }
}

/// An application whose callback behaves as a case specifies, and the calls of the case.
private struct CallbackStory {
    struct Fault: Error {
        let text: String
    }

    private final class Record: Sendable {
        let contexts = Mutex<[MSALAssertionContext]>([])
        /// The number of calls of the callback within each call.
        let calls = Mutex<[JSONValue]>([])
        let hasBegun = OneShot<Bool>()
    }

    private let testCase: ServerCase
    private let record = Record()
    private let time = ManualTime()
    private let transport: ScriptedTransport
    private let application: MSALConfidentialClientApplication

    var contexts: [MSALAssertionContext] { record.contexts.withLock(\.self) }
    var calls: JSONValue { .array(record.calls.withLock(\.self)) }
    var messages: [HTTPMessage] { transport.messages }

    init(_ testCase: ServerCase) throws {
        self.testCase = testCase
        let texts = testCase["callbackReturns"].map { $0.array?.compactMap(\.string) ?? [$0.string ?? ""] }
        let fault = testCase["callbackThrows"]?.string
        let hangs = testCase["cancelDuringCallback"] == .bool(true)
        let credential = MSALClientCredential.assertion { [record] context in
            let number = record.contexts.withLock { contexts in
                contexts.append(context)
                return contexts.count
            }
            record.hasBegun.settle(true)
            if let fault { throw Fault(text: fault) }
            if hangs { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
            return MSALClientAssertion(texts.map { $0[min(number, $0.count) - 1] } ?? "jwt-\(number)")
        }
        var configuration = MSALConfidentialClientConfiguration(
            clientId: testCase["clientId"]?.string ?? "79cb9e86-830c-41c2-8dcc-69292f45e678",
            authority: .tenant(testCase["tenant"]?.string ?? "db5b5fab-8f4d-4e27-9da1-494c73cf256d"),
            credential: credential
        )
        configuration.capabilities = testCase.input.texts("capabilities")
        let ofCalls = testCase.input.objects("calls").compactMap { $0["server"] }
        let answers =
            testCase["server"]?.array ?? (ofCalls.isEmpty ? [.object(["expires_in": .integer(3600)])] : ofCalls)
        transport = ScriptedTransport(answers.map(Self.response))
        application = try MSALConfidentialClientApplication(
            configuration: configuration,
            environment: .double(time: time, transport: transport)
        )
    }

    private static func response(_ answer: JSONValue) -> ScriptedTransport.Response {
        var members = answer.object ?? [:]
        guard members["error"] == nil else { return .json(JSONValue.object(members).text, status: 401) }
        members["access_token"] = members["access_token"] ?? .string("at")
        members["token_type"] = .string("Bearer")
        members["expires_in"] = members["expires_in"] ?? .integer(3600)
        return .json(JSONValue.object(members).text)
    }

    /// Makes the calls of the case, or one. The result is the error of the last.
    func act() async throws -> MSALTokenError? {
        if testCase["cancelDuringCallback"] == .bool(true) {
            let caller = Task { await call("https://graph.microsoft.com/.default") }
            _ = await record.hasBegun.value(ifCancelled: false)
            caller.cancel()
            return await caller.value
        }
        var error: MSALTokenError?
        var clock = 0.0
        let steps = testCase.input.objects("calls")
        for step in steps.isEmpty ? [CaseMembers([:])] : steps {
            let moment = step["at"]?.double ?? clock
            time.advance(by: .seconds(moment - clock))
            clock = moment
            let before = contexts.count
            error = await call(step["scope"]?.string ?? "https://graph.microsoft.com/.default")
            let count = contexts.count - before
            record.calls.withLock { $0.append(.integer(Int64(count))) }
        }
        return error
    }

    private func call(_ scope: String) async -> MSALTokenError? {
        var options = MSALTokenOptions()
        options.claims = testCase["claims"]?.string
        options.fmiPath = testCase["fmiPath"]?.string
        options.correlationID = testCase["correlationId"]?.string.flatMap(UUID.init(uuidString:))
        do throws(MSALTokenError) {
            _ = try await application.acquireTokenForClient(scopes: [scope], options: options)
            return nil
        } catch {
            return error
        }
    }
}
