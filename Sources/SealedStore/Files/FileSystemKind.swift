// Licensed under the MIT License. See LICENSE.

import Glibc
import MSALBase

/// Whether all processes that can reach a directory share the memory of one machine
/// (docs/reference/Store.md#network-file-systems).
package enum FileSystemKind: Sendable, Hashable {
    /// A disk of this machine or its memory: SQLite's write-ahead log works.
    case local
    /// Other machines, or a process in between, may write too. The name is for messages.
    case shared(String)

    /// Asks the kernel. A file system that the kernel does not know counts as local.
    ///
    /// The table of mounts stands in for `statfs`, which Swift's Glibc lacks, and names the file system behind FUSE.
    package init(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0,
            let mounts = KernelFile.text(at: "/proc/self/mountinfo")
        else {
            self = .local
            return
        }
        // Linux keeps the two numbers in one, as makedev(3) says.
        let number = UInt64(status.st_dev)
        let major = (number >> 8) & 0xFFF | (number >> 32) & ~0xFFF
        let minor = number & 0xFF | (number >> 12) & ~0xFF & 0xFFFF_FFFF
        let device = "\(major):\(minor)"
        self = Self.type(ofDevice: device, mounts: mounts).map(Self.init(type:)) ?? .local
    }

    /// Decides by the type's name in the table of mounts.
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

    /// The journal that SQLite may keep here.
    var journalMode: String {
        switch self {
        case .local: "WAL"
        case .shared: "TRUNCATE"
        }
    }

    /// The type of the mount with this `major:minor`. proc(5): the numbers are the third field of a line, the type
    /// is the first one after a lone dash.
    static func type(ofDevice device: String, mounts: String) -> String? {
        // This compares bytes, because every process that opens a store does it and characters cost ten times as much.
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
