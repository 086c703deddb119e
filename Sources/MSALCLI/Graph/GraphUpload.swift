// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import UserFiles

/// A large file that is sent in ranges (Microsoft's page "driveItem: createUploadSession").
struct GraphUpload {
    let sender: GraphSender
    /// Called with the number of bytes that have arrived, and the number of all bytes.
    var progress: @Sendable (_ done: Int, _ total: Int?) -> Void = { _, _ in }

    /// The length of a range in bytes: a multiple of 320 KiB, which files need, and below 4 MB, the limit of
    /// attachments.
    static let rangeLength = 12 * 320 * 1024

    private static let session = "/createUploadSession"

    /// The path at which a session is made for an item.
    static func path(_ path: String) -> String {
        let (item, query) = GraphAddress.split(path)
        return item.hasSuffix(session) ? path : item.trimmingSuffix("/") + session + query
    }

    /// Sends a file.
    ///
    /// - Parameters:
    ///   - file: The file to read.
    ///   - call: The request that makes the session.
    ///   - check: Throws for a response that is not a success.
    /// - Returns: The last response, which describes the item.
    /// - Throws: `Failure`; what the library throws if no response came.
    func send(
        _ file: UploadFile,
        by call: GraphRequest,
        check: (GraphHTTPResponse) throws -> Void
    ) async throws -> GraphHTTPResponse {
        let now = sender.budget.now()
        let begun = try await sender.send(call)
        try check(begun)
        // Dates of the item come from the clock of the server.
        let begin = begun.date ?? now
        let address = try address(in: begun)
        var start = 0
        progress(0, file.size)
        while true {
            let end = min(start + Self.rangeLength, file.size)
            var request = request("PUT", to: address)
            request.headers["Content-Range"] = "bytes \(start)-\(end - 1)/\(file.size)"
            request.body = try file.bytes(in: start..<end)
            let answer: GraphHTTPResponse?
            let failure: any Error
            do {
                let received = GraphHTTPResponse(try await sender.client.send(request))
                (answer, failure) = (received, Self.refused(received))
            } catch let error as NSError where error.domain == NSURLErrorDomain {
                (answer, failure) = (nil, error)
            }
            if let answer, answer.isSuccess {
                if let following = try next(answer, size: file.size) {
                    // If a server asks for the same bytes again, the command waits first. After some waits the upload
                    // fails.
                    if following <= start, try await !sender.budget.waits(.seconds(1)) { throw failure }
                    start = following
                    progress(start, file.size)
                    continue
                }
                if answer.status != 202 {
                    guard end == file.size else {
                        throw Failure.file("The upload ended after \(end) of \(file.size) bytes.", remedy: Self.remedy)
                    }
                    progress(file.size, file.size)
                    return answer
                }
                if end < file.size {
                    start = end
                    progress(start, file.size)
                    continue
                }
            } else if let answer, answer.status < 500, answer.status != 429, answer.status != 404 || end < file.size {
                throw failure
            }
            // The range may have arrived or not. Only the session knows, or after its end the item.
            let session = try await session(at: address, after: answer)
            if let session, let following = try next(session, size: file.size) {
                start = following
            } else if end == file.size {
                return try await item(of: call, size: file.size, begun: begin)
            } else if session?.isSuccess != true {
                throw session.map(Self.refused) ?? failure
            }
        }
    }

    /// The state of the session after a lost connection or a response that asks for a pause; `nil` if no response came.
    private func session(at address: URL, after answer: GraphHTTPResponse?) async throws -> GraphHTTPResponse? {
        var pause = answer?.retryAfter(at: sender.budget.now()) ?? .seconds(answer == nil ? 2 : 1)
        while try await sender.budget.waits(pause) {
            pause = .seconds(2)
            // If no response comes, the loop asks again.
            guard let response = try? await sender.client.send(request("GET", to: address)) else { continue }
            if response.status < 500, response.status != 429 { return GraphHTTPResponse(response) }
        }
        return nil
    }

