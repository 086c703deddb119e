// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import EntraEmulator
import Foundation

/// The settings with which a client uses the emulator as the service.
///
/// Variables come before remarks. A shell that gets all lines as one, for example with `eval $(…)`, ignores everything
/// after a `#`.
struct ClientSettings {
    /// Environment variables with their values, in the order of their lines.
    private(set) var variables: [(name: String, value: String)]
    /// Lines for the user: settings that are not variables, and notes about the variables.
    private(set) var remarks: [String]

    /// The settings of a client.
    ///
    /// `base`: The address of the emulator, such as `https://localhost:8443`.
    /// `tenant`: The ID or the domain of the tenant in the authority.
    /// `home`: The folder for a separate configuration of the client.
    init(for client: ClientKind, base: URL, tenant: String, trust: TrustFiles, home: String) {
        let place = EmulatorLocation(
            base: base.absoluteString,
            host: "\(base.host ?? "localhost"):\(base.port ?? 443)",
            tenant: tenant,
            home: home,
            authority: trust.authority.path,
            bundle: trust.bundle.path,
            keyStore: trust.keyStore.path
        )
        variables = [
            ("ENTRA_EMULATOR_URL", place.base), ("ENTRA_EMULATOR_AUTHORITY", "\(place.base)/\(tenant)"),
            ("ENTRA_EMULATOR_CA_FILE", place.authority),
        ]
        let own = Self.settings(for: client, at: place)
        variables += own.variables
        remarks = own.remarks
        if own.variables.contains(where: { $0.1 == place.bundle }) { remarks.append(Self.remark(on: trust)) }
    }

    /// Adds variables in alphabetical order.
    mutating func add(_ others: [String: String]) {
        variables += others.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }

    /// The lines for a POSIX shell. A remark always stays on one line: a path in it may contain a line break, after
    /// which a shell would read a command.
    var lines: [String] {
        variables.map { "export \($0.name)=\($0.value.shellQuoted)" } + remarks.map { "# \($0.visible)" }
    }

    struct EmulatorLocation {
        let base, host, tenant, home, authority, bundle, keyStore: String

        /// The version 2.0 issuer, which contains the tenant's ID. The ID of a tenant in another directory is not known
        /// here.
        var issuer: String { "\(base)/\(tenant == Seed().tenantDomain ? Seed().tenantID : tenant)/v2.0" }
    }

    private static func remark(on trust: TrustFiles) -> String {
        guard let system = trust.systemAuthorities else {
            return "This system has no file of authorities, so \(trust.bundle.path) trusts only the emulator."
        }
        return """
            The setting replaces the client's own authorities, so \(trust.bundle.path) also contains those of \(system.path); \
            run this again after they have changed.
            """
    }

    /// The variables and the remarks of one client.
    typealias ClientSpecific = (variables: [(String, String)], remarks: [String])

