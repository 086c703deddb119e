// Licensed under the MIT License. See LICENSE.

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Functions for an open stream whose names differ between systems.
enum SystemStream {
    /// Writes as many bytes as the stream accepts now. Returns their number; if it is negative, `errno` has the reason.
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
        #if canImport(Glibc)
            Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #elseif canImport(Musl)
            Musl.write(descriptor, bytes.baseAddress, bytes.count)
        #else
            Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }

    /// The number of characters that fit in a line of a terminal; `nil` for any other stream.
    static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        #if canImport(Musl)
            let request = CInt(truncatingIfNeeded: TIOCGWINSZ)
        #else
            let request = UInt(TIOCGWINSZ)
        #endif
        guard ioctl(descriptor, request, &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
