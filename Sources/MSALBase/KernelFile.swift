// Licensed under the MIT License. See LICENSE.

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The kernel's own files, below `/proc` (proc(5)).
package enum KernelFile {
    /// The complete text of such a file; `nil` if it is missing, for example in a container, or not readable.
    ///
    /// The length of such a file is not known in advance, so `String(contentsOfFile:)` reads only one page of it.
    /// Foundation's file handles are slower than the kernel, and every process that opens a store reads such a file.
    package static func text(at path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
            var bytes: [UInt8] = []
            while true {
                let count = read(file, buffer.baseAddress, buffer.count)
                switch count {
                case 0: return String(decoding: bytes, as: UTF8.self)
                case 1...: bytes.append(contentsOf: buffer[..<count])
                default: guard errno == EINTR else { return nil }
                }
            }
        }
    }
}
