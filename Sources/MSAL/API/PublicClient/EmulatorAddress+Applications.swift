// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

extension EmulatorAddress {
    /// The emulator for the applications of this process, if `environment` names one.
    ///
    /// - Throws: `.invalidParameter` if the app refuses emulators, for an address that is not https or not of this machine,
    ///   and for a file of certificates that others may change.
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
    /// The settings of connections. An emulator's certificates take the place of the app's own.
    func connections(at emulator: EmulatorAddress?, _ environment: [String: String]) -> HTTPSettings {
        var settings = HTTPSettings(caFile: emulator == nil ? caFile : nil, environment: environment)
        settings.authorities = emulator?.authorities
        return settings
    }
}
