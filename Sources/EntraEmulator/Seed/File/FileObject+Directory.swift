// Licensed under the MIT License. See LICENSE.

/// The whole file, and its lists of tenants, users and groups.
extension FileObject {
    /// A directory file.
    static let directory = FileObject(
        "directory",
        summary: "The directory of an Entra emulator: its tenants, people, applications and APIs.",
        adding: [
            FileMember.optional(.text, summary: "Where an editor finds this schema; the emulator does not read it.")
                .named("$schema"),
            FileMember.optional(
                .text(.secret),
                summary: "The password of every user who signs in with a password and has none written here."
            )
            .named("defaultPassword"),
        ],
        keys: EmulatorDirectory.CodingKeys.self
    ) { key in
        switch key {
        case .tenants: .required(.list(.object(.tenant)), summary: "The tenants; at least one.")
        case .users: .optional(.list(.object(.user)), default: [], summary: "The users.")
        case .groups: .optional(.list(.object(.group)), default: [], summary: "The groups of users.")
        case .applications:
            .optional(
                .list(.object(.application)),
                default: [],
                summary: "The app registrations. Every tenant knows them."
            )
        case .apis:
            .optional(.list(.object(.api)), summary: "The APIs. Microsoft Graph is added where it is missing.")
        case .blockedContacts:
            .optional(
                .texts,
                default: [],
                summary: "E-mail domains and telephone numbers to which no codes are sent (AADSTS550024)."
            )
        case .managedIdentities:
            .optional(.list(.object(.managedIdentity)), default: [], summary: "The managed identities of a machine.")
        case .native:
            .optional(
                .object(.nativeSettings),
                summary: "Lengths, limits and branches of native authentication. Without them, the usual ones."
            )
        }
    }

    /// One of `tenants`.
    static let tenant = FileObject(
        "tenant",
        summary: "A directory of users.",
        keys: EmulatorDirectory.Tenant.CodingKeys.self
    ) { key in
        switch key {
        case .id: .optional(.text(.guid), summary: "A GUID. Without it, one is derived from the domain.")
        case .kind:
            .optional(
                .choice(["workforce", "external", "personal"]),
                default: "workforce",
                summary: "An organization, an External ID tenant of customers, or the personal accounts."
            )
        case .displayName: .optional(.text, summary: "The name shown to people. Without it, the domain.")
        case .domain: .required(.text, summary: "The domain of its users, such as contoso.example.")
        case .aliases: .optional(.texts, default: [], summary: "Further names of the tenant in an authority.")
        case .policies:
            .optional(
                .texts,
                summary: "The Azure AD B2C policies of an External ID tenant. Without them, every B2C_1 name is one."
            )
        case .allowsPasswordGrant:
            .optional(.flag, default: false, summary: "Whether apps may send a user's name and password.")
        }
    }

    /// One of `users`.
    static let user = FileObject(
        "user",
        summary: "A person's account.",
        keys: EmulatorDirectory.User.CodingKeys.self
    ) { key in
        switch key {
        case .id: .optional(.text(.guid), summary: "The object id, a GUID. Without it, one is derived from the name.")
        case .tenant:
            .optional(.text, summary: "The home tenant by id, domain or alias. Without it, that of the domain.")
        case .userPrincipalName: .required(.text, summary: "The name typed at sign-in, such as ada@contoso.example.")
        case .displayName: .optional(.text, summary: "The name shown to people. Without it, the name typed at sign-in.")
        case .givenName: .optional(.text, summary: "The given name. Without it, the first word of displayName.")
        case .surname: .optional(.text, summary: "The family name. Without it, the other words of displayName.")
        case .password: .optional(.text(.secret), summary: "The password. Without it, defaultPassword.")
        case .passwordDigest:
            .optional(.text(.secret), summary: "A password of which only the digest is known, as an export writes it.")
        case .jobTitle: .optional(.text, summary: "jobTitle in Microsoft Graph.")
        case .mobilePhone: .optional(.text, summary: "mobilePhone in Microsoft Graph.")
        case .businessPhones: .optional(.texts, default: [], summary: "businessPhones in Microsoft Graph.")
        case .officeLocation: .optional(.text, summary: "officeLocation in Microsoft Graph.")
        case .preferredLanguage: .optional(.text, summary: "preferredLanguage in Microsoft Graph.")
        case .isAdministrator:
            .optional(.flag, default: false, summary: "Whether the user may consent to scopes for administrators.")
        case .isEnabled: .optional(.flag, default: true, summary: "Whether the account may sign in (AADSTS50057).")
        case .guestObjectIDs:
            .optional(.table(.text(.guid)), default: [:], summary: "The object id in each tenant that the user visits.")
        case .strongMethods:
            .optional(
                .list(.object(.strongMethod)),
                default: [],
                summary: "The methods for a second factor. A customer's are in the profile."
            )
        case .requiresSecondFactor:
            .optional(.flag, default: false, summary: "Whether every app needs a second factor.")
        case .customer:
            .optional(.object(.customer), summary: "The sign-in methods of a customer of an External ID tenant.")
        }
    }

