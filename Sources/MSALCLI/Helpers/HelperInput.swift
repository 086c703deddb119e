// Licensed under the MIT License. See LICENSE.

import Foundation

/// Reads the standard input that a program writes to its helper.
enum HelperInput {
    /// The number of bytes of an input that are kept.
    static let maximumLength = 16 << 10

    /// Reads up to the end of the input, however long it is, or to an empty line: the program writes all of its request.
    ///
    /// - Returns: The first ``maximumLength`` bytes, and whether they are the whole input.
    static func read(
        from descriptor: Int32 = STDIN_FILENO,
        endsAtEmptyLine: Bool = false
    ) -> (bytes: [UInt8], isWhole: Bool) {
        var (bytes, end, isWhole): ([UInt8], ArraySlice<UInt8>, Bool) = ([], [], true)
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = buffer.withUnsafeMutableBytes { Foundation.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            let rest = buffer.prefix(count)
            let isFirst = bytes.isEmpty
            isWhole = isWhole && bytes.count + count <= maximumLength
            bytes += rest.prefix(maximumLength - bytes.count)
            end = (end + rest).suffix(2)
            if endsAtEmptyLine, end == [10, 10] || isFirst && rest == [10] { break }
        }
        return (bytes, isWhole)
    }
}
