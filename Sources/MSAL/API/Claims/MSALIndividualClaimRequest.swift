// Licensed under the MIT License. See LICENSE.

/// One claim. Its name identifies it within a request. Not safe to use from two threads at once.
public final class MSALIndividualClaimRequest: NSObject {
    /// The name of the claim.
    public var name: String
    /// The further demands on the claim; `nil` is sent as JSON null.
    public var additionalInfo: MSALIndividualClaimRequestAdditionalInfo?

    /// Asks for a claim by name.
    public init(name: String) {
        self.name = name
    }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? MSALIndividualClaimRequest)?.name == name
    }

    public override var hash: Int { name.hashValue }
}

/// The demands on a claim beyond its presence (OpenID Connect Core §5.5.1).
public final class MSALIndividualClaimRequestAdditionalInfo: NSObject {
    /// Whether the token is of no use without the claim: a Boolean in a number. `nil` is not sent.
    public var essential: NSNumber?
    /// The one value wanted: strings, numbers, Booleans, arrays, dictionaries and null.
    public var value: Any?
    /// The values wanted, best first; of the same types as ``value``.
    public var values: [Any]?

    /// Asks for nothing yet.
    public override init() {}
}
