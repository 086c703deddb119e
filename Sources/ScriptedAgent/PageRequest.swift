// Licensed under the MIT License. See LICENSE.

package import struct Foundation.URL

/// A request of the browser: opens an address or submits a form.
package struct PageRequest: Sendable, Equatable {
    /// The target.
    package var url: URL
    /// The encoded form of a POST; `nil` for a GET.
    package var form: String?
    /// The `Origin` header of a POST.
    package var origin: String?

    /// Creates a request for an address, or for submitting a form to it.
    package init(url: URL, form: String? = nil, origin: String? = nil) {
        self.url = url
        self.form = form
        self.origin = origin
    }

    /// The request that follows a redirect, or `nil` if the response is not a redirect.
    ///
    /// RFC 9110 §15.4: 303 turns a POST into a GET, 307 and 308 repeat it; browsers handle 301 and 302 like 303.
    package func redirected(by response: PageResponse) -> PageRequest? {
        guard
            let location = response.location,
            var target = URL(string: location, relativeTo: url)?.absoluteURL
        else { return nil }
        // RFC 9110 §10.2.2: a redirect without a fragment inherits that of the redirecting address.
        if target.fragment() == nil, let fragment = url.fragment(percentEncoded: true) {
            target = URL(string: "\(target.absoluteString)#\(fragment)") ?? target
        }
        switch response.status {
        case 301, 302, 303: return PageRequest(url: target)
        case 307, 308: return PageRequest(url: target, form: form, origin: origin)
        default: return nil
        }
    }
}

/// The response to a request.
package struct PageResponse: Sendable {
    /// The HTTP status code.
    package let status: Int
    /// The `Location` header.
    package let location: String?
    /// The body, decoded as UTF-8.
    package let text: String

    /// Creates a response.
    package init(status: Int, location: String? = nil, text: String = "") {
        self.status = status
        self.location = location
        self.text = text
    }
}
