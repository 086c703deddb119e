// Licensed under the MIT License. See LICENSE.

import Foundation
import Testing

/// The output of a program to a terminal or a pipe, as it arrives.
final class ProgramText: Sendable {
    private let parts: AsyncStream<String>

    /// Reads until the last holder of the other end has closed it.
    init(from handle: FileHandle) {
        let (parts, continuation) = AsyncStream.makeStream(of: String.self)
        self.parts = parts
        // It keeps this end open until then. Otherwise the number could become another file's descriptor, and this
        // thread would read that file.
        Thread.detachNewThread {
            var bytes = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(handle.fileDescriptor, &bytes, bytes.count)
                guard count > 0 else { break }
                continuation.yield(String(decoding: bytes[..<count], as: UTF8.self))
            }
            continuation.finish()
        }
    }

    /// Waits for a text; see ``TestTerminal/until(_:seen:)``.
    @discardableResult
    func until(_ text: String, seen: inout String) async throws -> String {
        var iterator = parts.makeAsyncIterator()
        while !seen.contains(text), let part = await iterator.next() { seen += part }
        let end = try #require(seen.range(of: text), "\(seen)").upperBound
        defer { seen.removeSubrange(..<end) }
        return String(seen[..<end])
    }
}
