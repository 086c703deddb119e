// Licensed under the MIT License. See LICENSE.

import Foundation

extension EmulatorDirectory {
    /// The default directory of an emulator; `Seed` contains its IDs and names.
    public static var seed: EmulatorDirectory {
        let seed = Seed()
        var directory = EmulatorDirectory(
            tenants: seed.tenants,
            users: seed.members + seed.customerAccounts,
            applications: seed.applications,
            apis: seed.apis,
            blockedContacts: [seed.blockedContacts.domain, seed.blockedContacts.telephone]
        )
        directory.groups = seed.groups
        directory.managedIdentities = seed.managedIdentities
        directory.resources = KnownResource.all.compactMap(\.uris.first)
        var stepUp = EmulatorDirectory.AccessPolicy(name: "Step-up", grant: [.mfa])
        stepUp.authenticationContext = "c1"
        directory.policies = [stepUp]
        return directory
    }
}

extension Seed {
    fileprivate var tenants: [EmulatorDirectory.Tenant] {
        [
            Tenant(
                id: tenantID,
                kind: .workforce,
                displayName: "Contoso",
                domain: tenantDomain,
                aliases: ["contoso", "contoso.onmicrosoft.com"],
                allowsPasswordGrant: true
            ),
            Tenant(
                id: externalTenantID,
                kind: .external,
                displayName: "Fabrikam",
                domain: "fabrikam.example",
                aliases: ["fabrikam", externalTenantAlias]
            ),
            Tenant(
                id: personalTenantID,
                kind: .personal,
                displayName: "Personal accounts",
                domain: "personal.example"
            ),
        ]
    }

    // MARK: Users

    fileprivate var members: [EmulatorDirectory.User] {
        people.map { person in
            var user = EmulatorDirectory.User(
                id: person.objectID,
                tenant: person.homeTenantID,
                userPrincipalName: person.userPrincipalName,
                displayName: person.displayName,
                password: password
            )
            user.preferredLanguage = "en-US"
            switch person.objectID {
            case megan.objectID:
                user.jobTitle = "Marketing Manager"
                user.officeLocation = "12/1110"
                user.businessPhones = ["+1 555 0100"]
                user.mobilePhone = "+1 555 0101"
            case alex.objectID:
                user.jobTitle = "Administrator"
                user.isAdministrator = true
            case guest.objectID:
                user.guestObjectIDs = [tenantID: "aaaaaaaa-0000-4000-8000-000000000009"]
            default: break
            }
            return user
        }
    }

    fileprivate var customerAccounts: [EmulatorDirectory.User] {
        customers.map { customer in
            var user = EmulatorDirectory.User(
                id: customer.objectID,
                tenant: externalTenantID,
                userPrincipalName: customer.address,
                displayName: "\(customer.address.prefix { $0 != "@" }.capitalized) Customer",
                // The page of the other identity provider belongs to the emulator, so its password is the same.
                password: customer.profile.credential == .emailCode ? nil : password,
                customer: customer.profile
            )
            user.preferredLanguage = "en-US"
            user.isEnabled = customer.isEnabled
            return user
        }
    }

    // MARK: Groups and identities

    fileprivate var groups: [EmulatorDirectory.Group] {
        [
            .init(
                id: "dddddddd-0000-4000-8000-000000000001",
                tenant: tenantID,
                displayName: "Marketing",
                members: [megan.userPrincipalName]
            ),
            .init(
                id: "dddddddd-0000-4000-8000-000000000002",
                tenant: tenantID,
                displayName: "All of Contoso",
                members: [megan.userPrincipalName, alex.userPrincipalName]
            ),
        ]
    }

