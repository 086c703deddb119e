// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// Writes the body of a response to a file while it arrives.
struct GraphDownload {
    let sender: GraphSender
    /// Receives the number of bytes that have arrived, and the number of all bytes, if that is known.
    var progress: @Sendable (_ done: Int, _ total: Int?) -> Void = { _, _ in }

    static let maximumHops = 3

    /// Writes the body of a success to a file.
    ///
    /// Microsoft Graph redirects a download to another address, whose query holds its own permission. Such a redirect
    /// is followed over https only. The request to the new address carries neither the token nor any of the command's
    /// headers.
    ///
    /// - Returns: The response, whose body is in the file. That of a failure is in the response.
    /// - Throws: `Failure`; what the library throws if no response came.
    func save(_ call: GraphRequest, to file: GraphFile) async throws -> GraphHTTPResponse {
        let receive: GraphReceiver = { [progress] head, piece in
            let done = try file.write(piece)
            progress(done, head[header: "Content-Length"].flatMap { Int($0) })
        }
        var answer = try await sender.send(call, receiving: receive)
        var (url, hops) = (call.url, 0)
        while call.method == "GET", let next = try target(of: answer, from: url) {
            hops += 1
            guard hops <= Self.maximumHops else {
                throw Failure.file("The download was redirected more than \(Self.maximumHops) times.")
            }
            url = next
            var request = MSALAPIRequest(url: url)
            request.includesUserAgent = false
            answer = try await sender.client.answer(to: request, receiving: receive)
        }
        return answer
    }

    /// The target of a redirect; `nil` for any other response.
    private func target(of answer: GraphHTTPResponse, from url: URL) throws(Failure) -> URL? {
        guard [301, 302, 303, 307, 308].contains(answer.status), let location = answer[header: "Location"] else {
            return nil
        }
        guard let next = URL(string: location, relativeTo: url)?.absoluteURL, next.scheme?.lowercased() == "https",
            next.host()?.isEmpty == false, next.user() == nil
        else {
            throw .file("The download was redirected to an address that is not https.")
        }
        return next
    }
}
