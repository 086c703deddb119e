// Licensed under the MIT License. See LICENSE.

import MSALCore

// The calls of MSAL 0.x and 1.x. Old code compiles and works with them. Each one calls the method of today.

extension MSALPublicClientApplication {
    /// An application for a client id and an authority. With `nil`, the authority is
    /// `https://login.microsoftonline.com/common`.
    ///
    /// - Throws: As ``init(configuration:)``.
    @available(*, deprecated, message: "Use init(configuration:).")
    public convenience init(clientId: String, authority: MSALAuthority?) throws {
        try self.init(clientId: clientId, authority: authority, redirectUri: nil)
    }

    /// An application for a client id, an authority and a redirect URI.
    ///
    /// - Throws: As ``init(configuration:)``.
    @available(*, deprecated, message: "Use init(configuration:).")
    public convenience init(clientId: String, authority: MSALAuthority?, redirectUri: String?) throws {
        try self.init(clientId: clientId, keychainGroup: nil, authority: authority, redirectUri: redirectUri)
    }

    /// An application for a client id, an authority, a redirect URI and the name of a token store.
    ///
    /// - Throws: As ``init(configuration:)``.
    @available(*, deprecated, message: "Use init(configuration:).")
    public convenience init(
        clientId: String,
        keychainGroup: String?,
        authority: MSALAuthority?,
        redirectUri: String?
    ) throws {
        let configuration = MSALPublicClientApplicationConfig(
            clientId: clientId,
            redirectUri: redirectUri,
            authority: authority
        )
        if let keychainGroup { configuration.cacheConfig.keychainSharingGroup = keychainGroup }
        try self.init(configuration: configuration)
    }

    /// Whether the library asks the service about authorities that it does not know; `true` by default.
    @available(*, deprecated, message: "Use knownAuthorities of the configuration.")
    public var validateAuthority: Bool {
        get { earlierSettings.validatesAuthority }
        set { earlierSettings.validatesAuthority = newValue }
    }

    /// The kind of browser; on Linux every value means the system's browser.
    @available(*, deprecated, message: "Use MSALWebviewParameters.")
    public var webviewType: MSALWebviewType {
        get { earlierSettings.webviewType }
        set { earlierSettings.webviewType = newValue }
    }

    /// A web view of the app's own. Linux cannot use one: requests with it fail with the detail -42008.
    @available(*, deprecated, message: "Use MSALWebviewParameters.")
    public var customWebview: AnyObject? {
        get { earlierSettings.customWebview?.value }
        set { earlierSettings.customWebview = newValue.map { Carried($0) } }
    }

    /// The account with this home account id.
    ///
    /// - Throws: As ``account(forIdentifier:)``.
    @available(*, deprecated, renamed: "account(forIdentifier:)")
    public func account(forHomeAccountId homeAccountId: String) throws -> MSALAccount {
        try account(forIdentifier: homeAccountId)
    }

    /// The accounts in the cloud of the application's authority; errors are those of ``accountsFromDevice(for:)``.
    ///
    /// The block is called before this method returns.
    @preconcurrency
    @available(*, deprecated, message: "Use accountsFromDevice(for:).")
    public func allAccountsFiltered(
        byAuthority completionBlock: @escaping @Sendable ([MSALAccount]?, (any Error)?) -> Void
    ) {
        deliverAtOnce(to: completionBlock, on: target(nil)) { () throws -> [MSALAccount] in
            let client = try throwingNSError { () throws(AuthError) in try self.client() }
            let hosts = client.authorities.environments(for: client.configuration.authorityRules.configured).lookup
            return try allAccounts().filter { hosts.contains($0.environment) }
        }
    }

    /// Passes a redirect to the sign-in that waits for it; see ``handleMSALResponse(_:sourceApplication:)``.
    ///
    /// - Returns: Whether a sign-in, in this process or another, was waiting for the redirect.
    @discardableResult
    public class func handleMSALResponse(_ response: URL) -> Bool {
        handleMSALResponse(response, sourceApplication: nil)
    }
}
