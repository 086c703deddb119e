// Licensed under the MIT License. See LICENSE.

import AsyncHTTPClient
import Foundation
import HTTPGuards
import MSALBase
import NIOCore
import NIOHTTP1
import NIOSSL

/// Carries requests over HTTPS with AsyncHTTPClient. Settings and environment name the proxy and the trust roots.
///
/// A request takes 300 seconds at most unless the message names another limit.
package struct AsyncHTTPClientTransport: HTTPTransport {
    private static let defaultTimeout: Duration = .seconds(300)

    private let pool: HTTPClientPool
    private let rules: ProxyRules
    private let settings: HTTPSettings

    /// Makes a transport. Files are read and connections are prepared only with the first request.
    package init(_ settings: HTTPSettings = HTTPSettings()) {
        self.settings = settings
        pool = HTTPClientPool(settings)
        rules = ProxyRules(environment: settings.environment, route: settings.route)
    }

    package func send(_ message: HTTPMessage) async throws(TransportError) -> HTTPResponse {
        let url = message.url
        try check(message.headers)
        let isResolved = url.host().map { settings.addresses[$0] != nil } ?? false
        let proxy = isResolved ? nil : try proxy(for: url)
        let clients = try routes(to: url, through: proxy).map { route throws(TransportError) in
            try pool.client(on: route)
        }
        let tls = try message.identity.map { identity throws(TransportError) in try pool.tlsConfiguration(for: identity)
        }
        let timeout = message.timeout ?? Self.defaultTimeout
        let sent = AtomicFlag()
        do {
            return try await Self.withTimeout(timeout, through: proxy, on: EventLoops.shared().any()) {
                try await clients.firstResponse { client in
                    try await Self.exchange(message, through: client, tls: tls, sent: sent)
                }
            }
        } catch {
            let failure = TransportFailure(url: url, proxy: proxy, settings: settings, isCanceled: Task.isCancelled)
            var explained = await failure.explain(error)
            explained.hasSentBody = sent.isSet
            throw explained
        }
    }

    /// Checks that no value holds a control character other than a tab (RFC 9110 §5.5). User names and names of apps become
    /// values.
    private func check(_ headers: [String: String]) throws(TransportError) {
        let isAllowed = { (byte: UInt8) in byte >= 0x20 && byte != 0x7F || byte == UInt8(ascii: "\t") }
        guard let name = headers.first(where: { !$0.value.utf8.allSatisfy(isAllowed) })?.key else { return }
        throw TransportError(
            .badURL,
            message: "The header \(name) would hold a control character, such as a line break."
        )
    }

    private func proxy(for url: URL) throws(TransportError) -> ProxyRules.Proxy? {
        switch rules.route(for: url) {
        case .direct: return nil
        case .proxy(let proxy): return proxy
        case .unusable(let reason): throw TransportError(.cannotConnect, message: reason)
        }
    }

    /// The routes that are tried in turn: a name of the loopback interface has two addresses.
    private func routes(to url: URL, through proxy: ProxyRules.Proxy?) -> [HTTPClientPool.Route] {
        guard proxy == nil, let host = url.host() else { return [.init(proxy: proxy)] }
        if let address = settings.addresses[host] { return [.init(addresses: [host: address])] }
        guard LoopbackAddress.isName(host) else { return [.init()] }
        return LoopbackAddress.all.map { .init(addresses: [host: $0]) }
    }

    private static func exchange(
        _ message: HTTPMessage,
        through client: HTTPClient,
        tls: TLSConfiguration?,
        sent: AtomicFlag
    ) async throws -> HTTPResponse {
        var request = HTTPClientRequest(url: message.url.absoluteString)
        request.method = HTTPMethod(rawValue: message.method)
        request.tlsConfiguration = tls
        if message.namesLibrary { request.headers.add(name: "User-Agent", value: "msal-swift/\(LibraryVersion.text)") }
        for (name, value) in message.headers { request.headers.replaceOrAdd(name: name, value: value) }
        if let body = message.body {
            request.body = .bytes(ObservedBody(bytes: body, sent: sent), length: .known(Int64(body.count)))
        }

        let response = try await client.execute(request, deadline: .distantFuture)
        let limit = message.maximumResponseBytes
        let head = HTTPResponse(status: Int(response.status.code), headers: headers(of: response))
        if let receiver = message.receiver {
            var count = 0
            for try await piece in response.body {
                count += piece.readableBytes
                guard count <= limit else { throw tooLarge(message) }
                try await receiver(head, Data(piece.readableBytesView))
            }
            try Task.checkCancellation()  // A canceled body ends early and looks like a short one.
            return head
        }
        let body: ByteBuffer
        do {
            body = try await response.body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw tooLarge(message)
        }
        try Task.checkCancellation()  // A canceled body also ends early here.
        return HTTPResponse(status: head.status, headers: head.headers, body: Data(body.readableBytesView))
    }

    private static func tooLarge(_ message: HTTPMessage) -> TransportError {
        let limit = message.maximumResponseBytes
        return TransportError(
            .responseTooLarge(limit: limit),
            message:
                "The response of \(message.url.host() ?? "the server") is longer than \(limit) bytes. It was not used. "
                + HTTPResponse.portalHint
        )
    }

    private static func headers(of response: HTTPClientResponse) -> [String: String] {
        var headers: [String: String] = [:]
        for (name, value) in response.headers {
            // No cookie is kept, and the headers of a failure reach the app, which may log them.
            guard name.caseInsensitiveCompare("Set-Cookie") != .orderedSame else { continue }
            let known = headers.keys.first { $0.caseInsensitiveCompare(name) == .orderedSame } ?? name
            headers[known] = headers[known].map { $0 + ", " + value } ?? value
        }
        return headers
    }

    /// Ends `work` when the time is over. The client's own deadline covers only the head of the response. This one also
    /// covers a slow body.
    ///
    /// The event loop waits for the end of the time, because a sleeping task keeps its memory until its time is over,
    /// even if it was canceled.
    private static func withTimeout(
        _ timeout: Duration,
        through proxy: ProxyRules.Proxy?,
        on loop: any EventLoop,
        work: @escaping @Sendable () async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        let end = loop.scheduleTask(in: TimeAmount(timeout)) {}
        return try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await end.futureResult.get()
                let way = proxy.map { " through the proxy \($0.host)" } ?? ""
                let message = "No full response came\(way) within \(timeout). Try again later."
                throw TransportError(.timedOut, message: message)
            }
            defer {
                end.cancel()
                group.cancelAll()
            }
            guard let response = try await group.next() else { throw CancellationError() }
            return response
        }
    }
}

/// The body of a request, which notes the first access to its bytes. The client reads them when it writes the body. By then
/// the head of the request was written to a connection.
struct ObservedBody: RandomAccessCollection, Sendable {
    let bytes: Data
    let sent: AtomicFlag

    var startIndex: Int { bytes.startIndex }
    var endIndex: Int { bytes.endIndex }

    subscript(position: Int) -> UInt8 {
        sent.set()
        return bytes[position]
    }

    func withContiguousStorageIfAvailable<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R? {
        sent.set()
        return try bytes.withContiguousStorageIfAvailable(body)
    }
}