    /// `customer` of a user.
    static let customer = FileObject(
        "customer",
        summary: "How a customer of an External ID tenant signs in.",
        keys: CustomerProfile.CodingKeys.self
    ) { key in
        switch key {
        case .credential:
            .optional(
                .choice(["password", "emailCode", "socialAccount"]),
                default: "password",
                summary: "The first factor of a sign-in."
            )
        case .strongMethods:
            .optional(.list(.object(.strongMethod)), default: [], summary: "The methods for a second factor.")
        case .requiresSecondFactor:
            .optional(.flag, default: false, summary: "Whether every app needs a second factor.")
        case .passwordState:
            .optional(
                .choice(["current", "expired", "mustChange"]),
                default: "current",
                summary: "Whether a right password is enough (AADSTS50055, AADSTS50142)."
            )
        case .isLocked: .optional(.flag, default: false, summary: "Whether the account is locked (AADSTS50053).")
        case .resetOutcome:
            .optional(
                .choice(["succeeds", "fails", "neverEnds"]),
                default: "succeeds",
                summary: "The result of a password reset."
            )
        case .attributes: .optional(.table(.text), default: [:], summary: "The attributes of the sign-up, by name.")
        case .v2:
            .optional(.object(.nativeV2), summary: "The branches of native authentication V2 that this customer meets.")
        }
    }

    /// One of `strongMethods` of a customer.
    static let strongMethod = FileObject(
        "strong method",
        summary: "A way to receive a second factor.",
        keys: StrongMethod.CodingKeys.self
    ) { key in
        switch key {
        case .id: .optional(.text, summary: "A GUID. Without it, one is derived from the address.")
        case .channel:
            .optional(.choice(["email", "sms"]), summary: "How a code travels. Without it, as the address tells.")
        case .address: .required(.text, summary: "An e-mail address, or a telephone number that begins with +.")
        case .isBlocked: .optional(.flag, default: false, summary: "Whether no codes are sent there (AADSTS550024).")
        }
    }

    /// One of `groups`.
    static let group = FileObject(
        "group",
        summary: "A group of users.",
        keys: EmulatorDirectory.Group.CodingKeys.self
    ) { key in
        switch key {
        case .id: .optional(.text(.guid), summary: "A GUID. Without it, one is derived from tenant and name.")
        case .tenant: .required(.text, summary: "The tenant by id, domain or alias.")
        case .displayName: .required(.text, summary: "The name shown to people.")
        case .members: .optional(.texts, default: [], summary: "The names or object ids of its users.")
        }
    }

    /// One of `managedIdentities`.
    static let managedIdentity = FileObject(
        "managed identity",
        summary: "An identity that a machine in the cloud has.",
        keys: EmulatorDirectory.ManagedIdentity.CodingKeys.self
    ) { key in
        switch key {
        case .name: .required(.text, summary: "The name.")
        case .tenant: .required(.text, summary: "The tenant by id, domain or alias.")
        case .clientID: .optional(.text(.guid), summary: "A GUID. Without it, one is derived from tenant and name.")
        case .objectID: .optional(.text(.guid), summary: "A GUID. Without it, one is derived from tenant and name.")
        case .resourceID:
            .optional(
                .text,
                summary: "/subscriptions/… of a user-assigned identity. Without it, the system assigned it."
            )
        case .grantedRoles:
            .optional(.table(.texts), default: [:], summary: "The app roles that it was given, by a name of the API.")
        }
    }
}
