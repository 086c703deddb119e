// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import TestSupport
import Testing

struct PrivateFileTests {
    // POSIX.1-2017, <sys/stat.h>: 0600 is S_IRUSR and S_IWUSR, and 0700 has S_IXUSR as well. `stat` reads them.
    @Test func `only this user can access files and directories, under every umask`() async {
        // Runs in a separate process: the umask applies to all tests that run at the time.
        await #expect(processExitsWith: .success) {
            for mask in [mode_t(0), 0o022, 0o077, 0o777] {
                try withTemporaryDirectory { folder in
                    let file = folder.path + "/file"
                    let below = folder.path + "/a/b"
                    let before = umask(mask)
                    defer { umask(before) }

                    let descriptor = PrivateFile.create(file, flags: O_WRONLY | O_EXCL)
                    #expect(descriptor >= 0 && close(descriptor) == 0)
                    #expect(PrivateFile.createDirectory(below))

                    let modes = try PrivateFileTests.modes([file, folder.path + "/a", below])
                    #expect(modes == "600\n700\n700\n")
                }
            }
        }
    }

    @Test func `a file that others may read is restricted when it is opened`() throws {
        try withTemporaryDirectory { folder in
            let file = folder.path + "/file"
            try Data("kept".utf8).write(to: URL(filePath: file))
            chmod(file, 0o666)

            let descriptor = PrivateFile.create(file, flags: O_RDONLY)
            defer { close(descriptor) }

            #expect(try Self.modes([file]) == "600\n")
            #expect(FileManager.default.contents(atPath: file) == Data("kept".utf8))
        }
    }

    // open(2): ELOOP for a link with O_NOFOLLOW, EEXIST for a name that is taken with O_EXCL. mkdir(2): EEXIST and ENOTDIR.
    @Test func `a link is not followed, and an existing file is distinguished`() throws {
        try withTemporaryDirectory { folder in
            let target = folder.path + "/target"
            let link = folder.path + "/link"
            #expect(symlink(target, link) == 0)

            #expect(PrivateFile.create(link, flags: O_WRONLY) < 0)
            #expect(errno == ELOOP)
            #expect(!FileManager.default.fileExists(atPath: target))
            close(PrivateFile.create(target, flags: O_WRONLY | O_EXCL))
            #expect(PrivateFile.create(target, flags: O_WRONLY | O_EXCL) < 0)
            #expect(errno == EEXIST)

            #expect(!PrivateFile.createDirectory(folder.path))
            #expect(errno == EEXIST)
            #expect(!PrivateFile.createDirectory(target + "/below"))
            #expect(errno == ENOTDIR)
        }
    }

    /// The modes of files, as coreutils read them.
    private static func modes(_ paths: [String]) throws -> String {
        try StartedProgram("/usr/bin/stat", ["--format=%a"] + paths).end().text
    }
}
