// Licensed under the MIT License. See LICENSE.

import Foundation

extension String {
    /// This text without white space and line ends around it.
    ///
    /// Nearly all texts need no change, and both ends show that. Foundation is asked only if they do not, because its first
    /// call costs a process a third of a millisecond.
    package var trimmed: String {
        guard let first = utf8.first, let last = utf8.last else { return self }
        let isTrimmed = (0x21..<0x7F).contains(first) && (0x21..<0x7F).contains(last)
        return isTrimmed ? self : trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
