// Licensed under the MIT License. See LICENSE.

extension MSALPublicClientApplication {
    /// The device as the identity broker of this machine knows it. Without a broker it is in the default mode, and there is
    /// no error.
    ///
    /// - Throws: `NSError` with ``MSALError/internal``: -42714 if ``MSALGlobalConfig/brokerAvailability`` or
    ///   `bypassRedirectURIValidation` turns the broker off, or if the authority is not one of Microsoft Entra ID: treat the
    ///   device as one in the default mode. -42700 if the broker does not respond: try again. -42705, -42711 or -42007 if it
    ///   fails; the description says why.
    public func deviceInformation(with parameters: MSALParameters?) async throws -> MSALDeviceInformation {
        try await correlated { () async throws(AuthError) in MSALDeviceInformation(try await client().device()) }
    }

    /// The device as the broker knows it; see ``deviceInformation(with:)``.
    ///
    /// Without a queue the block is called before this method returns. If there is a broker to be asked, it is called later,
    /// straight from the task.
    @preconcurrency
    public func getDeviceInformation(
        with parameters: MSALParameters?,
        completionBlock: @escaping @Sendable (MSALDeviceInformation?, (any Error)?) -> Void
    ) {
        let target = target(parameters?.completionBlockQueue)
        guard asksBroker else {
            return deliverAtOnce(to: completionBlock, on: target) {
                try correlated { () throws(AuthError) in
                    try client().checkBrokerUse()
                    return MSALDeviceInformation()
                }
            }
        }
        deliver(to: completionBlock, on: target) { try await self.deviceInformation(with: nil) }
    }

    /// The device's registration in a tenant, `nil` for the first one. Empty without a broker, without a registration, and
    /// where the app allows no broker.
    ///
    /// - Throws: `NSError` with ``MSALError/internal``: -42700, -42705, -42711 or -42007 as ``deviceInformation(with:)``.
    public func wpjMetaDataDevice(
        with parameters: MSALParameters?,
        forTenantId tenantId: String?
    ) async throws -> MSALWPJMetaData {
        try await correlated { () async throws(AuthError) in
            MSALWPJMetaData(try await client().registration(tenantID: tenantId))
        }
    }

    /// The device's registration in a tenant; see ``wpjMetaDataDevice(with:forTenantId:)``.
    ///
    /// The block is called as that of ``getDeviceInformation(with:completionBlock:)``.
    @preconcurrency
    public func getWPJMetaDataDevice(
        with parameters: MSALParameters?,
        forTenantId tenantId: String?,
        completionBlock: @escaping @Sendable (MSALWPJMetaData?, (any Error)?) -> Void
    ) {
        let target = target(parameters?.completionBlockQueue)
        guard asksBroker else {
            return deliverAtOnce(to: completionBlock, on: target) {
                _ = try correlated { () throws(AuthError) in try client() }
                return MSALWPJMetaData()
            }
        }
        deliver(to: completionBlock, on: target) {
            try await self.wpjMetaDataDevice(with: nil, forTenantId: tenantId)
        }
    }

    /// A token of the device itself. No known identity broker gives one on Linux, and the library cannot register a device.
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
            : AuthError(
                .deviceNotRegistered,
                message: "There is no token for this device: identity brokers on Linux have no call that gives one."
            )
    }

    /// A token of a device in shared mode. No known identity broker gives one on Linux.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42008, in any mode. Go on without such a token.
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

    private var notShared: AuthError {
        AuthError(
            .unexpected,
            message: "There is no token for a shared device: identity brokers on Linux have no call that gives one."
        )
    }
}
