// Licensed under the MIT License. See LICENSE.

public import struct Foundation.URL

/// The reason why a run could not complete. Addresses are described without their query, which may contain codes.
public enum ScriptedAgentError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The run did not end after this many requests; look for a loop.
    case tooManySteps(Int)
    /// A page was larger than this many bytes.
    case pageTooLarge(limit: Int, URL)
    /// The run took longer than this.
    case timedOut(Duration)
    /// Plain http to another machine; the run sends nothing there.
    case insecureAddress(URL)
    /// The address is neither http nor https, has no host, contains a user name, has an invalid port, or is too long.
    case unsupportedAddress(String)
    /// There was no response; the text is the transport's reason.
    case noResponse(URL, reason: String)
    /// The page requested a field again that the script had already filled in; the text is the page's.
    case refused(field: String, pageText: String)
    /// The page requests a code that the script cannot find; the text is the page's.
    case unknownCode(pageText: String)
    /// A button that the script wants to press is missing on the page.
    case missingButton(String, URL)
    /// The certificate authority file is invalid; the text is the reason.
    case unusableCertificateAuthority(path: String, reason: String)

    /// One line for a person.
    public var description: String {
        switch self {
        case .tooManySteps(let limit):
            "the sign-in did not end within \(limit) requests"
        case .pageTooLarge(let limit, let url):
            "the page at \(url.withoutQuery) is larger than \(limit) bytes"
        case .timedOut(let limit):
            "the sign-in did not end within \(limit.components.seconds) seconds"
        case .insecureAddress(let url):
            "\(url.withoutQuery) is not https and not on this machine"
        case .unsupportedAddress(let text):
            "not an address that a browser can open: \(text)"
        case .noResponse(let url, let reason):
            "no response from \(url.withoutQuery): \(reason)"
        case .refused(let field, let pageText):
            "the value of the field \(field) was rejected: \(pageText)"
        case .unknownCode(let pageText):
            "no code is available for this page: \(pageText)"
        case .missingButton(let name, let url):
            "the page at \(url.withoutQuery) has no button \(name)"
        case .unusableCertificateAuthority(let path, let reason):
            "the certificate authority file \(path) is invalid: \(reason)"
        }
    }
}

extension URL {
    /// Scheme, host, port, and path, for messages.
    var withoutQuery: String {
        let port = port.map { ":\($0)" } ?? ""
        return "\(scheme ?? "?")://\(host() ?? "")\(port)\(path())"
    }
}
