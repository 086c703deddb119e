// Licensed under the MIT License. See LICENSE.

import Foundation
private import Synchronization

#if canImport(Glibc)
    private import Glibc
#elseif canImport(Musl)
    private import Musl
#else
    private import Darwin
#endif

/// A pipe for what a program writes.
final class CommandPipe {
    let reader: Int32
    private(set) var writer: Int32

    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        // Without this flag, another program that starts at this moment would keep the pipe open.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        (reader, writer) = (ends[0], ends[1])
    }

    func closeWriter() {
        if writer >= 0 { close(writer) }
        writer = -1
    }

    deinit {
        closeWriter()
        close(reader)
    }
}

/// Wakes the thread that reads.
final class CommandWakeup: Sendable {
    enum Reason: Sendable { case ended, cancelled }

    private let reasons = Mutex<Set<Reason>>([])
    let reader: Int32
    private let writer: Int32

    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reader, writer) = (ends[0], ends[1])
    }

    deinit {
        close(reader)
        close(writer)
    }

    var isEnded: Bool { reasons.withLock { $0.contains(.ended) } }
    var isCancelled: Bool { reasons.withLock { $0.contains(.cancelled) } }

    func ring(_ reason: Reason) {
        reasons.withLock { _ = $0.insert(reason) }
        var byte: UInt8 = 0
        // The pipe has room for the byte, because the bell rings twice at most.
        _ = write(writer, &byte, 1)
    }

    /// Takes the byte of one ring out of the pipe.
    func clear() {
        var byte: UInt8 = 0
        _ = read(reader, &byte, 1)
    }

    func waitForEnd(limit: Duration) {
        let end = ContinuousClock.now + limit
        while !isEnded, ContinuousClock.now < end {
            var files = [pollfd(fd: reader, events: Int16(POLLIN), revents: 0)]
            if poll(&files, 1, end.millisecondsLeft) > 0 { clear() }
        }
    }
}

/// Calls `read` of the C library. Inside the type, the type's own function `read` hides it.
private func readBytes(_ file: Int32, into buffer: UnsafeMutableRawPointer, limit: Int) -> Int {
    read(file, buffer, limit)
}

/// Reads both outputs of a program to its end.
final class CommandReading {
    private(set) var output = Data()
    private(set) var errors = Data()
    private let files: (output: Int32, errors: Int32)
    private let limit: Int
    private var openFiles: Set<Int32>

    init(output: Int32, errors: Int32, limit: Int) {
        files = (output, errors)
        self.limit = limit
        openFiles = [output, errors]
    }

    /// Reads until the program has ended. Processes that the program started may still run and hold the pipes.
    func read(until bell: CommandWakeup, limit duration: Duration) -> CommandError? {
        let end = ContinuousClock.now + duration
        while true {
            if bell.isCancelled { return .cancelled }
            // The state is read before the output. So this loop reads everything that the program wrote before its end.
            let isEnded = bell.isEnded
            for file in openFiles { take(from: file) }
            if output.count > limit { return .tooMuchOutput }
            if isEnded { return nil }
            guard ContinuousClock.now < end else { return .timeout }
            var polled = (openFiles + [bell.reader]).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            _ = poll(&polled, nfds_t(polled.count), end.millisecondsLeft)
            if polled.contains(where: { $0.fd == bell.reader && $0.revents != 0 }) { bell.clear() }
        }
    }

    private func take(from file: Int32) {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        // The number of reads is limited, so that the caller checks the time also if a program writes without a pause.
        for _ in 0..<16 where output.count <= limit {
            let count = readBytes(file, into: &bytes, limit: bytes.count)
            if count > 0 {
                if file == files.output {
                    output.append(contentsOf: bytes[..<count])
                } else if errors.count < Self.errorLimit {
                    errors.append(contentsOf: bytes[..<min(count, Self.errorLimit - errors.count)])
                }
                continue
            }
            if count < 0, errno == EINTR { continue }
            if count == 0 { openFiles.remove(file) }
            return
        }
    }

    private static let errorLimit = 65_536
}

extension ContinuousClock.Instant {
    /// The milliseconds until this moment, for `poll`. At least one.
    fileprivate var millisecondsLeft: Int32 {
        let left = ContinuousClock.now.duration(to: self)
        return Int32(
            clamping: max(1, left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000)
        )
    }
}
