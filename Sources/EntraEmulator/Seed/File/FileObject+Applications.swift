// Licensed under the MIT License. See LICENSE.

/// Applications and APIs of a directory file.
extension FileObject {
    /// One of `applications`.
    static let application = FileObject(
        "application",
        summary: "An app registration.",
        keys: EmulatorDirectory.Application.CodingKeys.self
    ) { key in
        switch key {
        case .clientID: .required(.text, summary: "The client id, a GUID or any other text without spaces.")
        case .displayName: .optional(.text, summary: "The name shown on the pages. Without it, the client id.")
        case .kind:
            .optional(
                .choice(of: EmulatorDirectory.Application.Kind.self),
                default: "public",
                summary: "A desktop, mobile or command-line app; an app on a server; a page with scripts; or a service."
            )
        case .redirectURIs: .optional(.list(.text(.uri)), default: [], summary: "The redirect URIs of its type.")
        case .webRedirectURIs:
            .optional(
                .list(.text(.uri)),
                default: [],
                summary: "Redirect URIs of a web app, for an app of another type."
            )
        case .singlePageRedirectURIs:
            .optional(.list(.text(.uri)), default: [], summary: "Redirect URIs of a page, for an app of another type.")
        case .secrets:
            .optional(
                .list(.shortened(.secret, to: "value")),
                default: [],
                summary: "The secrets of a confidential client."
            )
        case .certificates:
            .optional(
                .list(.shortened(.certificate, to: "pem")),
                default: [],
                summary: "The certificates with which it signs assertions."
            )
        case .federatedCredentials:
            .optional(
                .list(.object(.federatedCredential)),
                default: [],
                summary: "The foreign identities that may act as the application."
            )
        case .allowsPublicFlows:
            .optional(
                .flag,
                summary: "Whether device code and password sign-ins need no secret. Without it, only of public apps."
            )
        case .optionalClaims:
            .optional(.texts, default: [], summary: "Optional claims of its id tokens: groups, upn, email and so on.")
        case .grantedScopes:
            .optional(
                .table(.texts),
                default: [:],
                summary: "The scopes to which an administrator has consented, by a name of the API; '*' means all."
            )
        case .grantedRoles:
            .optional(.table(.texts), default: [:], summary: "The app roles that it was given, by a name of the API.")
        case .isInFamily:
            .optional(.flag, default: false, summary: "Whether it shares refresh tokens with its family (foci 1).")
        case .nativeAuthentication:
            .optional(.object(.nativePolicy), summary: "Native authentication of customers. Without it, switched off.")
        case .consentedAudiences:
            .optional(
                .texts,
                default: [],
                summary: "The APIs that customers of an External ID tenant are not asked about."
            )
        }
    }

    /// One of `secrets` of an application.
    static let secret = FileObject(
        "secret",
        summary: "A secret of a confidential client.",
        keys: EmulatorDirectory.ClientSecret.CodingKeys.self
    ) { key in
        switch key {
        case .value: .required(.text(.secret), summary: "The secret itself.")
        case .name: .optional(.text, summary: "What it is called.")
        case .expiresAt: .optional(.text(.date), summary: "The end of its life (AADSTS7000222 from then on).")
        }
    }

    /// One of `certificates` of an application.
    static let certificate = FileObject(
        "certificate",
        summary: "A certificate with which a confidential client signs assertions: pem, or file.",
        adding: [
            FileMember.optional(
                .textFile(of: EmulatorDirectory.ClientCertificate.CodingKeys.pem.stringValue),
                summary: "The name of a PEM file, as seen from the folder of this file."
            )
            .named("file")
        ],
        keys: EmulatorDirectory.ClientCertificate.CodingKeys.self
    ) { key in
        switch key {
        case .pem: .required(.text, summary: "The certificate in PEM; its key is RSA.")
        case .subject:
            .optional(.text, summary: "With a subject, the certificate is the issuer of those that count (in x5c).")
        }
    }

    /// One of `federatedCredentials` of an application.
    static let federatedCredential = FileObject(
        "federated credential",
        summary: "A foreign identity that may act as the application.",
        keys: EmulatorDirectory.FederatedCredential.CodingKeys.self
    ) { key in
        switch key {
        case .issuer: .required(.text(.uri), summary: "iss of its tokens, letter by letter.")
        case .subject: .required(.text, summary: "sub of its tokens, letter by letter.")
        case .audiences:
            .optional(
                .texts,
                default: [.string(EmulatorDirectory.FederatedCredential.standardAudience)],
                summary: "The values of aud of which its tokens have one."
            )
        case .name: .optional(.text, summary: "What it is called.")
        case .keys:
            .optional(
                .list(.object(.jsonWebKey)),
                summary: "The issuer's keys. Without them, they are read from the issuer when a token needs them."
            )
        }
    }

