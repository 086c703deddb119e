// Licensed under the MIT License. See LICENSE.

import Foundation

/// The directory every fresh emulator starts with. The values are fixed, so tests and tutorials may repeat them.
public struct Seed: Sendable {
    /// A person of the seed.
    public struct Person: Sendable {
        /// What is typed into the sign-in page.
        public let userPrincipalName: String
        /// The name shown to people.
        public let displayName: String
        /// Object id in the home tenant; `uid` of `client_info`.
        public let objectID: String
        /// The home tenant's id; `utid` of `client_info`.
        public let homeTenantID: String
    }

    /// `contoso.example`, an organization.
    public let tenantID = "11111111-1111-1111-1111-111111111111"
    /// The domain name of the organization.
    public let tenantDomain = "contoso.example"
    /// `fabrikam.example`, an External ID tenant; `/fabrikam` is a path of it.
    public let externalTenantID = "22222222-2222-2222-2222-222222222222"
    /// How apps write that tenant in the authority of native authentication.
    public let externalTenantAlias = "fabrikam.onmicrosoft.com"
    /// The tenant of personal accounts, also reached as `consumers`.
    public let personalTenantID = "9188040d-6c67-4c5b-b112-36a304b66dad"
    /// The password of everybody. It is published test data, not a secret.
    public let password = "Pa55-word!"
    /// The registered public client with `http://localhost` and `msauth.com.contoso.app://auth`.
    public let clientID = "00000000-0000-4000-8000-000000000001"
    /// An app that shares its refresh tokens with its family (`foci` 1).
    public let familyClientID = "00000000-0000-4000-8000-000000000006"
    /// Another app of that family.
    public let secondFamilyClientID = "00000000-0000-4000-8000-000000000007"
    /// The literal of Microsoft's tutorials, registered so that they run unchanged.
    public let tutorialClientID = "Your_Application_Id_Here"
    /// The sample to-do API; prefix of its scopes and audience of its tokens.
    public let apiIdentifier = "api://00000000-0000-4000-8000-0000000000a1"
    /// A second API with the same scope names.
    public let secondAPIIdentifier = "api://00000000-0000-4000-8000-0000000000a2"
    /// Reading the to-do list, fully written.
    public var toDoReadScope: String { "\(apiIdentifier)/ToDoList.Read" }
    /// Changing the to-do list, fully written.
    public var toDoReadWriteScope: String { "\(apiIdentifier)/ToDoList.ReadWrite" }
    /// A member of the organization.
    public let megan = Person(
        userPrincipalName: "megan@contoso.example",
        displayName: "Megan Bowen",
        objectID: "aaaaaaaa-0000-4000-8000-000000000001",
        homeTenantID: "11111111-1111-1111-1111-111111111111"
    )
    /// An administrator of the organization.
    public let alex = Person(
        userPrincipalName: "alex@contoso.example",
        displayName: "Alex Wilber",
        objectID: "aaaaaaaa-0000-4000-8000-000000000002",
        homeTenantID: "11111111-1111-1111-1111-111111111111"
    )
    /// A customer of the External ID tenant who is also a guest of the organization.
    public let guest = Person(
        userPrincipalName: "guest@fabrikam.example",
        displayName: "Robin Guest",
        objectID: "bbbbbbbb-0000-4000-8000-000000000001",
        homeTenantID: "22222222-2222-2222-2222-222222222222"
    )
    /// The owner of a personal account.
    public let dana = Person(
        userPrincipalName: "dana@personal.example",
        displayName: "Dana Personal",
        objectID: "00000000-0000-0000-0123-456789abcdef",
        homeTenantID: "9188040d-6c67-4c5b-b112-36a304b66dad"
    )
    /// Everybody.
    public var people: [Person] { [megan, alex, guest, dana] }

    /// The seed; there is only one.
    public init() {}
}

