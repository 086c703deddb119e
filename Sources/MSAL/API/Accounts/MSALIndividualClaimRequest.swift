// Licensed under the MIT License. See LICENSE.

/// One claim. Its name identifies it within a request. Not thread-safe.
public final class MSALIndividualClaimRequest: NSObject {
    /// The name of the claim.
    public var name: String
    /// Additional requirements for the claim; `nil` is sent as JSON null.
    public var additionalInfo: MSALIndividualClaimRequestAdditionalInfo?

    /// Creates a request for a claim by name.
    public init(name: String) { self.name = name }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? MSALIndividualClaimRequest)?.name == name
    }

    public override var hash: Int { name.hashValue }
}

/// Requirements for a claim beyond its presence (OpenID Connect Core §5.5.1).
public final class MSALIndividualClaimRequestAdditionalInfo: NSObject {
    /// Whether the token is useless without the claim, as a Boolean `NSNumber`. `nil` is not sent.
    public var essential: NSNumber?
    /// The single requested value: a string, number, Boolean, array, dictionary, or null.
    public var value: Any?
    /// The requested values in order of preference; of the same types as ``value``.
    public var values: [Any]?

    /// Creates an object without requirements.
    public override init() {}
}
