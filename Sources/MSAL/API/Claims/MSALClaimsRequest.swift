// Licensed under the MIT License. See LICENSE.

import MSALBase

/// A pointer to an error, for calls that keep Objective-C's shape. Foundation on Linux lacks it.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// Something that can be written as JSON text.
public protocol MSALJsonSerializable: NSObjectProtocol {
    /// The JSON text; `nil` if it cannot be made.
    func jsonString() -> String?
}

/// Something that can be read from JSON text.
public protocol MSALJsonDeserializable: NSObjectProtocol {
    /// Reads JSON text; `error` is set if it cannot be used. Pass the address of an `NSError?`, or `nil`.
    init(jsonString: String, error: NSErrorPointer)
}

/// The token that a claim is asked for.
public enum MSALClaimsRequestTarget: UInt, Sendable {
    /// The id token.
    case idToken = 0
    /// The access token.
    case accessToken = 1

    /// The member of the request's JSON.
    var name: String {
        switch self {
        case .idToken: "id_token"
        case .accessToken: "access_token"
        }
    }
}

/// The claims that tokens are to carry (OpenID Connect Core §5.5).
///
/// While a silent request has one, cached access tokens are not used. Not safe to use from two threads at once.
public final class MSALClaimsRequest: NSObject, MSALJsonSerializable, MSALJsonDeserializable {
    private var claims: [MSALClaimsRequestTarget: [MSALIndividualClaimRequest]] = [:]

    /// An empty request.
    public override init() {}

    /// Reads the claims of a challenge.
    ///
    /// - Parameters:
    ///   - jsonString: An object with the members `id_token` and `access_token`.
    ///   - error: Set to `NSCocoaErrorDomain` 3840 if the text is no JSON, to ``MSALError/internal`` with the detail
    ///     -42000 if it is no claims request. The object is empty then: do not use it.
    public init(jsonString: String, error: NSErrorPointer) {
        super.init()
        do {
            claims = try ClaimsText.parse(jsonString)
        } catch let failure {
            error?.pointee = failure
        }
    }

    /// Adds a claim, or replaces the one of that name.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42000 if the name is blank, or if a value has no
    ///   form in JSON.
    public func requestClaim(_ request: MSALIndividualClaimRequest, for target: MSALClaimsRequestTarget) throws {
        guard !request.name.allSatisfy(\.isWhitespace) else {
            throw AuthError(.invalidParameter, message: "A claim needs a name.").nsError
        }
        _ = try ClaimsText.value(request)
        claims[target, default: []].removeAll { $0.name == request.name }
        claims[target, default: []].append(request)
    }

    /// Removes a claim.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42000 if there is none of that name.
    public func removeClaim(withName name: String, target: MSALClaimsRequestTarget) throws {
        guard let index = claims[target]?.firstIndex(where: { $0.name == name }) else {
            throw AuthError(.invalidParameter, message: "The claim \(name) is not in the request.").nsError
        }
        claims[target]?.remove(at: index)
    }

    /// The claims asked for that token, in no particular order; empty where there are none.
    public func claimsRequests(for target: MSALClaimsRequestTarget) -> [MSALIndividualClaimRequest]? {
        claims[target] ?? []
    }

    /// The JSON text of the whole request, `{}` if it is empty; `nil` if a value has no form in JSON.
    public func jsonString() -> String? {
        (try? json())?.text  // `nil` is the documented result.
    }

    /// The request as a value.
    ///
    /// - Throws: `NSError` with the detail -42000 for a value that JSON cannot express.
    func json() throws -> JSONValue {
        var members: [String: JSONValue] = [:]
        for (target, requests) in claims where !requests.isEmpty {
            var values: [String: JSONValue] = [:]
            for request in requests { values[request.name] = try ClaimsText.value(request) }
            members[target.name] = .object(values)
        }
        return .object(members)
    }
}
