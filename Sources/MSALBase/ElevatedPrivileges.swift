// Licensed under the MIT License. See LICENSE.

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Elevated privileges that the kernel gave this process and that its caller may lack.
package enum ElevatedPrivileges {
    /// Whether this process has such privileges: it runs a set-user-ID program, or one whose file has capabilities
    /// (getauxval(3), `AT_SECURE`). The environment of such a process must not be trusted.
    package static let areHeld: Bool = {
        #if canImport(Darwin)
            return issetugid() != 0
        #else
            // The function is looked up by name because Swift's modules for the C libraries do not include it.
            if let value = dlsym(nil, "getauxval") {
                typealias Read = @convention(c) (UInt) -> UInt
                return unsafeBitCast(value, to: Read.self)(secure) != 0
            }
            return auxiliaryVector.map { $0[secure] ?? 0 != 0 } ?? true
        #endif
    }()

    #if !canImport(Darwin)
        /// The number of `AT_SECURE` (elf.h).
        private static let secure: UInt = 23

        /// The auxiliary vector of this process; `nil` if it cannot be read, as in a process with elevated privileges.
        ///
        /// A statically linked program cannot look up functions by name.
        private static var auxiliaryVector: [UInt: UInt]? {
            let file = open("/proc/self/auxv", O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return nil }
            defer { close(file) }
            return withUnsafeTemporaryAllocation(of: UInt.self, capacity: 256) { words in
                let count = read(file, words.baseAddress, words.count * MemoryLayout<UInt>.stride)
                guard count > 0 else { return nil }
                let pairs = stride(from: 0, to: count / MemoryLayout<UInt>.stride - 1, by: 2)
                return Dictionary(pairs.map { (words[$0], words[$0 + 1]) }) { first, _ in first }
            }
        }
    #endif
}
