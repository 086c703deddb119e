// Licensed under the MIT License. See LICENSE.

/// The IDs and names of `EmulatorDirectory.seed`. They never change, so tests and tutorials may rely on them.
public struct Seed: Sendable {
    /// A user in the default directory.
    public struct Person: Sendable {
        /// The name that is entered on the sign-in page.
        public let userPrincipalName: String
        /// The display name.
        public let displayName: String
        /// The object ID in the home tenant; `uid` of `client_info`.
        public let objectID: String
        /// The home tenant's ID; `utid` of `client_info`.
        public let homeTenantID: String
    }

    /// `contoso.example`, an organization.
    public let tenantID = "11111111-1111-1111-1111-111111111111"
    /// The domain name of the organization.
    public let tenantDomain = "contoso.example"
    /// `fabrikam.example`, an External ID tenant, also available as `/fabrikam`.
    public let externalTenantID = "22222222-2222-2222-2222-222222222222"
    /// The name of that tenant in the authority for native authentication, as apps write it.
    public let externalTenantAlias = "fabrikam.onmicrosoft.com"
    /// The tenant for personal accounts, also available as `consumers`.
    public let personalTenantID = "9188040d-6c67-4c5b-b112-36a304b66dad"
    /// The password of all users. It is published test data, not a secret.
    public let password = "Pa55-word!"
    /// The registered public client with `http://localhost` and `msauth.com.contoso.app://auth`.
    public let clientID = "00000000-0000-4000-8000-000000000001"
    /// An app that shares its refresh tokens with its family (`foci` 1).
    public let familyClientID = "00000000-0000-4000-8000-000000000006"
    /// The client ID of another app of that family.
    public let secondFamilyClientID = "00000000-0000-4000-8000-000000000007"
    /// The placeholder in Microsoft's tutorials, registered so that they run unchanged.
    public let tutorialClientID = "Your_Application_Id_Here"
    /// A web application with a secret, which signs users in and also requests app-only tokens.
    public let serviceClientID = "00000000-0000-4000-8000-000000000010"
    /// The secret of that application, and of the sample to-do API as a client of other APIs. It is published test
    /// data.
    public let serviceSecret = "Emulator-secret-1"
    /// The sample to-do API: the prefix of its scopes. The audience of its tokens is only the GUID.
    public let apiIdentifier = "api://00000000-0000-4000-8000-0000000000a1"
    /// A second API with the same scope names.
    public let secondAPIIdentifier = "api://00000000-0000-4000-8000-0000000000a2"
    /// The fully qualified scope for reading the to-do list.
    public var toDoReadScope: String { "\(apiIdentifier)/ToDoList.Read" }
    /// The fully qualified scope for changing the to-do list.
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
    /// A customer of the External ID tenant who is also a guest in the organization.
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
    /// The users who are not customers for a specific situation.
    public var people: [Person] { [megan, alex, guest, dana] }

    /// Creates the seed, which always has the same values.
    public init() {}
}
