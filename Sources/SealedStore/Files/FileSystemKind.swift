// Licensed under the MIT License. See LICENSE.

import Glibc
import MSALBase

/// Whether all processes that can reach a directory run on the same machine
/// (docs/reference/Store.md#network-file-systems).
package enum FileSystemKind: Sendable, Hashable {
    /// A local disk or memory file system: SQLite's write-ahead log works.
    case local
    /// Other machines, or an intermediate process, may write too. The name is used in messages.
    case shared(String)

    /// Determines the kind from the mount table. An unknown file system counts as local.
    ///
    /// `statfs` is not available because Swift's Glibc lacks it; the mount table also names the file system behind
    /// FUSE.
    package init(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0,
            let mounts = KernelFile.text(at: "/proc/self/mountinfo")
        else {
            self = .local
            return
        }
        // Linux packs both numbers into one, see makedev(3).
        let number = UInt64(status.st_dev)
        let major = (number >> 8) & 0xFFF | (number >> 32) & ~0xFFF
        let minor = number & 0xFF | (number >> 12) & ~0xFF & 0xFFFF_FFFF
        let device = "\(major):\(minor)"
        self = Self.type(ofDevice: device, mounts: mounts).map(Self.init(type:)) ?? .local
    }

    /// Maps a file system type as it appears in the mount table.
    init(type: String) {
        let family = type.prefix { $0 != "." }
        switch family {
        case "nfs", "nfs4", "cifs", "smb3", "smbfs", "fuse", "fuseblk", "9p", "virtiofs", "afs", "ceph", "coda",
            "lustre",
            "gfs2", "ocfs2", "vboxsf", "prl_fs", "glusterfs", "beegfs", "davfs", "ncpfs":
            self = .shared(type)
        default:
            self = .local
        }
    }

    /// The SQLite journal mode that is safe here.
    var journalMode: String {
        switch self {
        case .local: "WAL"
        case .shared: "TRUNCATE"
        }
    }

    /// The type of the mount with this `major:minor`. See proc(5): the third field of a line has the numbers, and the
    /// type is the first field after a single dash.
    static func type(ofDevice device: String, mounts: String) -> String? {
        // Compares bytes because every process that opens a store runs this, and comparing characters is ten times
        // slower.
        for line in mounts.utf8.split(separator: UInt8(ascii: "\n")) {
            let fields = line.split(separator: UInt8(ascii: " "))
            guard fields.count > 2, fields[2].elementsEqual(device.utf8),
                let dash = fields.dropFirst(6).firstIndex(where: { $0.elementsEqual("-".utf8) }),
                dash + 1 < fields.count
            else { continue }
            return String(Substring(fields[dash + 1]))
        }
        return nil
    }
}
