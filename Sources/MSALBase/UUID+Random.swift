// Licensed under the MIT License. See LICENSE.

package import Foundation
private import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension UUID {
    /// A random UUID, for IDs that are not secret.
    ///
    /// Every call of the library uses one. `UUID()` opens the system's random device each time, and a system call for
    /// each would take as long as the rest of a cache hit in memory, so several are fetched at once.
    package static func random() -> UUID {
        let bytes = reserves.withOwn { reserve in reserve.withLockIfAvailable { reserve in reserve.next() } ?? nil }
        guard let bytes = bytes ?? entropy() else { return UUID() }
        return UUID(random: bytes)
    }

    /// The version 4 UUID of random bytes. Version and variant replace six of the bits (RFC 9562 §5.4).
    package init(random bytes: uuid_t) {
        var bytes = bytes
        bytes.6 = bytes.6 & 0x0F | 0x40
        bytes.8 = bytes.8 & 0x3F | 0x80
        self.init(uuid: bytes)
    }

    /// Random bytes from the kernel for one UUID; `nil` if it returns none.
    private static func entropy() -> uuid_t? {
        var bytes = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)).uuid
        let code = withUnsafeMutableBytes(of: &bytes) { fill($0) }
        return code == 0 ? bytes : nil
    }
}

/// Fills at most 256 bytes with random ones from the kernel. Returns 0 unless the kernel fails.
private func fill(_ bytes: UnsafeMutableRawBufferPointer) -> CInt {
    #if canImport(Darwin)
        arc4random_buf(bytes.baseAddress, bytes.count)
        return 0
    #else
        return getentropy(bytes.baseAddress, bytes.count)
    #endif
}

/// Random bytes that were fetched but not used yet.
private struct RandomBuffer {
    /// The number of bytes to fetch at once, the maximum of `getentropy`.
    private static let size = 256

    private var bytes: [UInt8] = []
    private var used = size
    private var fork = 0

    /// The bytes of one UUID, each of which is returned only once; `nil` if the kernel returns none.
    mutating func next() -> uuid_t? {
        // A child of `fork` has a copy of the parent's reserve, which it must not use.
        let fork = forks.load(ordering: .relaxed)
        if used == Self.size || fork != self.fork {
            if bytes.isEmpty { bytes = Array(repeating: 0, count: Self.size) }
            guard bytes.withUnsafeMutableBytes({ fill($0) }) == 0 else { return nil }
            self.fork = fork
            used = 0
        }
        defer { used += MemoryLayout<uuid_t>.size }
        return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: used, as: uuid_t.self) }
    }
}

/// Each is locked for a few nanoseconds, and no other lock is acquired meanwhile. If another thread holds it, the
/// kernel is called instead: that thread does not exist in a child of `fork`, where the lock may stay locked
/// indefinitely.
private let reserves: Striped<Mutex<RandomBuffer>> = {
    pthread_atfork(nil, nil, { _ = forks.add(1, ordering: .relaxed) })
    return Striped { Mutex(RandomBuffer()) }
}()

/// The number of times that this process became the child of a `fork`.
private let forks = Atomic(0)
