// Licensed under the MIT License. See LICENSE.

import Testing

@testable import EntraEmulator

/// Client IDs that the directory does not have.
struct UnknownClientTests {
    @Test(arguments: ["YOUR-CLIENT-ID", "6a1b5f1e-0000-4000-8000-0000000000ff", "com.contoso.app"])
    func `an unknown ID stands for the first public client if that is configured`(_ clientID: String) throws {
        let directory = try ServedDirectory(.seed, acceptsUnknownClients: true)

        let application = try #require(directory.application(clientID))

        #expect(application.clientID == clientID && application.displayName == clientID)
        #expect(application.kind == .publicClient)
        #expect(try application.checked(redirectURI: "http://localhost:1234").isLoopback)
        #expect(throws: EntraError.self) { try application.checked(redirectURI: "https://contoso.example/callback") }
        #expect(directory.applications.count == EmulatorDirectory.seed.applications.count)
    }

    @Test func `a known ID is not replaced`() throws {
        let directory = try ServedDirectory(.seed, acceptsUnknownClients: true)

        #expect(directory.application(Seed().serviceClientID)?.kind == .web)
    }

    @Test(arguments: ["", " ", "a b", "a\r\nb", "<script>", String(repeating: "a", count: 129)])
    func `a text that no registration could have is unknown`(_ clientID: String) throws {
        #expect(try ServedDirectory(.seed, acceptsUnknownClients: true).application(clientID) == nil)
    }

    @Test func `without the setting the ID is unknown`() throws {
        #expect(try ServedDirectory(.seed).application("YOUR-CLIENT-ID") == nil)
        #expect(!EmulatorConfiguration().acceptsUnknownClients)
    }
}
