// Licensed under the MIT License. See LICENSE.

import MSALBase
package import MSALCore

extension ServerEnvironment {
    /// The authority that an object asks: its own, or the emulator in its place.
    ///
    /// A variable that was left behind must not send a secret to a port of this machine. So an object goes to the
    /// emulator only if its settings allow that. If they do not, the object is not made: it must not ignore the
    /// variable.
    ///
    /// - Throws: `.configuration` with the fault of the authority, or with the name of the variable.
    package func authority(_ place: MSALServerAuthority, allowsEmulator: Bool) throws(MSALTokenError) -> Authority {
        let own = try place.authority()
        let name = EmulatorAddress.variable
        guard EmulatorAddress.isNamed(in: variables) else { return own }
        guard allowsEmulator else {
            // The authority of this object is the emulator already.
            if let emulator = try? EmulatorAddress(in: variables), emulator.replacing(own) == own { return own }
            throw MSALTokenError(
                .configuration,
                message:
                    "\(name) is set, and the settings do not allow an emulator. Unset it to reach the service, or set "
                    + "allowsEmulator to true to use the emulator."
            )
        }
        let emulator: EmulatorAddress?
        do throws(AuthorityError) {
            emulator = try EmulatorAddress(in: variables)
        } catch {
            throw MSALTokenError(error)
        }
        guard let emulator else { return own }
        try logged { () throws(MSALTokenError) in Log.warning(emulator.warning) }
        return emulator.replacing(own)
    }
}