    /// One of `keys` of a federated credential.
    static let jsonWebKey = FileObject(
        "key",
        summary: "A public RSA key, as a JSON web key.",
        adding: ["use", "alg", "x5t", "x5c"].map { name in
            FileMember.optional(name == "x5c" ? .texts : .text, summary: "Not read; issuers show it.").named(name)
        },
        keys: EmulatorDirectory.JSONWebKey.CodingKeys.self
    ) { key in
        switch key {
        case .keyType: .required(.choice(["RSA"]), summary: "The kind of key.")
        case .keyID: .optional(.text, summary: "The name by which tokens name the key.")
        case .modulus: .required(.text, summary: "The modulus in base64url, of 2048 bits or more.")
        case .exponent: .required(.text, summary: "The exponent in base64url, such as AQAB.")
        }
    }

    /// `nativeAuthentication` of an application.
    static let nativePolicy = FileObject(
        "policy",
        summary: "What native authentication asks of customers.",
        keys: NativePolicy.CodingKeys.self
    ) { key in
        switch key {
        case .signUpCredential:
            .optional(
                .choice(["password", "emailCode"]),
                default: "password",
                summary: "What new customers sign in with."
            )
        case .attributes:
            .optional(.list(.object(.attribute)), default: [], summary: "What new customers are asked for.")
        case .requiresSecondFactor:
            .optional(.flag, default: false, summary: "Whether customers with a password need a second factor.")
        case .registrationChannels:
            .optional(
                .list(.choice(["email", "sms"])),
                default: ["email"],
                summary: "How a second factor can be registered, the usual way first."
            )
        case .allowsPasswordReset:
            .optional(.flag, default: true, summary: "Whether customers may reset their passwords (AADSTS500222).")
        case .v2:
            .optional(.object(.nativeV2), summary: "The branches of native authentication V2 that its customers meet.")
        }
    }

    /// One of `attributes` of a policy.
    static let attribute = FileObject(
        "attribute",
        summary: "An attribute of the sign-up.",
        keys: AttributeRule.CodingKeys.self
    ) { key in
        switch key {
        case .name: .required(.text, summary: "A built-in name, or extension_{app id without hyphens}_{name}.")
        case .kind:
            .optional(
                .choice(["string", "boolean", "integer", "date"]),
                default: "string",
                summary: "The type of its values."
            )
        case .isRequired: .optional(.flag, default: true, summary: "Whether a customer has to give a value.")
        case .pattern: .optional(.text, summary: "The regular expression that a value has to match as a whole.")
        case .options: .optional(.texts, default: [], summary: "The only values that are allowed.")
        }
    }

    /// One of `apis`.
    static let api = FileObject(
        "API",
        summary: "A protected API and the permissions that it offers.",
        keys: EmulatorDirectory.API.CodingKeys.self
    ) { key in
        switch key {
        case .audience: .required(.text, summary: "The client id of the API: aud of its tokens of version 2.")
        case .identifiers: .optional(.texts, default: [], summary: "The prefixes of its scopes, such as api://tasks.")
        case .displayName: .optional(.text, summary: "The name on the consent page. Without it, the client id.")
        case .scopes:
            .optional(.list(.shortened(.scope, to: "name")), default: [], summary: "The delegated permissions.")
        case .roles: .optional(.list(.shortened(.role, to: "value")), default: [], summary: "The app roles.")
        case .acceptedTokenVersion:
            .optional(.number(1...2), default: 1, summary: "The version of its access tokens, at every endpoint.")
        case .optionalClaims: .optional(.texts, default: [], summary: "Optional claims of its access tokens.")
        case .requiresSecondFactor:
            .optional(.flag, default: false, summary: "Whether its tokens need a second factor (AADSTS50076).")
        case .toDoListPath: .optional(.text, summary: "The path below /api at which the emulator serves a to-do list.")
        }
    }

    /// One of `scopes` of an API.
    static let scope = FileObject(
        "scope",
        summary: "A delegated permission.",
        keys: EmulatorDirectory.API.Scope.CodingKeys.self
    ) { key in
        switch key {
        case .name: .required(.text, summary: "The name, such as Tasks.Read.")
        case .summary: .optional(.text, summary: "The sentence on the consent page. Without it, the name.")
        case .isAdministratorOnly:
            .optional(.flag, default: false, summary: "Whether only an administrator can consent (AADSTS90094).")
        }
    }

    /// One of `appRoles` of an API.
    static let role = FileObject(
        "app role",
        summary: "A permission of applications, or a role of people.",
        keys: EmulatorDirectory.API.Role.CodingKeys.self
    ) { key in
        switch key {
        case .value: .required(.text, summary: "The value in the claim roles, such as Tasks.Read.All.")
        case .summary: .optional(.text, summary: "The sentence about it. Without it, the value.")
        case .members: .optional(.texts, default: [], summary: "The users and groups that have the role.")
        }
    }
}
