// Licensed under the MIT License. See LICENSE.

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The parts of TCP sockets that systems spell differently.
enum LoopbackSocket {
    /// A socket that programs do not inherit and that raises no signal. It is negative if `errno` has a reason.
    static func open() -> Int32 {
        #if canImport(Glibc)
            return socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #elseif canImport(Musl)
            return socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
            guard descriptor >= 0 else { return descriptor }
            var yes: Int32 = 1
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
            return descriptor
        #endif
    }

    /// Sends as many bytes as possible. The result is their number; it is negative if they cannot be sent.
    static func send(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
        #if canImport(Glibc)
            return Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #elseif canImport(Musl)
            return Musl.send(descriptor, bytes.baseAddress, bytes.count, MSG_NOSIGNAL)
        #else
            return Darwin.send(descriptor, bytes.baseAddress, bytes.count, 0)
        #endif
    }

    /// Closes a socket. Call it once.
    static func close(_ descriptor: Int32) {
        #if canImport(Glibc)
            _ = Glibc.close(descriptor)
        #elseif canImport(Musl)
            _ = Musl.close(descriptor)
        #else
            _ = Darwin.close(descriptor)
        #endif
    }
}
