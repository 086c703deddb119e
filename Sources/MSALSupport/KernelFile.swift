// Licensed under the MIT License. See LICENSE.

import Foundation

/// The kernel's own files, below `/proc` (proc(5)).
package enum KernelFile {
    /// The whole text of such a file; `nil` where it is not there, in a container say, or may not be read.
    ///
    /// It has no length beforehand: `String(contentsOfFile:)` reads one page of it and stops.
    package static func text(at path: String) -> String? {
        guard let file = FileHandle(forReadingAtPath: path), let bytes = try? file.readToEnd() else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
