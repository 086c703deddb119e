// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer

/// Tokens of the application itself (client credentials), from a token endpoint on this machine.
struct ServerRows {
    let table: Table
    /// Hashing a name, in microseconds.
    let hash: Double
    let folder: String
    /// The largest number of tenants.
    let most: Int

    func run() async throws {
        let endpoint = try Endpoint(folder)
        defer { endpoint.stop() }
        table.title("Application tokens (accounts: tenants)")
        try await objects()
        try await hits()
        try await callers()
        try await crowd()
        try await waits()
        try await refreshes()
        try await memory()
    }

    /// Creating an application object, which some programs do for each request.
    private func objects() async throws {
        table.row(
            "creating an application object",
            at: nil,
            try await measured(Rounds(samples: 31, calls: 10)) { _ in _ = try Self.application() },
            target: 5000
        )
    }

    // MARK: Hits

    private func hits() async throws {
        let application = try Self.application()
        var dice = Dice()
        var one = Figure([])
        for count in [1, 1000, 10_000] where count <= most {
            let tenants = (0..<count).map(Self.tenant)
            try await Self.fetch(tenants, [Self.graph], with: application)
            // Random order, because programs rarely request tokens for one tenant in a row.
            let order = (0..<8192).map { _ in tenants[dice.roll(count)] }
            let chain = try MSALChainedCredential([.credential(application)])
            var (task, actor, chained) = ([Cost](), [Cost](), [Cost]())
            for _ in 0..<31 {
                task.append(try await Self.fromTask(application, order))
                chained.append(try await Self.fromTask(through: chain, order))
                actor.append(try await Caller().request(application, order))
            }
            let figure = Figure(task)
            if count == 1 { one = figure }
            let limit = Limit(what: "hash", value: hash)
            table.row(
                "cached token, from a task",
                at: count,
                figure,
                limit: limit,
                key: "application-token",
                target: 1
            )
            table.row("cached token, from an actor", at: count, Figure(actor), limit: limit, target: 1)
            table.row("cached token, through a chain", at: count, Figure(chained), limit: limit, target: 1 / 0.7)
            if count == 10_000 {
                let times = figure.median / one.median
                table.row("cached token, relative to one tenant", at: count, value: times, unit: .ratio, target: 2)
            }
        }
    }

    @concurrent private static func fromTask(
        _ application: MSALConfidentialClientApplication,
        _ tenants: [String]
    ) async throws -> Cost {
        var options = MSALTokenOptions()
        let scopes = [Self.graph]
        let start = Moment()
        for tenant in tenants {
            options.tenant = tenant
            _ = try await application.acquireTokenForClient(scopes: scopes, options: options)
        }
        return start.cost(calls: tenants.count)
    }

    @concurrent private static func fromTask(
        through chain: MSALChainedCredential,
        _ tenants: [String]
    ) async throws -> Cost {
        var request = MSALTokenRequest(scopes: [Self.graph])
        let start = Moment()
        for tenant in tenants {
            request.options.tenant = tenant
            _ = try await chain.token(for: request)
        }
        return start.cost(calls: tenants.count)
    }

    /// A caller that is an actor.
    private actor Caller {
        func request(_ application: MSALConfidentialClientApplication, _ tenants: [String]) async throws -> Cost {
            var options = MSALTokenOptions()
            let scopes = [ServerRows.graph]
            let start = Moment()
            for tenant in tenants {
                options.tenant = tenant
                _ = try await application.acquireTokenForClient(scopes: scopes, options: options)
            }
            return start.cost(calls: tenants.count)
        }
    }

    // MARK: On behalf of users

