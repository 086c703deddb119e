// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import MSAL

/// The values that differ between the emulator and the real service.
struct Service {
    /// The app registration.
    let clientID: String
    /// The authority; `nil` means the one for all work, school, and personal accounts.
    let authority: URL?
    /// The address of the signed-in user's profile in Microsoft Graph.
    let me: String
    /// An additional certificate authority to trust.
    let certificateAuthorityFile: URL?

    /// The emulator, with its default directory.
    init(_ emulator: Emulator) {
        clientID = emulator.seed.clientID
        authority = emulator.baseURL.appending(path: emulator.seed.tenantDomain)
        me = emulator.baseURL.appending(path: "v1.0/me").absoluteString
        certificateAuthorityFile = emulator.certificateAuthorityFile
    }

    /// Microsoft's service.
    init(clientID: String, authority: URL?) {
        self.clientID = clientID
        self.authority = authority
        me = "https://graph.microsoft.com/v1.0/me"
        certificateAuthorityFile = nil
    }
}
