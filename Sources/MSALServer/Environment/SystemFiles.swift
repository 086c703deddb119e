// Licensed under the MIT License. See LICENSE.

package import Foundation
package import UserFiles

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
        Data(try UserFile(path, limit: limit).bytes())
    }

    package func contents(of name: String, in folder: String, limit: Int) throws(FileFault) -> Data {
        let place = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard place >= 0 else { throw FileFault(code: errno) }
        defer { close(place) }
        var file = UserFile(name, limit: limit)
        file.followsLinks = false
        return Data(try file.bytes(in: place))
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
}
