// Licensed under the MIT License. See LICENSE.

/// A test slice of the service and a data center, sent with every request.
public final class MSALSliceConfig: NSObject, NSCopying {
    /// The slice; empty if there is none.
    public var slice: String
    /// The data center; empty if there is none.
    public var dc: String

    /// - Returns: `nil` if both are missing.
    public init?(slice: String?, dc: String?) {
        guard slice != nil || dc != nil else { return nil }
        self.slice = slice ?? ""
        self.dc = dc ?? ""
    }

    private init(copyOf other: MSALSliceConfig) {
        slice = other.slice
        dc = other.dc
    }

    /// The values that are set, with the keys `slice` and `dc`.
    public var sliceDictionary: [AnyHashable: Any] { queryParameters }

    var queryParameters: [String: String] { ["slice": slice, "dc": dc].filter { !$0.value.isEmpty } }

    /// Returns an independent copy.
    public func copy(with zone: NSZone? = nil) -> Any { MSALSliceConfig(copyOf: self) }
}
