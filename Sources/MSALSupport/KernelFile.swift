// Licensed under the MIT License. See LICENSE.

import Foundation

/// The kernel's own files, below `/proc` (proc(5)).
package enum KernelFile {
    /// The whole text of such a file. The result is `nil` if it is missing, for example in a container, or not readable.
    ///
    /// Such a file has no length beforehand, so `String(contentsOfFile:)` reads only one page of it.
    package static func text(at path: String) -> String? {
        guard let file = FileHandle(forReadingAtPath: path), let bytes = try? file.readToEnd() else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
