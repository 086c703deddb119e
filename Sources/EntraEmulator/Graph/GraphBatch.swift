// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import MSALBase

/// `POST /$batch` (Microsoft Graph, "Combine multiple HTTP requests using JSON batching").
struct GraphBatch: Sendable {
    let endpoints: GraphEndpoints

    static let limit = 20

    /// One request of a batch.
    private struct Part {
        let id: String
        let method: HTTPRequest.Method
        let url: String
        let headers: [String: JSONValue]
        let body: JSONValue?
        let dependencies: [String]
    }

    /// Responds to all requests, each after those that it depends on.
    func respond(to exchange: Exchange, body: Data) async throws -> GraphReply {
        var waiting = try Self.parts(body)
        var statuses: [String: Int] = [:]
        var responses: [JSONValue] = []
        while !waiting.isEmpty {
            let ready = waiting.firstIndex { $0.dependencies.allSatisfy { statuses[$0] != nil } }
            guard let ready else {
                throw GraphFault.badRequest("The requests of the batch depend on each other in a cycle.")
            }
            let part = waiting.remove(at: ready)
            let reply =
                if part.dependencies.contains(where: { statuses[$0].map { $0 >= 400 } ?? true }) {
                    GraphEndpoints.failure(
                        GraphFault(
                            status: .init(code: 424),
                            code: "FailedDependency",
                            message: "A request that this one depends on failed."
                        ),
                        exchange: exchange
                    )
                } else {
                    try await reply(to: part, in: exchange)
                }
            statuses[part.id] = reply.status.code
            responses.append(Self.json(reply, id: part.id))
        }
        return GraphReply(json: ["responses": .array(responses)])
    }

    private func reply(to part: Part, in outer: Exchange) async throws -> GraphReply {
        let halves = part.url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let version = outer.path.split(separator: "/").first.map(String.init) ?? "v1.0"
        let segments = halves[0].split(separator: "/").map { String($0).removingPercentEncoding?.lowercased() ?? "" }
        var headers = outer.headers
        headers[.consistencyLevel] = nil
        for (name, value) in part.headers {
            if let name = HTTPField.Name(name), let value = value.string { headers[name] = value }
        }
        let exchange = outer.part(
            part.method,
            path: "/\(version)/\(halves[0].drop { $0 == "/" })",
            query: halves.count == 2 ? FormValues(String(halves[1])) ?? .empty : .empty,
            headers: headers
        )
        do {
            guard segments != ["$batch"] else { throw GraphFault.badRequest("A batch cannot contain a batch.") }
            return try await endpoints.reply(to: exchange, at: segments, body: Self.bytes(part.body))
        } catch let rejection as ResourceGuard.Rejection {
            return GraphEndpoints.failure(GraphEndpoints.fault(rejection), exchange: exchange)
        } catch let fault as GraphFault {
            return GraphEndpoints.failure(fault, exchange: exchange)
        }
    }

    /// The body of a request in the batch: JSON, or bytes encoded as base64.
    private static func bytes(_ body: JSONValue?) -> Data {
        guard let body else { return Data() }
        return body.string.flatMap { Data(base64Encoded: $0) } ?? body.encoded()
    }

    private static func json(_ reply: GraphReply, id: String) -> JSONValue {
        var members: [String: JSONValue] = ["id": .string(id), "status": .int(reply.status.code)]
        if let file = reply.file {
            members["headers"] = ["Content-Type": .string(file.type)]
            members["body"] = .string(file.bytes.base64EncodedString())
        } else if let json = reply.json {
            members["headers"] = ["Content-Type": "application/json"]
            members["body"] = json
        }
        return .object(members)
    }

    private static func parts(_ body: Data) throws(GraphFault) -> [Part] {
        guard let requests = JSONValue(parsing: body)?["requests"]?.array, !requests.isEmpty else {
            throw .badRequest("The body of a batch must have the form {\"requests\": [{\"id\", \"method\", \"url\"}]}.")
        }
        guard requests.count <= limit else {
            throw .badRequest("Number of batch requests exceeds the limit of \(limit).")
        }
        var ids: Set<String> = []
        let parts = try requests.map { request throws(GraphFault) in
            guard let id = request["id"]?.string, ids.insert(id).inserted,
                let method = request["method"]?.string.flatMap({ HTTPRequest.Method($0.uppercased()) }),
                let url = request["url"]?.string, !url.contains("://")
            else {
                throw .badRequest("Each request of the batch needs a unique 'id', a 'method', and a relative 'url'.")
            }
            return Part(
                id: id,
                method: method,
                url: url,
                headers: request["headers"]?.object ?? [:],
                body: request["body"],
                dependencies: request["dependsOn"]?.array?.compactMap(\.string) ?? []
            )
        }
        for part in parts where !ids.isSuperset(of: part.dependencies) {
            throw .badRequest("'\(part.id.prefix(40))' depends on a request that is not in the batch.")
        }
        return parts
    }
}
