// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
private import Synchronization

/// Asks credentials in their order until one gives a token, and from then on that one alone
/// (docs/reference/Services.md#chain).
final class CredentialChain: Sendable {
    private final class Winner: Sendable {
        let name: String
        let credential: any MSALTokenCredential

        init(_ link: ChainLink) {
            name = link.name
            credential = link.credential
        }
    }

    /// The result of a search, and its request.
    private struct SearchResult: Sendable {
        let winner: Winner
        let result: MSALTokenResult
        let question: ChainRequest
    }

    private struct Failure: Error {
        let error: MSALTokenError
        /// `nil` if the caller was canceled.
        let question: ChainRequest?
    }

    /// The key of a search. There is one search at a time, so there is one key.
    private enum Search: Hashable, Sendable { case first }

    private let links: [ChainLink]
    private let environment: ServerEnvironment
    private let winner = AtomicLazyReference<Winner>()
    private let searches = SingleFlight<Search, SearchResult, Failure>(
        cancellation: Failure(error: .cancellation, question: nil)
    )

    init(_ members: [MSALChainMember], options: MSALCredentialOptions, environment: ServerEnvironment) {
        let environment = environment.applying(options)
        links = members.map { $0.link(in: environment, options: options) }
        self.environment = environment
    }

    /// The names of the credentials, in order.
    var names: [String] { links.map(\.name) }

    /// The name of the credential that serves. It is `nil` as long as none has given a token.
    var winnerName: String? { winner.load()?.name }

    /// The number of callers that wait for the first search.
    var callers: Int { searches.callers }

    nonisolated(nonsending) func token(for request: MSALTokenRequest) async throws(MSALTokenError) -> MSALTokenResult {
        if let winner = winner.load() { return try await ask(winner, for: request) }
        return try await environment.measured { () throws(MSALTokenError) in
            try await environment.limited(to: request.options.timeout) { [self] () throws(MSALTokenError) in
                try await search(for: request)
            }
        }
    }

    nonisolated(nonsending) private func ask(
        _ winner: Winner,
        for request: MSALTokenRequest
    ) async throws(MSALTokenError) -> MSALTokenResult {
        do throws(MSALTokenError) {
            return try await winner.credential.token(for: request)
        } catch {
            throw error.named(winner.name)
        }
    }

    private func search(for request: MSALTokenRequest) async throws(MSALTokenError) -> MSALTokenResult {
        let question = ChainRequest(request)
        while true {
            let find: SearchResult
            do throws(Failure) {
                find = try await searches.run(.first) { [self] in
                    await environment.logged(as: request.options.correlationID) { await found(request, for: question) }
                }
            } catch {
                // If no credential is set up, that is true for every caller. But a refusal of another caller's request
                // says nothing about this request.
                let isOwn = error.question.map { $0 == question } ?? true
                guard !isOwn, error.error.kind != .noCredential else { throw error.error }
                continue
            }
            // Equal calls share the first result. Others ask for their own.
            return find.question == question ? find.result : try await ask(find.winner, for: request)
        }
    }

    private func found(_ request: MSALTokenRequest, for question: ChainRequest) async -> Result<SearchResult, Failure> {
        // Another search may have ended while this caller waited for its turn.
        if let winner = winner.load() {
            do throws(MSALTokenError) {
                return .success(
                    SearchResult(winner: winner, result: try await ask(winner, for: request), question: question)
                )
            } catch {
                return .failure(Failure(error: error, question: question))
            }
        }
        var reasons: [(name: String, error: MSALTokenError)] = []
        for link in links {
            guard !Task.isCancelled else { return .failure(Failure(error: .cancellation, question: nil)) }
            do throws(MSALTokenError) {
                let result = try await link.searched.token(for: request)
                let winner = winner.storeIfNil(Winner(link))
                Log.info("Tokens come from \(link.name), the first credential of the chain that returned one.")
                return .success(SearchResult(winner: winner, result: result, question: question))
            } catch {
                guard link.isSkipped(after: error) else {
                    return .failure(Failure(error: error.named(link.name), question: question))
                }
                Log.verbose("\(link.name) returned no token: \(error.message)")
                reasons.append((link.name, error))
            }
        }
        return .failure(Failure(error: Self.noMember(reasons), question: question))
    }

    private static func noMember(_ reasons: [(name: String, error: MSALTokenError)]) -> MSALTokenError {
        let facts = MSALTokenError.Facts(
            message: "No credential of the chain returned a token. Set up one of them:",
            lines: reasons.map { "\($0.name): \($0.error.message)" },
            isRetryable: reasons.contains { $0.error.isRetryable },
            causes: reasons.map(\.error)
        )
        return MSALTokenError(.noCredential, facts: facts)
    }
}

/// The key of a call: calls with equal keys share the result of one search.
private struct ChainRequest: Hashable, Sendable {
    private let scopes: [String]
    private let tenant: String?
    private let texts: [String?]
    private let flags: [Bool?]
    private let extraBodyParameters: [String: String]
    /// Unique if the call must get a new token, so that it shares no result that may be older than the call.
    private let own: UUID?

    init(_ request: MSALTokenRequest) {
        let options = request.options
        scopes = request.scopes
        tenant = options.tenant
        texts = [options.clientClaims, options.fmiPath]
        flags = [options.sendsCertificateChain, options.isBoundToCertificate]
        extraBodyParameters = options.extraBodyParameters
        own = options.cacheBypassReason == nil ? nil : UUID()
    }
}
