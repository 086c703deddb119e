// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import Testing

/// The folders that an emulator takes, and their modes afterwards.
struct PrivateFolderTests {
    private let folder = Bench.stateDirectory.appendingPathComponent("folder-\(UUID().uuidString)")

    @Test func `a folder that is missing is made for this user alone, with those above it`() async throws {
        let deep = folder.appendingPathComponent("state")

        try await Bench.run({ $0.stateDirectory = deep }) { _ in }

        #expect(try mode(of: folder) == 0o700)
        #expect(try mode(of: deep) == 0o700)
    }

    @Test func `an empty folder is closed to others`() async throws {
        try make(0o755)

        try await Bench.run({ $0.stateDirectory = folder }) { _ in }

        #expect(try mode(of: folder) == 0o700)
    }

    @Test func `a folder with the emulator's own files is closed to others again`() async throws {
        let use: (inout EmulatorConfiguration) -> Void = { configuration in
            configuration.stateDirectory = folder
            configuration.dataDirectory = folder
            configuration.controlPort = 0
        }
        try await Bench.run(use) { _ in }
        _ = try TrustFiles(stateDirectory: folder)
        try Data().write(to: folder.appendingPathComponent(".ca.pem.interrupted"))
        chmod(folder.path, 0o755)

        try await Bench.run(use) { _ in }

        #expect(try mode(of: folder) == 0o700)
    }

    @Test(arguments: [0o755, 0o711, 0o1777])
    func `a folder with other files is rejected, and its mode unchanged`(mode: Int) async throws {
        try make(mode)
        try Data().write(to: folder.appendingPathComponent("holiday.jpg"))

        try await isRefused(because: "other users can access the folder \(folder.path)", keeping: mode)
    }

    @Test func `a folder shared by all users is rejected even if it is empty`() async throws {
        try make(0o1777)

        try await isRefused(because: "other users can access the folder \(folder.path)", keeping: 0o1777)
    }

    @Test(.enabled(if: geteuid() == 0, "only the administrator can give a folder away"))
    func `a folder of another user is refused`() async throws {
        try make(0o755)
        try #require(chown(folder.path, 1, 1) == 0)

        try await isRefused(because: "the folder \(folder.path) belongs to another user", keeping: 0o755)
    }

    @Test func `a folder that only this user can enter may hold anything`() async throws {
        try make(0o700)
        try Data().write(to: folder.appendingPathComponent("holiday.jpg"))

        try await Bench.run({ $0.dataDirectory = folder }) { _ in }

        #expect(try mode(of: folder) == 0o700)
    }

    @Test func `a folder that cannot be made is told with the system's reason`() async throws {
        try make(0o700)
        let file = folder.appendingPathComponent("file")
        try Data().write(to: file)
        let below = file.appendingPathComponent("state")

        let failure = await #expect(throws: Emulator.StartFailure.self) {
            try await Bench.run({ $0.stateDirectory = below }) { _ in }
        }

        #expect(
            failure?.description
                == "cannot create the folder \(below.path): Not a directory; choose another folder with --state"
        )
    }

    @Test func `a claim ends with its emulator, even if another process has a copy of the descriptor`() async throws {
        var copies: [CInt] = []
        defer { for copy in copies { close(copy) } }
        try await Bench.run({ $0.dataDirectory = folder }) { _ in
            // A child of another thread holds such copies between fork and exec.
            copies = try Self.descriptors(of: folder.appendingPathComponent("in-use")).map { dup($0) }
        }

        try await Bench.run({ $0.dataDirectory = folder }) { bench in
            let home = try await bench.get("/")
            #expect(home.status == 200)
        }
        #expect(!copies.isEmpty)
    }

    // MARK: Means

    private func make(_ mode: Int) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // As it stands, whatever the mask for new files takes away.
        try #require(chmod(folder.path, mode_t(mode)) == 0)
    }

    private func mode(of folder: URL) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    /// Both options refuse the folder, and leave its mode as it was.
    private func isRefused(because reason: String, keeping mode: Int) async throws {
        for option in [\EmulatorConfiguration.stateDirectory, \.dataDirectory] {
            let failure = await #expect(throws: Emulator.StartFailure.self) {
                try await Bench.run({ $0[keyPath: option] = folder }) { _ in }
            }
            #expect(failure?.description.hasPrefix(reason) == true)
        }
        #expect(try self.mode(of: folder) == mode)
    }

    /// The descriptors with which this process has a file open.
    private static func descriptors(of file: URL) throws -> [CInt] {
        #if os(Linux)
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(CInt.init).filter {
                number in
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
                return target == file.resolvingSymlinksInPath().path
            }
        #else
            try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").compactMap(CInt.init).filter { number in
                var path = [CChar](repeating: 0, count: Int(PATH_MAX))
                guard fcntl(number, F_GETPATH, &path) == 0 else { return false }
                return String(cString: path) == file.resolvingSymlinksInPath().path
            }
        #endif
    }
}
