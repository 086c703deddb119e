// Licensed under the MIT License. See LICENSE.

extension MSALPublicClientApplication {
    /// The device as a broker knows it. This version uses no broker: it returns the default mode and no error.
    public func deviceInformation(with parameters: MSALParameters?) async throws -> MSALDeviceInformation {
        MSALDeviceInformation()
    }

    /// The device as a broker knows it; see ``deviceInformation(with:)``.
    ///
    /// Without a queue the block is called before this method returns.
    @preconcurrency
    public func getDeviceInformation(
        with parameters: MSALParameters?,
        completionBlock: @escaping @Sendable (MSALDeviceInformation?, (any Error)?) -> Void
    ) {
        deliverAtOnce(to: completionBlock, on: target(parameters?.completionBlockQueue)) { MSALDeviceInformation() }
    }

    /// The device's registration in a tenant, `nil` for the first one. Empty without a broker, as in this version.
    public func wpjMetaDataDevice(
        with parameters: MSALParameters?,
        forTenantId tenantId: String?
    ) async throws -> MSALWPJMetaData {
        MSALWPJMetaData()
    }

    /// The device's registration in a tenant; see ``wpjMetaDataDevice(with:forTenantId:)``.
    ///
    /// Without a queue the block is called before this method returns.
    @preconcurrency
    public func getWPJMetaDataDevice(
        with parameters: MSALParameters?,
        forTenantId tenantId: String?,
        completionBlock: @escaping @Sendable (MSALWPJMetaData?, (any Error)?) -> Void
    ) {
        deliverAtOnce(to: completionBlock, on: target(parameters?.completionBlockQueue)) { MSALWPJMetaData() }
    }

    /// A token of the device itself, which needs a registered device; the library cannot register one.
    ///
    /// - Throws: `NSError`: ``MSALError/internal`` with the detail -42000 for a blank tenant or resource: correct it.
    ///   Otherwise ``MSALError/workplaceJoinRequired``: go on without such a token.
    public func deviceToken(with parameters: MSALDeviceTokenParameters) async throws -> MSALDeviceTokenResult {
        throw deviceTokenError(parameters).nsError
    }

    /// A token of the device itself; see ``deviceToken(with:)``.
    ///
    /// Without a queue the block is called before this method returns.
    @preconcurrency
    public func getDeviceToken(
        with parameters: MSALDeviceTokenParameters,
        completionBlock: @escaping @Sendable (MSALDeviceTokenResult?, (any Error)?) -> Void
    ) {
        let error = deviceTokenError(parameters)
        deliverAtOnce(to: completionBlock, on: target(parameters.completionBlockQueue)) { throw error.nsError }
    }

    private func deviceTokenError(_ parameters: MSALDeviceTokenParameters) -> AuthError {
        let isBlank = [parameters.resource, parameters.tenantId ?? ""].contains { $0.allSatisfy(\.isWhitespace) }
        return isBlank
            ? AuthError(.invalidParameter, message: "A device token needs a resource and a tenant.")
            : AuthError(.deviceNotRegistered, message: "This device is not registered, so there is no token for it.")
    }

    /// A token of a device in shared mode, which needs a broker.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42008, because the device is not in shared mode.
    ///   Go on without such a token.
    public func deviceTokenForSharedDevice(
        withResource resource: String,
        scopes: [String]?
    ) async throws -> MSALDeviceTokenResult {
        throw notShared.nsError
    }

    /// A token of a device in shared mode; see ``deviceTokenForSharedDevice(withResource:scopes:)``.
    ///
    /// Without a queue the block is called before this method returns.
    @preconcurrency
    public func getDeviceTokenForSharedDevice(
        withResource resource: String,
        scopes: [String]?,
        completionBlock: @escaping @Sendable (MSALDeviceTokenResult?, (any Error)?) -> Void
    ) {
        let error = notShared
        deliverAtOnce(to: completionBlock, on: target(nil)) { throw error.nsError }
    }

    private var notShared: AuthError { AuthError(.unexpected, message: "This device is not in shared mode.") }
}
