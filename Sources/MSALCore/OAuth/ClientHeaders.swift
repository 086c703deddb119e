// Licensed under the MIT License. See LICENSE.

package import Foundation
import MSALBase

/// The headers that describe the library, the app and the call to the service (docs/reference/Protocol.md#headers and
/// #mailbox).
package struct ClientHeaders: Sendable, Hashable {
    /// The product name sent in `x-client-SKU` (docs/reference/Protocol.md#headers).
    package static let product = "MSAL.Swift"

    /// The app's name, which is sent in `x-app-name`.
    package var applicationName: String?

    /// The app's version, which is sent in `x-app-ver`. For `nil` it is that of the main bundle, if there is one.
    package var applicationVersion: String?

    /// Whether all headers about the library, the app, and the call are left out, as for an issuer that is not
    /// Microsoft's.
    package var isMinimal = false

    package init(applicationName: String? = nil, applicationVersion: String? = nil) {
        self.applicationName = applicationName
        self.applicationVersion = applicationVersion
    }

    /// The version of the main bundle. It is read with the first request, because Foundation searches folders for a bundle,
    /// and a token from the store need not wait for that.
    private static let bundleVersion = Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String

    /// The kernel and its version, such as `Linux 6.1.0-25-amd64`.
    package static let operatingSystem: String = {
        var kernel = utsname()
        guard uname(&kernel) == 0 else { return "Linux" }
        let release = withUnsafeBytes(of: kernel.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return "Linux \(release)"
    }()

    /// The headers about the library and the machine.
    package var client: [String: String] {
        [
            "x-client-SKU": ClientHeaders.product,
            "x-client-Ver": LibraryVersion.text,
            "x-client-OS": ClientHeaders.operatingSystem,
            "x-client-CPU": MemoryLayout<Int>.size == 8 ? "64" : "32",
        ]
    }

    /// The headers about the app, as far as it is known.
    package var application: [String: String] {
        var fields: [String: String] = [:]
        fields["x-app-name"] = applicationName
        fields["x-app-ver"] = applicationVersion ?? ClientHeaders.bundleVersion
        return fields
    }

    /// All headers of a request to the service.
    ///
    /// The service repeats `correlationID` in its response and its logs. `mailbox` is the routing hint of
    /// ``mailbox(homeAccountID:username:)``.
    package func headers(correlationID: UUID, mailbox: String? = nil) -> [String: String] {
        guard !isMinimal else { return ["Accept": "application/json"] }
        var headers = client.merging(application) { $1 }
        headers["Accept"] = "application/json"
        headers["client-request-id"] = correlationID.uuidString
        headers["return-client-request-id"] = "true"
        headers["x-ms-lib-capability"] = "retry-after, h429"
        headers["X-AnchorMailbox"] = mailbox
        return headers
    }

    /// The hint that routes the request to the data center with the user's data. The result is `nil` if no user is
    /// known, or if the hint cannot be part of a header.
    package static func mailbox(homeAccountID: String?, username: String?) -> String? {
        let parts = homeAccountID?.split(separator: ".").map(String.init) ?? []
        if parts.count == 2, isHeaderValue(parts.joined()) { return "Oid:\(parts[0])@\(parts[1])" }
        guard let username, !username.isEmpty, isHeaderValue(username) else { return nil }
        return "UPN:\(username)"
    }

    // A field value has no control characters (RFC 9110 §5.5). A request goes out without the hint rather than fail.
    private static func isHeaderValue(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }
}
