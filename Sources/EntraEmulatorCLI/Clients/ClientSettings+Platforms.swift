// Licensed under the MIT License. See LICENSE.

import CommandOutput
import EntraEmulator

/// The settings of frameworks on other platforms.
extension ClientSettings {
    static func platform(_ client: ClientKind, at place: EmulatorLocation) -> ClientSpecific {
        switch client {
        case .dotnet:
            (
                [
                    ("SSL_CERT_FILE", place.bundle), ("AzureAd__Instance", "\(place.base)/"),
                    ("AzureAd__TenantId", place.tenant), ("AzureAd__ClientId", Seed().serviceClientID),
                ],
                [
                    ".NET reads SSL_CERT_FILE only on Linux. Microsoft.Identity.Web reads AzureAd__… as its settings.",
                    "MSAL.NET: .WithAuthority(Environment.GetEnvironmentVariable(\"ENTRA_EMULATOR_AUTHORITY\"), false)"
                        + ".WithInstanceDiscovery(false)",
                ]
            )
        case .java:
            (
                [trustStore(place)],
                [
                    "MSAL4J: .authority(System.getenv(\"ENTRA_EMULATOR_AUTHORITY\")).validateAuthority(false)"
                        + ".instanceDiscovery(false)"
                ]
            )
        case .spring:
            (
                [
                    trustStore(place),
                    ("SPRING_SECURITY_OAUTH2_CLIENT_PROVIDER_ENTRA_ISSUER_URI", place.issuer),
                    ("SPRING_SECURITY_OAUTH2_CLIENT_REGISTRATION_ENTRA_CLIENT_ID", Seed().serviceClientID),
                    ("SPRING_SECURITY_OAUTH2_CLIENT_REGISTRATION_ENTRA_CLIENT_SECRET", Seed().serviceSecret),
                    ("SPRING_SECURITY_OAUTH2_CLIENT_REGISTRATION_ENTRA_SCOPE", "openid,profile"),
                    ("SPRING_SECURITY_OAUTH2_RESOURCESERVER_JWT_ISSUER_URI", place.issuer),
                ],
                ["The app needs the redirect URI {baseUrl}/login/oauth2/code/entra in the directory."]
            )
        case .ruby:
            (
                [("SSL_CERT_FILE", place.bundle)],
                ["The issuer of OpenID Connect for omniauth_openid_connect is \(place.issuer) with discovery: true."]
            )
        case .php:
            (
                [("SSL_CERT_FILE", place.bundle)],
                [
                    "curl in PHP reads no variable: php -d curl.cainfo=\(place.bundle.shellQuoted) APP",
                    "The issuer for OpenID Connect is \(place.issuer)",
                ]
            )
        case .apache:
            (
                [],
                [
                    "mod_auth_openidc, in the configuration of the server:",
                    "OIDCCABundlePath \"\(place.bundle)\"",
                    "OIDCProviderMetadataURL \(place.issuer)/.well-known/openid-configuration",
                    "OIDCClientID \(Seed().serviceClientID)",
                    "OIDCClientSecret \(Seed().serviceSecret)",
                    "The app needs the address of OIDCRedirectURI in the directory.",
                ]
            )
        case .msal, .msalPython, .azureIdentity, .node, .go, .curl, .az, .urlsession, .managedIdentity, .githubActions,
            .azurePipelines:
            ([], [])
        }
    }

    /// Java does not read PEM files, and has no separate variable for trusted authorities.
    private static func trustStore(_ place: EmulatorLocation) -> (String, String) {
        (
            "JAVA_TOOL_OPTIONS",
            "-Djavax.net.ssl.trustStore=\(place.keyStore) -Djavax.net.ssl.trustStorePassword=changeit"
        )
    }
}
