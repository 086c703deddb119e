// Licensed under the MIT License. See LICENSE.

import HTTPTypes
import Hummingbird
import NIOCore

/// A part of a page. Values in it are escaped, so that no name and no error message can add elements to it.
struct HTML: ExpressibleByStringInterpolation {
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: String) { text += literal }

        mutating func appendInterpolation(_ value: String) {
            for character in value.unicodeScalars {
                switch character {
                case "&": text += "&amp;"
                case "<": text += "&lt;"
                case ">": text += "&gt;"
                case "\"": text += "&quot;"
                case "'": text += "&#39;"
                default: text.unicodeScalars.append(character)
                }
            }
        }

        mutating func appendInterpolation(_ piece: HTML) { text += piece.text }
    }

    let text: String

    init(stringLiteral literal: String) { text = literal }
    init(stringInterpolation interpolation: StringInterpolation) { text = interpolation.text }
}

extension HTML {
    /// A response with this page, which browsers must not store.
    func response(_ status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
