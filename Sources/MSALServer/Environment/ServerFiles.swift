// Licensed under the MIT License. See LICENSE.

package import Foundation
package import UserFiles

/// The files that credentials are read from.
package protocol ServerFiles: Sendable {
    /// The content of a regular file of at most `limit` bytes.
    ///
    /// - Throws: `FileFault` with the reason. It does not hold the content.
    func contents(of path: String, limit: Int) throws(FileFault) -> Data

    /// The content of a regular file directly in `folder`, without following a link on the way to it.
    ///
    /// - Throws: `FileFault`, which is `.link` for a link.
    func contents(of name: String, in folder: String, limit: Int) throws(FileFault) -> Data

    /// A mark of the file that changes when the file is replaced; `nil` if there is no such file.
    func version(of path: String) -> FileVersion?
}

/// A file's size, time of change and number, which change when it is replaced.
package struct FileVersion: Sendable, Hashable {
    package var size: Int64
    /// Nanoseconds since 1970.
    package var changed: Int64
    package var number: UInt64
}
