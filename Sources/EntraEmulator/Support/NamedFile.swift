// Licensed under the MIT License. See LICENSE.

package import Foundation
import UserFiles

/// A file that somebody names, in an argument or in a directory file.
///
/// Anything may stand behind such a name: a pipe that nobody writes into, a device without an end. So it is read here,
/// within bounds.
package enum NamedFile {
    /// A file that cannot be used.
    package enum Failure: Error {
        case tooLarge
        /// The reason in words, to follow a colon.
        case unreadable(String)

        /// The system's words for the last failed call.
        static var last: Failure { .unreadable(PrivateFolder.lastError) }
    }

    /// How long a pipe may take for all that it holds, such as the one of a shell's `<(…)`.
    static let pipePatience = Duration.seconds(10)

    /// The whole content of a regular file, or of a pipe if `pipePatience` is given.
    package static func read(_ path: String, limit: Int, pipePatience: Duration? = nil) throws(Failure) -> Data {
        // A pipe without a writer must not stop the process.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw Failure.last }
        defer { close(descriptor) }
        guard let file = OpenFile(descriptor: descriptor) else { throw Failure.last }
        guard file.isRegular || file.isPipe && pipePatience != nil else { throw .unreadable("it is no file") }
        guard file.size <= limit else { throw .tooLarge }
        let end = file.isPipe ? pipePatience.map { ContinuousClock.now + $0 } : nil
        return try read(descriptor, limit: limit, until: end)
    }

    private static func read(
        _ descriptor: CInt,
        limit: Int,
        until end: ContinuousClock.Instant?
    ) throws(Failure) -> Data {
        var data = Data()
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let end { try wait(for: descriptor, until: end) }
            let count = Foundation.read(descriptor, &part, part.count)
            if count == 0 { return data }
            if count > 0 { data += part[..<count] }
            guard data.count <= limit else { throw .tooLarge }
            guard count > 0 || errno == EINTR || errno == EAGAIN && end != nil else {
                throw Failure.last
            }
        }
    }

    /// Waits until a pipe has bytes or has ended.
    private static func wait(for descriptor: CInt, until end: ContinuousClock.Instant) throws(Failure) {
        while true {
            let left = max(.zero, ContinuousClock.now.duration(to: end))
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&request, 1, CInt((left / .milliseconds(1)).rounded(.up))) > 0 { return }
            guard left > .zero else { throw .unreadable("it is a pipe that gave nothing more and did not end") }
        }
    }
}
