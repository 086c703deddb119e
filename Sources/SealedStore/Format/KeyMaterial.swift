// Licensed under the MIT License. See LICENSE.

import Glibc

/// 32 secret bytes that are locked against swapping and excluded from core dumps where the system permits it, and wiped
/// when the last reference is released (docs/reference/Store.md#key-memory). The value cannot be printed.
package final class KeyMaterial: Sendable, CustomStringConvertible, CustomReflectable {
    /// The length of every key.
    package static let count = 32

    // Proof for `nonisolated(unsafe)`: written only in `init` and `deinit`, when no other reference exists.
    private nonisolated(unsafe) let page: UnsafeMutableRawPointer
    private let size: Int

    /// `nil` unless there are exactly 32 bytes.
    package init?(_ bytes: some Sequence<UInt8>) {
        size = Int(sysconf(Int32(_SC_PAGESIZE)))
        let mapped = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let mapped, mapped != MAP_FAILED else { return nil }
        page = mapped
        // The system may refuse both calls (limits, containers). The key is then as well protected as the rest of the
        // process.
        mlock(page, size)
        madvise(page, size, MADV_DONTDUMP)
        var filled = 0
        for byte in bytes {
            guard filled < Self.count else { return nil }
            page.storeBytes(of: byte, toByteOffset: filled, as: UInt8.self)
            filled += 1
        }
        guard filled == Self.count else { return nil }
    }

    deinit {
        explicit_bzero(page, Self.count)
        munlock(page, size)
        munmap(page, size)
    }

    /// Passes the bytes to `body`, which must not keep them.
    package func withBytes<R, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> R
    ) throws(Failure) -> R {
        try body(UnsafeRawBufferPointer(start: page, count: Self.count))
    }

    package var description: String { "‹redacted›" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
