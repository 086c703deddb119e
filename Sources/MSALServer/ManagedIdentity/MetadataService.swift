// Licensed under the MIT License. See LICENSE.

package import MSALCore
import MSALSupport

/// The metadata service of a virtual machine, told from whatever else responds at its address: a proxy, a web page, the
/// service of another cloud (docs/reference/Services.md#probe).
package enum MetadataService {
    /// The members of which one is in every token and in every error of the service.
    private static let own: Set = ["access_token", "expires_in", "expires_on", "token_type", "error", "message"]

    /// What a response is that is not the service's: its status and its media type. It is `nil` for the service's own
    /// responses, which are JSON objects with a token or with an error.
    package static func stranger(in response: HTTPResponse) -> String? {
        let members = JSONValue(parsing: response.body)?.object ?? [:]
        guard members.keys.allSatisfy({ !own.contains($0) }) else { return nil }
        let type = response[header: "Content-Type"].map { VisibleText.line($0, without: [], limit: 60) }
        return "HTTP status \(response.status), \(type ?? "no media type")"
    }
}
