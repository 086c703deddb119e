// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import MSAL

/// The values in which the emulator and the real service differ.
struct Service {
    /// The app registration.
    let clientID: String
    /// The authority; `nil` stands for the one for all work, school and personal accounts.
    let authority: URL?
    /// The address where the signed-in user is described.
    let me: String
    /// A certificate authority to trust in addition.
    let certificateAuthorityFile: URL?

    /// Names the emulator, with its seed.
    init(_ emulator: Emulator) {
        clientID = emulator.seed.clientID
        authority = emulator.baseURL.appending(path: emulator.seed.tenantDomain)
        me = emulator.baseURL.appending(path: "v1.0/me").absoluteString
        certificateAuthorityFile = emulator.certificateAuthorityFile
    }

    /// Names Microsoft's service.
    init(clientID: String, authority: URL?) {
        self.clientID = clientID
        self.authority = authority
        me = "https://graph.microsoft.com/v1.0/me"
        certificateAuthorityFile = nil
    }
}
