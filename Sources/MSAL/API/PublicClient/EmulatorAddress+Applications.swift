// Licensed under the MIT License. See LICENSE.

import MSALCore

extension EmulatorAddress {
    /// The emulator for the applications of this process, if `environment` specifies one.
    ///
    /// - Throws: `.invalidParameter` if the app does not allow emulators, for a URL that is not https or not on this
    ///   machine, and for a certificate file that others can change.
    init?(allowedIn environment: [String: String]) throws(AuthError) {
        guard Self.isNamed(in: environment) else { return nil }
        guard MSALGlobalConfig.allowsEmulator else {
            throw AuthError(
                .invalidParameter,
                message:
                    "\(Self.variable) is set, and this app refuses emulators (MSALGlobalConfig.allowsEmulator). Unset "
                    + "it to reach the service."
            )
        }
        do throws(AuthorityError) {
            try self.init(in: environment)
        } catch {
            throw AuthError(error)
        }
    }
}

extension MSALPublicClientApplicationConfig {
    /// The settings of connections. An emulator's certificates replace the app's own.
    func connections(at emulator: EmulatorAddress?, _ environment: [String: String]) -> HTTPSettings {
        var settings = HTTPSettings(caFile: emulator == nil ? caFile : nil, environment: environment)
        settings.authorities = emulator?.authorities
        settings.route = proxy.route
        settings.retries = retryPolicy.settings
        return settings
    }
}
