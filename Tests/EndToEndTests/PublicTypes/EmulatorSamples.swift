// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import EntraEmulatorBroker
import EntraEmulatorTesting
import Foundation

/// The public types of the emulator's three libraries.
enum EmulatorSamples {
    private static let mark = PublicTypesTests.mark

    static let closed: [Named] = [
        BrowserStandIn.self, BrowserStandIn.AppResponse.self, BrowserStandIn.Page.self, EmulatedBroker.self,
        EmulatedBroker.Configuration.self, Emulator.self, FederatedIssuerSettings.self, ManagedIdentitySettings.self,
    ].map { Named($0) }

    /// Types without a secret, with the reason.
    static let harmless: [String: [String]] = [
        "data of a directory": [
            "AttributeRule", "CustomerProfile", "EmulatorDirectory.AccessPolicy",
            "EmulatorDirectory.AccessPolicy.Locations", "EmulatorDirectory.API", "EmulatorDirectory.API.Role",
            "EmulatorDirectory.API.Scope", "EmulatorDirectory.Application", "EmulatorDirectory.ClientCertificate",
            "EmulatorDirectory.FederatedCredential", "EmulatorDirectory.Group", "EmulatorDirectory.JSONWebKey",
            "EmulatorDirectory.Agent", "EmulatorDirectory.ManagedIdentity", "EmulatorDirectory.OptionalClaim",
            "EmulatorDirectory.Tenant",
            "EmulatorDirectory.TokenClaims", "NativePolicy", "Seed.Customer",
            "Seed.Person", "StrongMethod",
        ],
        "the published names and passwords of the seed": ["Seed"],
        "sentences": [
            "Emulator.StartFailure", "EmulatorDirectory.InvalidEntry", "EmulatorDirectory.InvalidEntry.Problem",
            "EmulatorDirectory.InvalidFile", "EmulatorDirectory.InvalidFile.Issue", "JournalEntry.Refusal",
            "TestToken.Refusal",
        ],
        "the requests of a test": [
            "Fault", "FederatedToken", "NativeAuthSettings", "NativeAuthV2Settings", "NativeAuthV2Settings.HostileLink",
            "NativeAuthV2Settings.RegistrationWords", "TestToken", "TestToken.Claim",
        ],
        "requests and decisions": [
            "JournalEntry.Minted", "SignInDecision", "SignInDecision.Outcome",
        ],
        "ports": ["ManagedIdentityAddresses"],
    ].mapValues { $0.map { "EntraEmulator.\($0)" } }
        .merging([
            "names and numbers": [
                "EntraEmulatorBroker.BrokerCall", "EntraEmulatorBroker.BrokerCall.Outcome",
                "EntraEmulatorBroker.BrokerFault", "EntraEmulatorBroker.BrokerWindow",
            ],
            "a sentence": [
                "EntraEmulatorBroker.BrokerStartFailure", "EntraEmulatorTesting.BrowserStandIn.Failure",
                "EntraEmulatorTesting.BrowserStandIn.UnknownUser",
            ],
        ]) { first, _ in first }

    /// Values, and the secrets of the emulator from which they are created.
    static func all() async throws -> (samples: [Any], secrets: [String]) {
        var settings = EmulatorConfiguration()
        settings.stateDirectory = EndToEndScenario.stateDirectory
        settings.controlPort = 0
        settings.managedIdentity = ManagedIdentitySettings()
        settings.managedIdentity?.header = "\(mark)-header"
        settings.federatedIssuers = FederatedIssuerSettings()
        settings.federatedIssuers?.requestToken = "\(mark)-request-token"
        let configuration = settings
        return try await withEmulator(configuration) { emulator in
            let browser = try emulator.signIn(as: "mfa@fabrikam.example")
            let redirectURI = "http://localhost:1"
            let request = emulator.authority(emulator.seed.externalTenantID)
                .appending(path: "oauth2/v2.0/authorize")
                .appending(queryItems: [
                    URLQueryItem(name: "client_id", value: emulator.seed.clientID),
                    URLQueryItem(name: "response_type", value: "code"),
                    URLQueryItem(name: "redirect_uri", value: redirectURI),
                    URLQueryItem(name: "scope", value: "openid"),
                    URLQueryItem(name: "code_challenge_method", value: "S256"),
                    URLQueryItem(name: "code_challenge", value: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
                ])
            guard let redirect = URL(string: redirectURI) else { throw URLError(.badURL) }
            let response = try await browser.visit(request, stopsAt: redirect)
            var user = EmulatorDirectory.seed.users[0]
            user.password = "\(mark)-password"
            let samples: [Any] = [
                emulator, configuration, configuration.directory, browser, response, user,
                EmulatorDirectory.ClientSecret("\(mark)-secret"),
                SignInChoices(password: "\(mark)-password", code: "\(mark)-code"),
                ManagedIdentitySettings(), FederatedIssuerSettings(),
            ]
            let seen = try browser.visits.map { try $0.get() as Any } + emulator.journal + emulator.outbox
            let secrets = [
                emulator.controlToken, response.parameters["code"], emulator.outbox.last?.code, emulator.seed.password,
            ]
            return (samples + seen, secrets.compactMap { $0 })
        }
    }
}
