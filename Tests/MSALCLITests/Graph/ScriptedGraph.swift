// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import MSALCore
import Synchronization
import TestSupport
import Testing

@testable import MSALCLI

/// A Microsoft Graph with the responses of a test, and the requests that the command sent.
struct ScriptedGraph {
    let transport: ScriptedTransport
    let sender: GraphSender
    private let pauses = Pauses()

    /// The total wait in seconds. No test really waits.
    var waited: [Int] { pauses.all.withLock(\.self) }

    private final class Pauses: Sendable {
        let all = Mutex<[Int]>([])
    }

    init(_ responses: ScriptedTransport.Response..., repeatsChanges: Bool = false) throws {
        try self.init(responses, repeatsChanges: repeatsChanges)
    }

    init(_ responses: [ScriptedTransport.Response], repeatsChanges: Bool = false) throws {
        transport = ScriptedTransport(responses)
        let pauses = pauses
        sender = GraphSender(
            graph: try #require(URL(string: "https://graph.example/")),
            client: MSALAPIClient(transport: transport),
            authorization: PrivateText("Bearer T"),
            correlationID: "id",
            budget: RetryBudget(
                now: { Date(timeIntervalSince1970: 784_111_777) },
                sleep: { pause in pauses.all.withLock { $0.append(Int(pause.components.seconds)) } }
            ),
            repeatsChanges: repeatsChanges
        )
    }

    func call(_ path: String, method: String = "GET") throws -> GraphRequest {
        GraphRequest(method: method, url: try GraphAddress.url(path, at: sender.graph))
    }

    /// The hosts that were called, in order, and whether each received the token.
    var asked: [String] {
        transport.messages.map { message in
            let headers = message.headers.keys.sorted().joined(separator: ",")
            return "\(message.method) \(message.url.host() ?? "") [\(headers)]"
        }
    }
}

/// The failure that the command creates for an error response.
func checkedSuccess(_ answer: GraphHTTPResponse) throws {
    guard answer.isSuccess else { throw Failure.file("status \(answer.status)") }
}