    fileprivate var managedIdentities: [EmulatorDirectory.ManagedIdentity] {
        var system = EmulatorDirectory.ManagedIdentity(
            name: "contoso-machine",
            tenant: tenantID,
            clientID: "00000000-0000-4000-8000-000000000020",
            objectID: "eeeeeeee-0000-4000-8000-000000000020"
        )
        system.grantedRoles = [API.microsoftGraph.audience: ["User.Read.All"]]
        var user = EmulatorDirectory.ManagedIdentity(
            name: "contoso-identity",
            tenant: tenantID,
            clientID: "00000000-0000-4000-8000-000000000021",
            objectID: "eeeeeeee-0000-4000-8000-000000000021",
            resourceID: "/subscriptions/00000000-0000-4000-8000-0000000000f1/resourceGroups/contoso/providers/"
                + "Microsoft.ManagedIdentity/userAssignedIdentities/contoso-identity"
        )
        user.grantedRoles = [apiIdentifier: ["ToDoList.Read.All"]]
        return [system, user]
    }

    // MARK: Applications

    private var redirects: [String] {
        [
            "http://localhost", "http://127.0.0.1", "msauth.com.contoso.app://auth", "msauth.com.contoso.notes://auth",
            // The redirect URI for tokens from an identity broker.
            "https://login.microsoftonline.com/common/oauth2/nativeclient",
        ]
    }

    fileprivate var applications: [EmulatorDirectory.Application] {
        var sample = application(clientID, named: "Contoso sample application", native: NativePolicy())
        sample.singlePageRedirectURIs = ["https://app.contoso.example/spa"]
        // Azure DevOps, registries, and Kubernetes: the helpers of git, Docker, and kubectl request tokens without a
        // page.
        sample.grantedScopes = [
            "499b84ac-1321-427f-aa17-267ca6975798": ["*"], "6a0ec4d3-30cb-4a83-91c0-ae56bc0e3d26": ["*"],
            "6dae42f8-4368-4678-94ff-3960e28e3630": ["*"],
        ]
        var tutorial = application(tutorialClientID, named: "Tutorial application", native: NativePolicy())
        tutorial.redirectURIs += [
            "msauth.com.microsoft.identitysample.MSALiOS://auth", "msauth.com.microsoft.MSALiOS://auth",
            "msauth.com.microsoft.identitysample.MSALMacOS://auth",
        ]
        return [sample, tutorial] + customerApplications + familyApplications + serviceApplications
    }

    /// A web application with a secret, the to-do API as a client of other APIs, and the Azure CLI.
    private var serviceApplications: [EmulatorDirectory.Application] {
        var service = EmulatorDirectory.Application(
            clientID: serviceClientID,
            displayName: "Contoso service",
            kind: .web,
            redirectURIs: [
                "http://localhost", "http://localhost/auth", "http://localhost/authorize", "http://localhost/callback",
                "http://localhost/getAToken",
                "http://localhost/oidc/callback/", "https://localhost:5001/signin-oidc",
                "https://localhost:5001/signout-callback-oidc",
            ]
        )
        service.secrets = [.init(serviceSecret, name: "the seed's")]
        service.grantedRoles = [
            API.microsoftGraph.audience: ["User.Read.All", "Directory.Read.All", "Application.ReadWrite.All"],
            apiIdentifier: ["ToDoList.Read.All"],
        ]
        // Addresses without a port match this emulator's own issuers, whichever port it listens on.
        service.federatedCredentials = [
            .init(issuer: "https://localhost/issuers/github", subject: "repo:contoso/app:ref:refs/heads/main"),
            .init(issuer: "https://localhost/issuers/azure-pipelines", subject: "sc://contoso/app/contoso-connection"),
            .init(issuer: "https://localhost/issuers/kubernetes", subject: "system:serviceaccount:default:app"),
        ]
        var middleTier = EmulatorDirectory.Application(
            clientID: Self.clientID(of: apiIdentifier),
            displayName: "To-do API",
            kind: .api,
            redirectURIs: ["http://localhost/oauth/callback"]
        )
        middleTier.secrets = [.init(serviceSecret, name: "the seed's")]
        middleTier.grantedScopes = [API.microsoftGraph.audience: ["User.Read"], secondAPIIdentifier: ["*"]]
        var commandLine = EmulatorDirectory.Application(
            clientID: "04b07795-8ddb-461a-bbee-02f9e1bf7b46",
            displayName: "Microsoft Azure CLI",
            redirectURIs: ["http://localhost"]
        )
        commandLine.isInFamily = true
        commandLine.grantedScopes = [
            API.azureResourceManager.audience: ["*"], API.microsoftGraph.audience: ["User.Read"],
        ]
        return [service, middleTier, commandLine]
    }

