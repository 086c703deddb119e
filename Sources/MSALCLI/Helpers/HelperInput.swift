// Licensed under the MIT License. See LICENSE.

import Foundation

/// Reads the standard input that a program writes to its helper.
enum HelperInput {
    /// The longest input, in bytes.
    static let maximumLength = 16 << 10

    /// Reads up to the end of the input, or to an empty line.
    ///
    /// - Throws: `Failure` with the status `usage`, if the input is longer than ``maximumLength`` or is not UTF-8.
    static func text(from descriptor: Int32 = STDIN_FILENO, endsAtEmptyLine: Bool = false) throws(Failure) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += buffer.prefix(count)
            guard bytes.count <= maximumLength else {
                throw .usage("The request is longer than \(maximumLength) bytes, and was not read.")
            }
            if endsAtEmptyLine, bytes == [10] || bytes.suffix(2) == [10, 10] { break }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .usage("The request is no UTF-8 text, and was not read.")
        }
        return text
    }
}
