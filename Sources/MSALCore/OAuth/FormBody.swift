// Licensed under the MIT License. See LICENSE.

package import Foundation
import MSALBase

/// Parameters of a request in the order in which they were set. A later value replaces an earlier one of the same name.
///
/// It prints the names only, because codes, verifiers and passwords are among the values.
package struct FormBody: Sendable, CustomStringConvertible, CustomReflectable {
    private var names: [String] = []
    private var values: [String: String] = [:]

    package init() {}

    /// Sets or replaces a parameter. `nil` changes nothing.
    package mutating func set(_ parameter: Parameter, to value: String?) {
        set(parameter.rawValue, to: value)
    }

    /// Sets or replaces a parameter whose name the app chose. `nil` changes nothing.
    package mutating func set(_ name: String, to value: String?) {
        guard let value else { return }
        if values.updateValue(value, forKey: name) == nil { names.append(name) }
    }

    /// The value of a parameter.
    package func value(of parameter: Parameter) -> String? { values[parameter.rawValue] }

    package mutating func merge(_ others: [String: String]) {
        for name in others.keys.sorted() { set(name, to: others[name]) }
    }

    /// Sets or replaces the parameters of another form, in its order.
    package mutating func merge(_ other: FormBody) {
        for name in other.names { set(name, to: other.values[name]) }
    }

    package var description: String { "FormBody(\(names.joined(separator: ", ")))" }
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// The `application/x-www-form-urlencoded` bytes in UTF-8, with `+` for a space (WHATWG URL §5.2).
    package var data: Data { Data(encoded(space: "+").utf8) }

    /// The query text. It differs from the form in `%20` for a space, which the authorization endpoint wants
    /// (docs/reference/Protocol.md#authorization-request).
    package var query: String { encoded(space: "%20") }

    private func encoded(space: String) -> String {
        names.map { "\($0.percentEncoded(space: space))=\((values[$0] ?? "").percentEncoded(space: space))" }
            .joined(separator: "&")
    }

    /// The endpoint with the parameters in its query, for a page whose address people copy. Colons and slashes stay as
    /// they are and make the address shorter. RFC 3986 §3.4 lets a query have them.
    package func link(to endpoint: URL) -> URL {
        appended(query.replacing("%3A", with: ":").replacing("%2F", with: "/"), to: endpoint)
    }

    /// The URL of `endpoint` with these parameters after its own, such as `?p=policy` of B2C.
    package func appended(to endpoint: URL) -> URL { appended(query, to: endpoint) }

    private func appended(_ query: String, to endpoint: URL) -> URL {
        guard !names.isEmpty, var components = URLComponents(url: endpoint, resolvingAgainstBaseURL: false) else {
            return endpoint
        }
        let present = components.percentEncodedQuery.map { $0.isEmpty ? "" : $0 + "&" } ?? ""
        components.percentEncodedQuery = present + query
        return components.url ?? endpoint
    }
}