    /// An API that repeatedly receives the same access tokens.
    private func callers() async throws {
        let application = try Self.application()
        var dice = Dice()
        for count in [1, 10_000] where count <= most {
            let callers = try (0..<count).map(Self.caller)
            try await Self.inParallel(count) { number in
                _ = try await application.acquireTokenOnBehalfOf(callers[number], scopes: Self.permissions)
            }
            let order = (0..<8192).map { _ in callers[dice.roll(count)] }
            var costs: [Cost] = []
            for _ in 0..<31 { costs.append(try await Self.onBehalf(of: order, application)) }
            table.row(
                "cached token on behalf of a user (accounts: users)",
                at: count,
                Figure(costs),
                limit: Limit(what: "hash", value: hash),
                key: "on-behalf",
                target: count == 1 ? 2 : 4
            )
        }
    }

    private static let permissions = ["https://graph.microsoft.com/User.Read"]

    @concurrent private static func onBehalf(
        of callers: [MSALValidatedToken],
        _ application: MSALConfidentialClientApplication
    ) async throws -> Cost {
        let start = Moment()
        for caller in callers { _ = try await application.acquireTokenOnBehalfOf(caller, scopes: permissions) }
        return start.cost(calls: callers.count)
    }

    /// A token of the usual size, as an API receives it. Its signature is invalid and never checked.
    static func caller(_ number: Int) throws -> MSALValidatedToken {
        let user = tenant(number)
        let end = Int(Date().timeIntervalSince1970) + 86_400
        let claims = """
            {"ver":"2.0","aud":"\(Content.clientID)","azp":"\(Content.clientID)","oid":"\(user)","tid":"\(Content.tenant)",\
            "iss":"https://login.microsoftonline.com/\(Content.tenant)/v2.0","sub":"s\(number)","scp":"Orders.Read",\
            "exp":\(end),"iat":\(end - 90_000),"nbf":\(end - 90_000),"rh":"\(String(repeating: "h", count: 400))"}
            """
        let parts = [#"{"typ":"JWT","alg":"RS256","kid":"k"}"#, claims].map { text in
            Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
                .replacing("=", with: "")
        }
        let signature = String(repeating: "c2ln", count: 86)
        return try MSALValidatedToken(checkedElsewhere: "\(parts[0]).\(parts[1]).\(signature)")
    }

    // MARK: Requests

