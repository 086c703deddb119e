// Licensed under the MIT License. See LICENSE.

import Foundation

/// The text and the forms of a page.
package struct HTMLPage: Sendable, Equatable {
    /// The title, with collapsed white space.
    package private(set) var title = ""
    /// The visible text, with collapsed white space.
    package private(set) var text = ""
    /// The forms, in document order.
    package private(set) var forms: [HTMLForm] = []

    /// Parses a page. Any text is a valid page.
    package init(parsing html: String) {
        var builder = HTMLPageBuilder()
        for token in HTMLTokenizer(html) { builder.add(token) }
        builder.closeForm()
        title = builder.title.collapsingWhiteSpace
        text = builder.text.collapsingWhiteSpace
        forms = builder.forms
    }
}

/// A form: its content and its target.
package struct HTMLForm: Sendable, Equatable {
    /// The method with which the form is sent.
    package enum Method: Sendable {
        case get
        case post
    }

    /// A field with its current value.
    package struct Field: Sendable, Equatable {
        /// The name under which it is sent.
        package let name: String
        /// The value with which it is sent.
        package var value: String
        /// Whether the field is hidden or read-only.
        package var isHidden = false
    }

    /// A button that sends the form.
    package struct Button: Sendable, Equatable {
        /// The name under which it is sent; `nil` if it only submits the form.
        package let name: String?
        /// The value with which it is sent.
        package let value: String
        /// The label.
        package var label: String
        /// The target of this button, if it differs from that of the form.
        package let action: String?

        /// The button's action. It is `signin` for an input labeled “Sign in” and for a button with this value.
        var does: String { value.lowercased().filter { !$0.isWhitespace } }
    }

    /// The `action` attribute; empty means the page's own address.
    package let action: String
    /// The HTTP method with which the form is sent.
    package let method: Method
    /// The fields that are sent, in document order.
    package internal(set) var fields: [Field] = []
    /// The buttons that can be pressed, in document order.
    package internal(set) var buttons: [Button] = []

    /// The URL-encoded content of the form, if a button is pressed.
    package func encoded(pressing button: Button?) -> String {
        var pairs = fields.map { ($0.name, $0.value) }
        if let button, let name = button.name { pairs.append((name, button.value)) }
        return pairs.map { "\($0.0.formEncoded)=\($0.1.formEncoded)" }.joined(separator: "&")
    }
}

extension String {
    /// Words separated by single spaces.
    var collapsingWhiteSpace: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }

    /// The text as `application/x-www-form-urlencoded` of UTF-8 (WHATWG URL §5.2).
    package var formEncoded: String {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        let plain = CharacterSet(charactersIn: "\(letters)0123456789*-._ ")
        return (addingPercentEncoding(withAllowedCharacters: plain) ?? "").replacing(" ", with: "+")
    }
}