extension Seed {
    /// The tenants, applications and APIs.
    var directory: Directory {
        let redirects = ["http://localhost", "http://127.0.0.1", "msauth.com.contoso.app://auth"]
        return Directory(
            tenants: [
                Tenant(
                    id: tenantID,
                    kind: .workforce,
                    displayName: "Contoso",
                    domain: tenantDomain,
                    aliases: ["contoso", "contoso.onmicrosoft.com"]
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
                    domain: "personal.example",
                    aliases: []
                ),
            ],
            applications: [
                AppRegistration(
                    clientID: clientID,
                    displayName: "Contoso sample application",
                    redirectURIs: redirects,
                    singlePageRedirectURIs: ["https://app.contoso.example/spa"],
                    native: NativePolicy(),
                    consentedAudiences: consentedAudiences
                ),
                AppRegistration(
                    clientID: tutorialClientID,
                    displayName: "Tutorial application",
                    redirectURIs: redirects + [
                        "msauth.com.microsoft.identitysample.MSALiOS://auth", "msauth.com.microsoft.MSALiOS://auth",
                        "msauth.com.microsoft.identitysample.MSALMacOS://auth",
                    ],
                    native: NativePolicy(),
                    consentedAudiences: consentedAudiences
                ),
            ] + customerApplications(redirects) + familyApplications(redirects),
            resources: [graphResource] + [apiIdentifier, secondAPIIdentifier].map(toDoResource)
                + [
                    Resource(
                        audience: vaultAPIIdentifier,
                        identifiers: [vaultAPIIdentifier],
                        displayName: "Vault API",
                        scopes: [.init(name: "Vault.Open", summary: "Open your vault")],
                        isGraph: false,
                        requiresSecondFactor: true
                    ),
                    Resource(
                        audience: payrollAPIIdentifier,
                        identifiers: [payrollAPIIdentifier],
                        displayName: "Payroll API",
                        scopes: [.init(name: "Payroll.Read", summary: "Read your payroll")],
                        isGraph: false
                    ),
                ]
        )
    }

    /// The people as they are stored on the first start.
    var users: [User] { members + customerUsers }

    private var members: [User] {
        people.map { person in
            let names = person.displayName.split(separator: " ").map(String.init)
            var user = User(
                id: person.objectID,
                homeTenantID: person.homeTenantID,
                userPrincipalName: person.userPrincipalName,
                givenName: names.first ?? "",
                surname: names.dropFirst().joined(separator: " "),
                password: Secret(password)
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

    private var consentedAudiences: [String] {
        [graphAudience, apiIdentifier, secondAPIIdentifier, vaultAPIIdentifier]
    }

    private func familyApplications(_ redirects: [String]) -> [AppRegistration] {
        [familyClientID, secondFamilyClientID].map { id in
            AppRegistration(
                clientID: id,
                displayName: id == familyClientID ? "First app of a family" : "Second app of a family",
                redirectURIs: redirects,
                isInFamily: true
            )
        }
    }

    /// The apps of the External ID tenant's customers; each has one policy that differs from the usual.
    private func customerApplications(_ redirects: [String]) -> [AppRegistration] {
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
        let policies: [(String, String, NativePolicy?)] = [
            (attributesClientID, "App that asks for attributes", attributes),
            (codeClientID, "App without passwords", NativePolicy(signUpCredential: .emailCode)),
            (
                secondFactorClientID, "App that wants a second factor",
                NativePolicy(requiresSecondFactor: true, registrationChannels: [.email, .sms])
            ),
            (browserOnlyClientID, "App for browsers only", nil),
        ]
        return policies.map { id, name, policy in
            AppRegistration(
                clientID: id,
                displayName: name,
                redirectURIs: redirects,
                native: policy,
                consentedAudiences: consentedAudiences
            )
        }
    }

    private var graphAudience: String { "00000003-0000-0000-c000-000000000000" }

    private var graphResource: Resource {
        Resource(
            audience: graphAudience,
            identifiers: [
                "https://graph.microsoft.com", "https://graph.microsoft.us", "https://microsoftgraph.chinacloudapi.cn",
                graphAudience,
            ],
            displayName: "Microsoft Graph",
            scopes: [
                .init(name: "User.Read", summary: "Sign you in and read your profile"),
                .init(name: "User.ReadWrite", summary: "Read and change your profile"),
                .init(name: "User.ReadBasic.All", summary: "Read the basic profiles of all users"),
                .init(name: "Calendars.Read", summary: "Read your calendars"),
                .init(name: "Contacts.Read", summary: "Read your contacts"),
                .init(name: "Files.Read", summary: "Read your files"),
                .init(name: "Mail.Read", summary: "Read your mail"),
                .init(name: "Mail.Send", summary: "Send mail as you"),
                .init(name: "People.Read", summary: "Read the list of people relevant to you"),
                .init(name: "Tasks.Read", summary: "Read your tasks"),
                .init(
                    name: "Directory.Read.All",
                    summary: "Read the directory's data",
                    isAdministratorOnly: true
                ),
                .init(name: "Group.Read.All", summary: "Read all groups", isAdministratorOnly: true),
                .init(name: "User.Read.All", summary: "Read all users' profiles", isAdministratorOnly: true),
            ],
            isGraph: true
        )
    }

    private func toDoResource(_ identifier: String) -> Resource {
        Resource(
            audience: identifier,
            identifiers: [identifier, String(identifier.dropFirst("api://".count))],
            displayName: identifier == apiIdentifier ? "To-do API" : "Second to-do API",
            scopes: [
                .init(name: "ToDoList.Read", summary: "Read your to-do list"),
                .init(name: "ToDoList.ReadWrite", summary: "Read and change your to-do list"),
            ],
            isGraph: false
        )
    }
}
