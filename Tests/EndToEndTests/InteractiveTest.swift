// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import EntraEmulatorTesting
import MSAL
import Testing

@Test func `Megan signs in`() async throws {
    try await withEmulator { emulator in
        let configuration = MSALPublicClientApplicationConfig(clientId: emulator.seed.clientID)
        configuration.authority = try MSALAADAuthority(url: emulator.authority("contoso.example"))
        configuration.caFile = emulator.certificateAuthorityFile
        configuration.cacheConfig.storeProtection = .inMemory
        configuration.browserCommand = try emulator.signIn(as: "megan@contoso.example").command
        let application = try MSALPublicClientApplication(configuration: configuration)
        let result = try await application.acquireToken(with: MSALInteractiveTokenParameters(scopes: ["User.Read"]))
        #expect(result.account.username == "megan@contoso.example")
    }
}