    /// Concurrent callers with an empty cache.
    private func crowd() async throws {
        let application = try Self.application()
        var options = MSALTokenOptions()
        options.tenant = "crowd.example"
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<1000 {
                group.addTask { [options] in
                    let scopes = [Self.graph]
                    return try await application.acquireTokenForClient(scopes: scopes, options: options).accessToken
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        // The endpoint numbers its tokens.
        let requests = tokens.compactMap { Int($0.dropFirst().prefix { $0 != "-" }) }.max() ?? 0
        table.row("token requests of 1,000 concurrent callers", at: 1, value: Double(requests), unit: .ratio, target: 1)
    }

    /// Concurrent requests for many tenants at an endpoint that takes a second for each token; a call at one that hangs.
    private func waits() async throws {
        let application = try Self.application()
        let tenants = min(1000, most)
        let start = Moment()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<tenants {
                group.addTask {
                    var options = MSALTokenOptions()
                    options.tenant = Self.tenant(number)
                    _ = try await application.acquireTokenForClient(
                        scopes: ["https://slow.example/.default"],
                        options: options
                    )
                }
            }
            try await group.waitForAll()
        }
        let all = start.cost().wall
        table.row(
            "1,000 tenants at once, one second each at the endpoint",
            at: tenants,
            value: all,
            unit: .microseconds,
            target: 20e6
        )

        let beginning = Moment()
        do {
            _ = try await application.acquireTokenForClient(scopes: ["https://hanging.example/.default"])
            table.failed("call at an endpoint that hangs", at: 1, because: "it returned a token")
        } catch {
            let time = beginning.cost().wall
            // The timer of the time limit may be slightly late.
            table.row("call at an endpoint that hangs", at: 1, value: time, unit: .microseconds, target: 30.5e6)
        }
    }

    /// Calls after the refresh time of a token, while the endpoint takes two seconds for the next one.
    private func refreshes() async throws {
        let application = try Self.application()
        let scopes = ["https://aging.example/.default"]
        let first = try await application.acquireTokenForClient(scopes: scopes).accessToken
        while let moment = try await application.acquireTokenForClient(scopes: scopes).refreshOn, moment > Date() {
            try await Task.sleep(for: .milliseconds(50))
        }
        var times: [Double] = []
        let begin = Moment()
        while begin.secondsSince < 1.5 {
            let start = Moment()
            let token = try await application.acquireTokenForClient(scopes: scopes).accessToken
            times.append(start.cost().wall)
            guard token == first else { break }
        }
        let quick = Double(times.count { $0 <= 50 }) / Double(times.count)
        table.row(
            "percentage of calls within 50 µs while a refresh takes 2 s",
            at: 1,
            value: (quick * 1e6).rounded(.down) / 1e4,
            unit: .ratio,
            limit: Limit(what: "of \(times.count) calls", value: nil),
            target: 99.9,
            isFloor: true
        )
        table.row(
            "slowest of these calls, including the one that starts the refresh",
            at: 1,
            value: times.max() ?? .nan,
            unit: .microseconds
        )
    }

    // MARK: Memory

    /// More tokens than the cache can hold.
    private func memory() async throws {
        let tenants = min(10_000, most)
        for megabytes in [16, 64] {
            let child = try await Child.figures(2, of: .serving, [String(megabytes), String(tenants)])
            let limit = Double(megabytes << 20)
            table.row(
                "growth with 10 resources per tenant, relative to the limit of \(megabytes) MiB",
                at: tenants,
                value: child[0] / limit,
                unit: .ratio,
                limit: Limit(what: "tokens \(Unit.bytes.text(child[1]))", value: nil),
                target: 1.1
            )
        }
    }

    /// Prints the bytes by which this process grows with the tokens of `tenants` tenants, and the total size of these tokens.
    /// Runs in a child of ``memory()``.
    static func growth(megabytes: Int, tenants: Int) async throws {
        // Creates connections, buffers, and threads before the measurement.
        let first = try application(maximumBytes: 0)
        try await fetch((0..<1000).map(tenant), ["https://other.example/.default"], with: first)
        let before = residentBytes()
        let second = try application(maximumBytes: megabytes << 20)
        let scopes = (0..<10).map { "https://resource-\($0).example/.default" }
        try await fetch((0..<tenants).map(tenant), scopes, with: second)
        say("\(residentBytes() - before) \(tenants * scopes.count * 1600)")
        _ = second
    }

    static let graph = "https://graph.microsoft.com/.default"

    static func application(maximumBytes: Int = 64 << 20) throws -> MSALConfidentialClientApplication {
        var configuration = MSALConfidentialClientConfiguration(
            clientId: Content.clientID,
            authority: .tenant(Content.tenant),
            credential: .secret("not-a-secret")
        )
        configuration.cache = MSALTokenCache(maximumBytes: maximumBytes)
        configuration.caFile = ProcessInfo.processInfo.environment["BENCHMARK_CA"].map { URL(filePath: $0) }
        return try MSALConfidentialClientApplication(configuration: configuration)
    }

    static func tenant(_ number: Int) -> String {
        let digits = String(number)
        return "33333333-3333-4333-8333-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    /// Gets tokens from the endpoint, eight at a time.
    static func fetch(
        _ tenants: [String],
        _ scopes: [String],
        with application: MSALConfidentialClientApplication
    ) async throws {
        try await inParallel(tenants.count) { number in
            var options = MSALTokenOptions()
            options.tenant = tenants[number]
            for scope in scopes {
                _ = try await application.acquireTokenForClient(scopes: [scope], options: options)
            }
        }
    }

    /// Calls `body` with each number below `count`, eight at a time.
    static func inParallel(_ count: Int, _ body: @escaping @Sendable (Int) async throws -> Void) async throws {
        let workers = 8
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<workers {
                group.addTask {
                    for number in stride(from: worker, to: count, by: workers) { try await body(number) }
                }
            }
            try await group.waitForAll()
        }
    }
}
