// Licensed under the MIT License. See LICENSE.

import Foundation

/// The text and the forms of a page.
package struct HTMLPage: Sendable, Equatable {
    /// The title, white space collapsed.
    package private(set) var title = ""
    /// The visible text, white space collapsed.
    package private(set) var text = ""
    /// The forms, in the page's order.
    package private(set) var forms: [HTMLForm] = []

    /// Reads a page. Every text is a page.
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
    /// The method by which the form is sent.
    package enum Method: Sendable {
        case get
        case post
    }

    /// A field with the value it has now.
    package struct Field: Sendable, Equatable {
        /// The name it is sent under.
        package let name: String
        /// The value it is sent with.
        package var value: String
        /// Whether the page hides the field, or lets nobody change it.
        package var isHidden = false
    }

    /// A button that sends the form.
    package struct Button: Sendable, Equatable {
        /// The name under which it is sent. It is `nil` for a button that only sends the others.
        package let name: String?
        /// The value it is sent with.
        package let value: String
        /// The text on it.
        package var label: String
        /// The target of this button, if it is not the form's own.
        package let action: String?

        /// The button's action. It is `signin` for an input that shows “Sign in” and for a button with this value.
        var does: String { value.lowercased().filter { !$0.isWhitespace } }
    }

    /// The `action` attribute; empty means the page's own address.
    package let action: String
    /// The HTTP method by which the form is sent.
    package let method: Method
    /// Fields that would be sent, in the page's order.
    package internal(set) var fields: [Field] = []
    /// Buttons that can be pressed, in the page's order.
    package internal(set) var buttons: [Button] = []

    /// The form's content for a pressed button, URL-encoded.
    package func encoded(pressing button: Button?) -> String {
        var pairs = fields.map { ($0.name, $0.value) }
        if let button, let name = button.name { pairs.append((name, button.value)) }
        return pairs.map { "\($0.0.formEncoded)=\($0.1.formEncoded)" }.joined(separator: "&")
    }
}

extension String {
    /// Words separated by single spaces.
    var collapsingWhiteSpace: String {
        split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The text as `application/x-www-form-urlencoded` of UTF-8 (WHATWG URL §5.2).
    package var formEncoded: String {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        let plain = CharacterSet(charactersIn: "\(letters)0123456789*-._ ")
        return (addingPercentEncoding(withAllowedCharacters: plain) ?? "").replacing(" ", with: "+")
    }
}
