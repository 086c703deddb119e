// Licensed under the MIT License. See LICENSE.

import MSALBase
private import MSALCore

/// A pointer to an error, for calls with an Objective-C signature. Foundation on Linux does not define it.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// A type that can be serialized as JSON text.
public protocol MSALJsonSerializable: NSObjectProtocol {
    /// The JSON text; `nil` if it cannot be created.
    func jsonString() -> String?
}

/// A type that can be parsed from JSON text.
public protocol MSALJsonDeserializable: NSObjectProtocol {
    /// Parses JSON text; `error` is set if it is invalid. Pass the address of an `NSError?`, or `nil`.
    init(jsonString: String, error: NSErrorPointer)
}

/// The token in which a claim is requested.
public enum MSALClaimsRequestTarget: UInt, Sendable {
    /// The ID token.
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

/// The claims that tokens should contain (OpenID Connect Core §5.5).
///
/// A silent request with one does not use cached access tokens. Not thread-safe.
public final class MSALClaimsRequest: NSObject, MSALJsonSerializable, MSALJsonDeserializable {
    private var claims: [MSALClaimsRequestTarget: [MSALIndividualClaimRequest]] = [:]

    /// An empty request.
    public override init() {}

    /// Parses the claims of a challenge.
    ///
    /// - Parameters:
    ///   - jsonString: An object with the members `id_token` and `access_token`.
    ///   - error: Set to `NSCocoaErrorDomain` 3840 if the text is not JSON, or to ``MSALError/internal`` with the
    ///     detail -42000 if it is not a claims request. The object is empty in these cases: do not use it.
    public init(jsonString: String, error: NSErrorPointer) {
        super.init()
        do {
            claims = try ClaimsText.parse(jsonString)
        } catch let failure {
            error?.pointee = failure
        }
    }

    /// Adds a claim, or replaces the claim with that name.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42000 if the name is blank, or if a value cannot
    ///   be represented in JSON.
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

    /// The claims requested for that token, in no particular order.
    public func claimsRequests(for target: MSALClaimsRequestTarget) -> [MSALIndividualClaimRequest]? {
        claims[target] ?? []
    }

    /// The JSON text of the whole request, `{}` if it is empty; `nil` if a value cannot be represented in JSON.
    public func jsonString() -> String? {
        (try? json())?.text  // `nil` is the documented result.
    }

    /// The request as a value.
    ///
    /// - Throws: `NSError` with the detail -42000 for a value that JSON cannot represent.
    func json() throws -> JSONValue {
        var members: [String: JSONValue] = [:]
        for (target, requests) in claims where !requests.isEmpty {
            var values: [String: JSONValue] = [:]
            for request in requests { values[request.name] = try ClaimsText.value(request) }
            members[target.name] = .object(values)
        }
        return .object(members)
    }

    /// Extracts the claims of a challenge with which an API or the service requests a new sign-in. Linux only.
    ///
    /// Create an ``MSALClaimsRequest/init(jsonString:error:)`` from the text, and sign the user in with it.
    ///
    /// - Parameter text: The value of the header `WWW-Authenticate` or the whole header, the claims in it, or the
    ///   base64-encoded JSON.
    /// - Returns: The JSON text of the claims; `nil` if the text requests none.
    public static func jsonString(ofChallenge text: String) -> String? {
        let header = text.replacing(/^\s*WWW-Authenticate\s*:/.ignoresCase(), with: "")
        let candidates = [text, AuthenticateChallenge.parse([header]).claimsChallenge].compactMap(\.self)
        return candidates.lazy.compactMap(claims).first?.text
    }

    private static func claims(_ text: String) -> JSONValue? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let spelled = [Data(text.utf8), Base64URL.decode(text)].lazy.compactMap(\.self)
        return spelled.compactMap(JSONValue.init(parsing:)).first { $0.object?.isEmpty == false }
    }
}