    /// An application with admin consent for its customers.
    private func application(
        _ id: String,
        named name: String,
        native: NativePolicy?
    ) -> EmulatorDirectory.Application {
        var application = EmulatorDirectory.Application(clientID: id, displayName: name, redirectURIs: redirects)
        application.nativeAuthentication = native
        application.consentedAudiences = [
            API.microsoftGraph.audience, apiIdentifier, secondAPIIdentifier, vaultAPIIdentifier,
        ]
        return application
    }

    /// The applications for customers of the External ID tenant; each has one policy that differs from the default.
    private var customerApplications: [EmulatorDirectory.Application] {
        let attributes = NativePolicy(
            attributes: [
                AttributeRule(name: "displayName", pattern: ".{1,64}"),
                AttributeRule(name: "postalCode", pattern: "[0-9]{5}"),
                AttributeRule(name: "country", isRequired: false, options: ["Austria", "Germany", "Switzerland"]),
                AttributeRule(
                    name: "extension_\(attributesClientID.filter { $0 != "-" })_newsletter",
                    kind: .boolean,
                    isRequired: false
                ),
            ]
        )
        let secondFactor = NativePolicy(requiresSecondFactor: true, registrationChannels: [.email, .sms])
        return [
            application(attributesClientID, named: "App that asks for attributes", native: attributes),
            application(
                codeClientID,
                named: "App without passwords",
                native: NativePolicy(signUpCredential: .emailCode)
            ),
            application(secondFactorClientID, named: "App that wants a second factor", native: secondFactor),
            application(browserOnlyClientID, named: "App for browsers only", native: nil),
        ]
    }

    private var familyApplications: [EmulatorDirectory.Application] {
        let names = [familyClientID: "First app of a family", secondFamilyClientID: "Second app of a family"]
        return names.sorted { $0.key < $1.key }.map { id, name in
            var app = EmulatorDirectory.Application(clientID: id, displayName: name, redirectURIs: redirects)
            app.isInFamily = true
            return app
        }
    }

    // MARK: APIs

    fileprivate var apis: [EmulatorDirectory.API] {
        [
            .microsoftGraph,
            toDoAPI(apiIdentifier, named: "To-do API", path: "/api/todos"),
            toDoAPI(secondAPIIdentifier, named: "Second to-do API", path: "/api2/todos"),
            API(
                audience: Self.clientID(of: vaultAPIIdentifier),
                identifiers: [vaultAPIIdentifier],
                displayName: "Vault API",
                scopes: [.init(name: "Vault.Open", summary: "Open your vault")],
                requiresSecondFactor: true
            ),
            API(
                audience: Self.clientID(of: payrollAPIIdentifier),
                identifiers: [payrollAPIIdentifier],
                displayName: "Payroll API",
                scopes: [.init(name: "Payroll.Read", summary: "Read your payroll")]
            ),
            .azureResourceManager,
        ]
    }

    private func toDoAPI(_ identifier: String, named name: String, path: String) -> EmulatorDirectory.API {
        var api = API(
            audience: Self.clientID(of: identifier),
            identifiers: [identifier],
            displayName: name,
            scopes: [
                .init(name: "ToDoList.Read", summary: "Read your to-do list"),
                .init(name: "ToDoList.ReadWrite", summary: "Read and change your to-do list"),
            ],
            toDoListPath: path
        )
        api.roles = [
            .init(value: "ToDoList.Read.All", summary: "Read all to-do lists"),
            .init(
                value: "ToDoList.Administrator",
                summary: "Administer to-do lists",
                members: [alex.userPrincipalName]
            ),
        ]
        return api
    }

    private static func clientID(of identifier: String) -> String { String(identifier.dropFirst("api://".count)) }
}
