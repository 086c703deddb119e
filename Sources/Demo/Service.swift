// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import MSAL

/// An identity platform and the Graph beside it: all that differs between the emulator and the real service.
struct Service {
    /// The app registration.
    let clientID: String
    /// Who signs users in; `nil` stands for everybody with a work, school or personal account.
    let authority: URL?
    /// The address where the signed-in user is described.
    let me: String
    /// A certificate authority to trust in addition.
    let certificateAuthorityFile: URL?

    /// The emulator's, with its seed.
    init(_ emulator: Emulator) {
        clientID = emulator.seed.clientID
        authority = emulator.baseURL.appending(path: emulator.seed.tenantDomain)
        me = emulator.baseURL.appending(path: "v1.0/me").absoluteString
        certificateAuthorityFile = emulator.certificateAuthorityFile
    }

    /// Microsoft's.
    init(clientID: String, authority: URL?) {
        self.clientID = clientID
        self.authority = authority
        me = "https://graph.microsoft.com/v1.0/me"
        certificateAuthorityFile = nil
    }
}
