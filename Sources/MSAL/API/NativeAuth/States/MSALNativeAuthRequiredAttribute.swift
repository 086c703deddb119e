// Licensed under the MIT License. See LICENSE.

/// An attribute of the user that the service requires before it creates the account.
public final class MSALNativeAuthRequiredAttribute: NSObject, Sendable {
    /// The attribute's name, which is its key in `attributes`.
    public let name: String

    /// The name of its type, such as `string` or `boolean`.
    public let type: String

    /// Whether the service requires this attribute to create an account.
    public let required: Bool

    /// A regular expression that values must match; `nil` if any value is allowed. The service checks it.
    public let regex: String?

    package init(name: String, type: String, required: Bool, regex: String?) {
        self.name = name
        self.type = type
        self.required = required
        self.regex = regex
    }

    /// An attribute as the service wants it.
    convenience init(_ attribute: NativeAuth.RequiredAttribute) {
        self.init(name: attribute.name, type: attribute.type, required: attribute.isRequired, regex: attribute.regex)
    }

    public override var description: String {
        "MSALNativeAuthRequiredAttribute(\(name): \(type)\(required ? ", required" : ""))"
    }
}
