// Licensed under the MIT License. See LICENSE.

public import struct Foundation.URL

/// The reason why a run could not be finished. Addresses are described without their query, which may carry codes.
public enum ScriptedAgentError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The pages still wanted something after this many requests; look for a loop.
    case tooManySteps(Int)
    /// A page was larger than this many bytes.
    case pageTooLarge(limit: Int, URL)
    /// The run took longer than this.
    case timedOut(Duration)
    /// Plain http outside this machine; the run refuses to send anything there.
    case insecureAddress(URL)
    /// The address is neither http nor https, has no host, names a user, has a port that does not exist, or is too long.
    case unsupportedAddress(String)
    /// No response came; the text is the transport's reason.
    case noResponse(URL, reason: String)
    /// The page asked again for what the script had already typed into the field; the text is the page's.
    case refused(field: String, pageText: String)
    /// The page wants a code that the script cannot find; the text is the page's.
    case unknownCode(pageText: String)
    /// A button that the script wants to press is not on the page.
    case missingButton(String, URL)
    /// The certificate authority's file cannot be used; the text is the reason.
    case unusableCertificateAuthority(path: String, reason: String)

    /// One line for a person.
    public var description: String {
        switch self {
        case .tooManySteps(let limit):
            "the pages did not come to an end within \(limit) requests"
        case .pageTooLarge(let limit, let url):
            "the page at \(url.withoutQuery) is larger than \(limit) bytes"
        case .timedOut(let limit):
            "the pages did not come to an end within \(limit.components.seconds) seconds"
        case .insecureAddress(let url):
            "\(url.withoutQuery) is not https and not on this machine"
        case .unsupportedAddress(let text):
            "not an address a browser can open: \(text)"
        case .noResponse(let url, let reason):
            "no response from \(url.withoutQuery): \(reason)"
        case .refused(let field, let pageText):
            "what was typed into the field \(field) was refused: \(pageText)"
        case .unknownCode(let pageText):
            "nobody knows the code that this page wants: \(pageText)"
        case .missingButton(let name, let url):
            "the page at \(url.withoutQuery) has no button \(name)"
        case .unusableCertificateAuthority(let path, let reason):
            "the certificate authority's file \(path) cannot be used: \(reason)"
        }
    }
}

extension URL {
    /// Scheme, host, port and path, for messages.
    var withoutQuery: String {
        let port = port.map { ":\($0)" } ?? ""
        return "\(scheme ?? "?")://\(host() ?? "")\(port)\(path())"
    }
}
