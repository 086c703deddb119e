// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import Synchronization
import TestSupport
import Testing

// Managed identity on each kind of host.
extension ServerConformance {
    @Test(arguments: ServerConformanceFolder.shared.cases(of: .managedIdentity, ops: "source"))
    func `variables and files determine which host is called`(_ testCase: ServerCase) {
        defer { testCase.expectAllRead() }
        let files = testCase.input.texts("files")
        let environment = ServerEnvironment.double(
            variables: testCase.variables,
            files: MemoryFiles(Dictionary(files.map { ($0, Data()) }) { first, _ in first })
        )

        let source = MSALManagedIdentityApplication(environment: environment).source

        #expect(source.kind.rawValue == testCase.expected("source")?.string)
    }

    @Test(arguments: ServerConformanceFolder.shared.cases(of: .managedIdentity, ops: "request"))
    func `each host gets its own request`(_ testCase: ServerCase) async throws {
        defer { testCase.expectAllRead() }
        let machine = MachineDouble(variables: testCase.variables)
        let application = machine.application(testCase.identity, capabilities: testCase.capabilities)
        let resource = try #require(testCase["resource"]?.string)
        if let token = testCase["cachedToken"]?.string {
            machine.transport.append(.json(#"{"access_token":"\#(token)","expires_in":"3600"}"#))
            _ = try await application.acquireToken(resource: resource)
        }
        let count = machine.transport.messages.count
        machine.transport.append(.json(#"{"access_token":"at-1","expires_in":"3600"}"#))
        var options = MSALTokenOptions()
        options.claims = testCase["claims"]?.string

        do throws(MSALTokenError) {
            _ = try await application.acquireToken(resource: resource, options: options)
            #expect(testCase.expected("error") == nil)
        } catch {
            // A token of Azure Arc takes a second request, which is another op.
            if let kind = testCase.expected("error")?.string {
                #expect(error.kind.rawValue == kind)
            } else {
                #expect(application.source.kind == .azureArc)
            }
            if let part = testCase.expected("contains")?.string { #expect(error.message.contains(part)) }
        }

        if let number = testCase.expected("requests")?.double {
            #expect(Double(machine.transport.messages.count - count) == number)
        }
        // MachineDouble has only the transport that bypasses proxies.
        #expect(testCase.expected("proxy") ?? .null == .null)
        guard testCase.expected("method") != nil else { return }
        check(try #require(machine.transport.messages.dropFirst(count).first), against: testCase)
    }

    private func check(_ message: HTTPMessage, against testCase: ServerCase) {
        let components = URLComponents(url: message.url, resolvingAgainstBaseURL: false)
        let query = Dictionary((components?.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { $0 + "|" + $1 }
        var bare = components
        bare?.query = nil
        #expect(message.method == testCase.expected("method")?.string)
        #expect(bare?.string == testCase.expected("url")?.string)
        for (name, value) in testCase.output.named("query") { #expect(query[name] == value) }
        for name in testCase.output.texts("queryAbsent") { #expect(query[name] == nil) }
        for (name, value) in testCase.output.named("headers") { #expect(message.headers[name] == value) }
        if let form = testCase.expected("form")?.object { #expect(message.form == form.compactMapValues(\.string)) }
    }

    @Test(arguments: ServerConformanceFolder.shared.cases(of: .managedIdentity, ops: "response"))
    func `a host's response is read`(_ testCase: ServerCase) async throws {
        defer { testCase.expectAllRead() }
        let source = try #require(testCase["source"]?.string)
        let machine = MachineDouble(variables: try testCase.variables(of: source), now: testCase["now"]?.double)
        let body = testCase["body"].map { $0.string ?? $0.text } ?? ""
        // The last response counts after the maximum number of attempts.
        if source == "azureArc" { machine.addChallenge() }
        for _ in 0..<8 { machine.transport.append(.json(body, status: Int(testCase["status"]?.double ?? 200))) }
        let application = machine.application(testCase.identity)

        do throws(MSALTokenError) {
            let result = try await application.acquireToken(resource: "https://vault.azure.net")
            #expect(testCase.expected("error") == nil)
            #expect(result.accessToken == testCase.expected("token")?.string)
            if let end = testCase.expected("expiresOn")?.double {
                #expect(result.expiresOn.timeIntervalSince1970 == end)
            }
            if let moment = testCase.expected("refreshOn") {
                #expect(result.refreshOn?.timeIntervalSince1970 == moment.double)
            }
            if let type = testCase.expected("tokenType")?.string { #expect(result.tokenType == type) }
        } catch {
            #expect(error.kind.rawValue == testCase.expected("error")?.string)
            for name in ["contains", "correlationId"] {
                guard let part = testCase.expected(name)?.string else { continue }
                #expect(error.message.contains(part))
            }
            if let part = testCase.expected("containsNot")?.string { #expect(!"\(error)".contains(part)) }
        }
    }

    @Test(arguments: ServerConformanceFolder.shared.cases(of: .managedIdentity, ops: "retry"))
    func `a host is called again if that helps`(_ testCase: ServerCase) async throws {
        defer { testCase.expectAllRead() }
        let source = try #require(testCase["source"]?.string)
        var answers = testCase["answers"]?.array ?? []
        let isCancelled = answers.last?.object?["cancelDuringDelay"] == .bool(true)
        if isCancelled { answers.removeLast() }
        let machine = MachineDouble(
            variables: try testCase.variables(of: source),
            now: testCase["now"]?.double,
            skipsSleeps: !isCancelled
        )
        for answer in answers { machine.transport.append(try CaseAnswer(answer, body: hostsOwn).response()) }
        let application = machine.application(testCase.identity)
        let call = Task { () -> Result<MSALTokenResult, MSALTokenError> in
            do throws(MSALTokenError) {
                return .success(try await application.acquireToken(resource: "https://vault.azure.net"))
            } catch {
                return .failure(error)
            }
        }
        if isCancelled {
            await machine.time.untilSomebodySleeps()
            call.cancel()
        }

        switch await call.value {
        case .success(let result):
            #expect(result.accessToken == testCase.expected("token")?.string)
        case .failure(let error):
            #expect(error.kind.rawValue == testCase.expected("error")?.string)
        }
        #expect(Double(machine.transport.messages.count) == testCase.expected("attempts")?.double)
        // A canceled pause does not count.
        let delays = testCase.expected("delays")?.array?.compactMap(\.double).map { Duration.seconds($0) }
        #expect(Array(machine.time.sleeps.dropLast(isCancelled ? 1 : 0)) == delays)
        try machine.transport.verify()
    }

    /// The body of an error for which a case has only the status. Hosts write JSON.
    private var hostsOwn: String { #"{"error":"unspecified"}"# }

    @Test(arguments: ServerConformanceFolder.shared.cases(of: .managedIdentity, ops: "arc"))
    func `the challenge of Azure Arc is answered or rejected`(_ testCase: ServerCase) async throws {
        defer { testCase.expectAllRead() }
        let files = MemoryFiles(
            testCase.input.named("files").mapValues { Data($0.utf8) },
            links: Set(testCase["links"]?.object.map { Array($0.keys) } ?? [])
        )
        let machine = MachineDouble(
            variables: ["IDENTITY_ENDPOINT": "http://127.0.0.1:40342/x", "IMDS_ENDPOINT": "http://127.0.0.1:40342"],
            files: files
        )
        var headers: [String: String] = [:]
        let challenge = testCase["challenge"] ?? testCase["challenges"]
        headers["WWW-Authenticate"] =
            challenge?.string ?? challenge?.array?.compactMap(\.string).joined(separator: ", ")
        let status = Int(testCase["firstStatus"]?.double ?? 401)
        machine.transport.append(.json("{}", status: status, headers: headers))
        let answer = testCase["answer"]?.text ?? #"{"access_token":"at-1","expires_in":"3600"}"#
        machine.transport.append(.json(answer, status: Int(testCase["secondStatus"]?.double ?? 200)))
        let application = machine.application(testCase.identity)

        do throws(MSALTokenError) {
            let result = try await application.acquireToken(resource: "https://vault.azure.net")
            #expect(testCase.expected("error") == nil)
            if let token = testCase.expected("token")?.string { #expect(result.accessToken == token) }
        } catch {
            #expect(error.kind.rawValue == testCase.expected("error")?.string)
            if let why = testCase.expected("why")?.string {
                let fault = try #require(ArcChallenge.Fault(rawValue: why))
                #expect(error.message.contains(fault.words))
            }
        }

        let messages = machine.transport.messages
        if let value = testCase.expected("authorization")?.string {
            #expect(messages.last?.headers["Authorization"] == value)
        }
        if let file = testCase.expected("file")?.string { #expect(files.read == [file]) }
        if testCase.expected("secondRequest") == .bool(false) { #expect(messages.count == 1) }
        if let requests = testCase.expected("requests")?.double { #expect(Double(messages.count) == requests) }
    }

    @Test(arguments: ServerConformanceFolder.shared.cases(of: .managedIdentity, ops: "steps"))
    func `tokens of a machine are kept for the process`(_ testCase: ServerCase) async throws {
        defer { testCase.expectAllRead() }
        let machine = MachineDouble(variables: testCase.variables, now: 1_790_000_000)
        let start = machine.time.now
        let failures = Mutex(0)
        var applications: [String: MSALManagedIdentityApplication] = [:]
        let steps = testCase.input.objects("steps")
        let expectations = testCase.output.objects("steps")
        try #require(steps.count == expectations.count)

        for (step, expected) in zip(steps, expectations) {
            let elapsed = machine.time.now.timeIntervalSince(start)
            machine.time.advance(by: .seconds((step["at"]?.double ?? 0) - elapsed))
            let own = step["identity"]
            let name = "\(step["application"]?.string ?? "") \(own?.text ?? "")"
            let application =
                applications[name]
                ?? machine.application(own.map(MSALManagedIdentityId.init(case:)) ?? testCase.identity) { _ in
                    failures.withLock { $0 += 1 }
                }
            applications[name] = application
            let background = step["background"]?.array ?? []
            // No response is sent before all callers have started.
            let mayAnswer = AtomicFlag()
            for answer in (step["server"]?.array ?? []) + background {
                let answer = try CaseAnswer(answer, body: hostsOwn)
                for _ in 0..<attempts(after: answer, at: application) {
                    machine.transport.append(answer.response(heldUntil: mayAnswer))
                }
            }
            let resource = step["resource"]?.string ?? "https://vault.azure.net"
            var options = MSALTokenOptions()
            options.forceRefresh = step["forceRefresh"] == .bool(true)
            options.claims = step["claims"]?.string
            let (count, failed) = (machine.transport.messages.count, failures.withLock(\.self))

            let callers = (0..<(step["callers"]?.int ?? 1)).map { _ in AtomicFlag() }
            let results = try await withThrowingTaskGroup { [options] group in
                for begun in callers {
                    group.addTask {
                        begun.set()
                        return try await application.acquireToken(resource: resource, options: options)
                    }
                }
                try await until(callers.allSatisfy(\.isSet))
                mayAnswer.set()
                return try await group.reduce(into: [MSALTokenResult]()) { $0.append($1) }
            }

            #expect(Set(results.map(\.accessToken)) == [expected["token"]?.string])
            // A caller that comes last may find the token that the others have fetched.
            #expect(results.contains { $0.source.rawValue == expected["from"]?.string })
            if let way = expected["refresh"]?.string { #expect(way == "background" && !background.isEmpty) }
            for answer in background {
                // A call that starts before the last attempt has ended does not start another.
                while machine.transport.messages.count == count {
                    _ = try await application.acquireToken(resource: resource)
                    try Task.checkCancellation()
                    await Task.yield()
                }
                if answer.object?["status"] == .integer(200) {
                    let token = answer.object?["json"]?.object?["access_token"]?.string
                    while try await application.acquireToken(resource: resource).accessToken != token {
                        try Task.checkCancellation()
                        await Task.yield()
                    }
                } else {
                    try await until(failures.withLock(\.self) > failed)
                }
            }
        }
        try machine.transport.verify()
    }

    /// The number of requests to a host that always returns this response.
    private func attempts(after answer: CaseAnswer, at application: MSALManagedIdentityApplication) -> Int {
        guard case .success(let response) = answer.result,
            let host = ManagedIdentityHosts.all.first(where: { $0.kind == application.source.kind })
        else { return 1 }
        var pauses = RetryPauses(host: host)
        var attempts = 1
        while pauses.concern(status: response.status), pauses.next(afterStatus: response.status) != nil {
            attempts += 1
        }
        return attempts
    }
}

extension ServerCase {
    /// The variables of the process in this case.
    fileprivate var variables: [String: String] {
        input.named("environment").merging(input.named("proxyEnvironment")) { $1 }
    }

    /// The variables of a host of the fixtures.
    fileprivate func variables(of source: String) throws -> [String: String] {
        let names = [
            "imds": "none", "appService": "app", "serviceFabric": "sf", "machineLearning": "ml", "cloudShell": "shell",
            "azureArc": "arc",
        ]
        let fixtures = try #require(fixtures.object?["environments"]?.object)
        return try #require(fixtures[names[source] ?? source]?.object).compactMapValues(\.string)
    }

    fileprivate var capabilities: [String] { input.texts("capabilities") }

    fileprivate var identity: MSALManagedIdentityId {
        self["identity"].map(MSALManagedIdentityId.init(case:)) ?? .systemAssigned
    }
}

extension MSALManagedIdentityId {
    /// The identity that a case describes with a kind and a value.
    fileprivate init(case value: JSONValue) {
        let id = value.object?["value"]?.string ?? ""
        self =
            switch value.object?["kind"]?.string {
            case "clientId": .clientId(id)
            case "objectId": .objectId(id)
            case "resourceId": .resourceId(id)
            default: .systemAssigned
            }
    }
}
