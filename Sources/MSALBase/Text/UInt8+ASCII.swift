// Licensed under the MIT License. See LICENSE.

extension UInt8 {
    /// Whether the byte is an ASCII letter or digit.
    @inlinable package var isASCIILetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// Whether the byte may occur in an HTTP `token`, such as the name of a header (RFC 9110 §5.6.2).
    package var isOfHTTPToken: Bool { isASCIILetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(self) }
}
