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
    ///   - check: Refuses a response that is no success.
    /// - Returns: The last response, which describes the item.
    /// - Throws: `Failure`; what the library throws if no response came.
    func send(_ file: UploadFile, by call: GraphCall, check: (GraphAnswer) throws -> Void) async throws -> GraphAnswer {
        let begun = try await sender.send(call)
        try check(begun)
        let address = try address(in: begun)
        var start = 0
        progress(0, file.size)
        while true {
            let end = min(start + Self.rangeLength, file.size)
            var request = request("PUT", to: address)
            request.headers["Content-Range"] = "bytes \(start)-\(end - 1)/\(file.size)"
            request.body = try file.bytes(in: start..<end)
            let answer: GraphAnswer
            do {
                answer = GraphAnswer(try await sender.client.send(request))
            } catch let error as NSError where error.domain == NSURLErrorDomain {
                start = try await resumed(at: address, after: error, size: file.size)
                continue
            }
            if answer.status == 429 || answer.status >= 500 {
                let header = answer[header: "Retry-After"] ?? "1"
                guard try await sender.patience.waits(for: header) else { throw Self.refused(answer) }
                start =
                    try await next(GraphAnswer(sender.client.send(self.request("GET", to: address))), size: file.size)
                    ?? start
                continue
            }
            guard answer.isSuccess else { throw Self.refused(answer) }
            guard let following = try next(answer, size: file.size) else {
                guard end == file.size else {
                    throw Failure.file("The upload ended after \(end) of \(file.size) bytes.", remedy: Self.remedy)
                }
                progress(file.size, file.size)
                return answer
            }
            // If a server asks for the same bytes again, the command waits first. After some waits the upload fails.
            if following <= start, try await !sender.patience.waits(.seconds(1)) { throw Self.refused(answer) }
            start = following
            progress(start, file.size)
        }
    }

    /// Asks the server for the position of the next byte after a lost connection.
    private func resumed(at address: URL, after error: NSError, size: Int) async throws -> Int {
        while try await sender.patience.waits(.seconds(2)) {
            // If no response comes, the loop asks again.
            guard let response = try? await sender.client.send(request("GET", to: address)) else { continue }
            let answer = GraphAnswer(response)
            guard answer.isSuccess, let start = try next(answer, size: size) else { throw Self.refused(answer) }
            return start
        }
        throw error
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

    private func address(in answer: GraphAnswer) throws(Failure) -> URL {
        guard let text = try answer.document(remedy: Self.remedy)?["uploadUrl"]?.string,
            let url = URL(string: text),
            url.scheme?.lowercased() == "https", url.host()?.isEmpty == false, url.user() == nil
        else {
            throw .file(
                "Microsoft Graph gave no https address to upload to.",
                remedy: "Is the path an item, such as /me/drive/root:/FILE: ?"
            )
        }
        return url
    }

    /// The position of the next byte that the server expects; `nil` if it expects none.
    private func next(_ answer: GraphAnswer, size: Int) throws(Failure) -> Int? {
        guard answer.isSuccess, !answer.body.isEmpty,
            let members = try answer.document(remedy: Self.remedy),
            let first = members["nextExpectedRanges"]?.elements?.first
        else { return nil }
        let digits = (first.string ?? "").prefix { $0 != "-" }
        guard let start = Int(digits), (0..<size).contains(start) else {
            throw .file("The upload's server expects bytes that the file does not have.", remedy: Self.remedy)
        }
        return start
    }

    private static let remedy = "Send the file again."

    private static func refused(_ answer: GraphAnswer) -> Failure {
        .file("The upload's server answered \(answer.status), and the file is not there.", remedy: remedy)
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

    /// - Throws: `Failure` with the status `usage`, if it is no plain file that can be read, or an empty one.
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
            throw .usage("\(path) is no plain file.", remedy: "--input - sends what comes by standard input.")
        }
        guard size > 0 else {
            throw .usage("\(path) is empty.", remedy: "An empty file is sent with --input, to …/content.")
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