    /// The item after an upload whose end is not known. Only an item with the size of the file that changed after the
    /// session began is this file.
    private func item(of call: GraphRequest, size: Int, begun: Date) async throws -> GraphHTTPResponse {
        let path = GraphAddress.split(call.url.absoluteString).path.trimmingSuffix(Self.session)
        let call = GraphRequest(url: try GraphAddress.url(path, at: sender.graph))
        // Without a response the state stays unknown.
        let answer = try? await sender.send(call)
        try Task.checkCancellation()
        guard let answer, answer.isSuccess, let item = JSONSource(answer.body), item["size"]?.line == "\(size)",
            let changed = item["lastModifiedDateTime"]?.string.flatMap(Self.date), changed > begun
        else {
            throw Failure.file(
                "All bytes were sent, but the upload's server did not confirm the file. Its state is unknown.",
                remedy: "Look at the item before you send the file again."
            )
        }
        progress(size, size)
        return answer
    }

    /// A date of Microsoft Graph, with or without fractions of a second.
    private static func date(_ text: String) -> Date? {
        [true, false].lazy.compactMap { try? Date.ISO8601FormatStyle(includingFractionalSeconds: $0).parse(text) }.first
    }

    /// A request to the upload address. It carries neither the token nor the command's headers: the address holds its
    /// own permission.
    private func request(_ method: String, to address: URL) -> MSALAPIRequest {
        var request = MSALAPIRequest(url: address)
        request.method = method
        request.includesUserAgent = false
        request.timeout = .seconds(600)
        return request
    }

    private func address(in answer: GraphHTTPResponse) throws(Failure) -> URL {
        guard let text = try answer.document(remedy: Self.remedy).flatMap({ Self.member("uploadUrl", of: $0)?.string }),
            let url = URL(string: text),
            url.scheme?.lowercased() == "https", url.host()?.isEmpty == false, url.user() == nil
        else {
            throw .file(
                "Microsoft Graph returned no https address for the upload.",
                remedy: "Check that the path is an item, such as /me/drive/root:/FILE:"
            )
        }
        return url
    }

    /// The position of the next byte that the server expects; `nil` if it expects none.
    private func next(_ answer: GraphHTTPResponse, size: Int) throws(Failure) -> Int? {
        guard answer.isSuccess, let members = JSONSource(answer.body),
            let first = Self.member("nextExpectedRanges", of: members)?.elements?.first
        else { return nil }
        let digits = (first.string ?? "").prefix { $0 != "-" }
        guard let start = Int(digits), (0..<size).contains(start) else {
            throw .file("The upload server requests bytes that the file does not have.", remedy: Self.remedy)
        }
        return start
    }

    /// A member in any letter case: SharePoint's servers write `NextExpectedRanges`.
    private static func member(_ name: String, of object: JSONSource) -> JSONSource? {
        object.members?.last { $0.name.lowercased() == name.lowercased() }?.value
    }

    private static let remedy = "Send the file again."

    private static func refused(_ answer: GraphHTTPResponse) -> Failure {
        .file("The upload server returned \(answer.status), and the upload did not finish.", remedy: remedy)
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}

/// A file that is read in ranges.
final class UploadFile: Sendable {
    let size: Int
    private let path: String
    private let descriptor: Int32

    /// - Throws: `Failure` with the status `usage`, if it is not a readable regular file, or is empty.
    init(_ path: String) throws(Failure) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            throw .usage("\(path) \(FileFault(code: errno).reason).", remedy: "Check the file that --upload names.")
        }
        var status = stat()
        let isPlain = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        size = isPlain ? Int(status.st_size) : 0
        // All properties have values, so `deinit` closes the descriptor after these errors, too.
        guard isPlain else {
            throw .usage("\(path) is not a regular file.", remedy: "To send standard input, use --input -")
        }
        guard size > 0 else {
            throw .usage("\(path) is empty.", remedy: "To send an empty file, use --input with …/content.")
        }
    }

    /// The bytes of a range.
    ///
    /// - Throws: `Failure` with the status `failed`, if the file has become shorter.
    func bytes(in range: Range<Int>) throws(Failure) -> Data {
        var (bytes, count) = ([UInt8](repeating: 0, count: range.count), 0)
        while count < range.count {
            let step = bytes.withUnsafeMutableBytes { buffer in
                pread(
                    descriptor,
                    buffer.baseAddress?.advanced(by: count),
                    range.count - count,
                    off_t(range.lowerBound + count)
                )
            }
            if step > 0 {
                count += step
            } else if step == 0 || errno != EINTR {
                throw .file("\(path) changed while it was sent.", remedy: "Send it again.")
            }
        }
        return Data(bytes)
    }

    deinit { close(descriptor) }
}
