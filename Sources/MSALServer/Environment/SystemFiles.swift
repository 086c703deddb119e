// Licensed under the MIT License. See LICENSE.

package import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The files of this machine.
package struct SystemFiles: ServerFiles {
    package init() {}

    package func contents(of path: String, limit: Int) throws(FileFault) -> Data {
        try Self.read(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), limit: limit)
    }

    package func contents(of name: String, in folder: String, limit: Int) throws(FileFault) -> Data {
        let place = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard place >= 0 else { throw Self.fault() }
        defer { close(place) }
        return try Self.read(openat(place, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK), limit: limit)
    }

    package func version(of path: String) -> FileVersion? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        return FileVersion(
            size: Int64(status.st_size),
            changed: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec),
            number: UInt64(status.st_ino)
        )
    }

    /// Reads an open file and closes it. A pipe is refused before anybody waits for it.
    private static func read(_ file: Int32, limit: Int) throws(FileFault) -> Data {
        guard file >= 0 else { throw fault() }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw fault() }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
        guard status.st_size <= off_t(limit) else { throw .tooLarge(limit: limit) }
        // The file may grow while it is read.
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var count = 0
        while count <= limit {
            let part = bytes.withUnsafeMutableBytes { buffer in
                bytesRead(from: file, into: buffer.baseAddress.map { $0 + count }, limit: buffer.count - count)
            }
            if part == 0 { break }
            if part < 0 {
                guard errno == EINTR else { throw fault() }
                continue
            }
            count += part
        }
        guard count <= limit else { throw .tooLarge(limit: limit) }
        return Data(bytes[..<count])
    }

    private static func fault() -> FileFault {
        switch errno {
        case ENOENT, ENOTDIR: .missing
        case EACCES, EPERM: .forbidden
        case ELOOP: .link
        case EISDIR, ENXIO: .notRegular
        default: .system(errno)
        }
    }
}

/// `read` of the C library, whose name the type's own function hides.
private func bytesRead(from file: Int32, into buffer: UnsafeMutableRawPointer?, limit: Int) -> Int {
    read(file, buffer, limit)
}