    private static func settings(for client: ClientKind, at place: EmulatorLocation) -> ClientSpecific {
        switch client {
        case .msal:
            (
                [
                    ("MSAL_CA_FILE", place.authority), ("MSAL_AUTHORITY", "\(place.base)/\(place.tenant)"),
                    ("MSAL_CLIENT_ID", Seed().clientID), ("MSAL_PROFILE", ""),
                    ("MSAL_CONFIG", "\(place.home)/.config/entra-emulator/msal.yaml"),
                    // Empty variables count as unset. The user's own values are for another service.
                    ("MSAL_SCOPES", ""), ("MSAL_GRAPH_URL", ""), ("MSAL_REDIRECT_URI", ""),
                ],
                [
                    "msal uses the settings file in MSAL_CONFIG, which is separate from that of your own sign-ins.",
                    "The client ID belongs to the default directory; with your own seed file, use one of its apps.",
                ]
            )
        case .msalPython:
            (
                [("REQUESTS_CA_BUNDLE", place.bundle)],
                [
                    """
                    msal.PublicClientApplication(CLIENT_ID, authority=os.environ["ENTRA_EMULATOR_AUTHORITY"], \
                    instance_discovery=False)
                    """
                ]
            )
        case .azureIdentity:
            (
                [
                    ("REQUESTS_CA_BUNDLE", place.bundle), ("SSL_CERT_FILE", place.bundle),
                    ("AZURE_AUTHORITY_HOST", place.base), ("AZURE_TENANT_ID", place.tenant),
                ],
                [
                    "DefaultAzureCredential(disable_instance_discovery=True), and the same for every other credential.",
                    "AZURE_CLIENT_ID and AZURE_CLIENT_SECRET belong to an app in the directory.",
                ]
            )
        case .node:
            (
                [("NODE_EXTRA_CA_CERTS", place.authority)],
                [
                    """
                    new msal.PublicClientApplication({ auth: { clientId, authority: \
                    process.env.ENTRA_EMULATOR_AUTHORITY, knownAuthorities: ["\(place.host)"] } })
                    """,
                    "Node reads the variable when it starts.",
                ]
            )
        case .go:
            (
                [("SSL_CERT_FILE", place.bundle)],
                [
                    """
                    public.New(clientID, public.WithAuthority(os.Getenv("ENTRA_EMULATOR_AUTHORITY")), \
                    public.WithInstanceDiscovery(false))
                    """,
                    "Go reads the variable only on Linux.",
                ]
            )
        case .curl:
            (
                [("CURL_CA_BUNDLE", place.bundle)],
                [#"curl "$ENTRA_EMULATOR_AUTHORITY/v2.0/.well-known/openid-configuration""#]
            )
        case .az: azureCommandLine(at: place)
        case .managedIdentity:
            (
                [],
                [
                    "Start the emulator with --managed-identity.",
                    "A program uses one of the hosts in its environment: unset the variables of the others.",
                ]
            )
        case .githubActions:
            (
                [
                    ("ACTIONS_ID_TOKEN_REQUEST_URL", "\(place.base)/issuers/github/token?api-version=2.0"),
                    ("ACTIONS_ID_TOKEN_REQUEST_TOKEN", FederatedIssuerSettings().requestToken),
                ] + workload(at: place),
                ["Start the emulator with --issuers. The address accepts repository, ref, environment, and others."]
            )
        case .azurePipelines:
            (
                [
                    ("SYSTEM_OIDCREQUESTURI", "\(place.base)/issuers/azure-pipelines/token"),
                    ("SYSTEM_ACCESSTOKEN", FederatedIssuerSettings().requestToken),
                    ("AZURESUBSCRIPTION_SERVICE_CONNECTION_ID", "contoso-connection"),
                ] + workload(at: place),
                ["Start the emulator with --issuers."]
            )
        case .dotnet, .java, .spring, .ruby, .php, .apache: platform(client, at: place)
        case .urlsession:
            (
                [],
                [
                    """
                    URLSession on Linux trusts the file of the system, /etc/ssl/certs/ca-certificates.crt or similar, and \
                    reads no variable.
                    """,
                    "This replaces the file for a single program:",
                    """
                    unshare --map-root-user --mount sh -c 'mount --bind "$1" /etc/ssl/certs/ca-certificates.crt; \
                    shift; exec "$@"' sh \(place.bundle.shellQuoted) PROGRAM
                    """,
                    "URLSession on macOS trusts only the keychain. AsyncHTTPClient accepts a file on both.",
                ]
            )
        }
    }

    /// The variables of a program that acts as the service app of the default directory.
    private static func workload(at place: EmulatorLocation) -> [(String, String)] {
        [
            ("AZURE_AUTHORITY_HOST", place.base), ("AZURE_TENANT_ID", place.tenant),
            ("AZURE_CLIENT_ID", Seed().serviceClientID), ("REQUESTS_CA_BUNDLE", place.bundle),
        ]
    }

    private static func azureCommandLine(at place: EmulatorLocation) -> ClientSpecific {
        (
            [
                ("REQUESTS_CA_BUNDLE", place.bundle), ("AZURE_CONFIG_DIR", "\(place.home)/.azure-entra-emulator"),
                ("AZURE_CORE_INSTANCE_DISCOVERY", "false"),
            ],
            [
                "Once, in the configuration folder above, which is separate from that of your own sign-ins:",
                "az cloud register --name EntraEmulator --endpoint-resource-manager \(place.base)",
                "az cloud set --name EntraEmulator",
                "Then: az login --tenant \(place.tenant)",
            ]
        )
    }
}

/// A client that `entra-emulator env` has settings for.
enum ClientKind: String, CaseIterable, ExpressibleByArgument {
    case msal
    case msalPython = "msal-python"
    case azureIdentity = "azure-identity"
    case node
    case go
    case curl
    case az
    case urlsession
    case managedIdentity = "managed-identity"
    case githubActions = "github-actions"
    case azurePipelines = "azure-pipelines"
    case dotnet, java, spring, ruby, php, apache
}
