// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import MSALBase

/// An account in the store, with a digest of its password.
struct User: Sendable, Codable, Equatable {
    /// The object ID in the home tenant, a lower-case GUID.
    var id: String
    var homeTenantID: String
    var userPrincipalName: String
    var displayName: String
    var givenName: String
    var surname: String
    var jobTitle: String?
    var mobilePhone: String?
    var officeLocation: String?
    var preferredLanguage: String?
    var department: String?
    /// The object ID or the name of the manager.
    var manager: String?
    /// A photo in base64.
    var photo: String?
    var businessPhones: [String] = []
    /// Further properties of Microsoft Graph, and directory extensions.
    var attributes: [String: String]?
    /// Whether the user may consent to permissions that require an administrator.
    var isAdministrator = false
    /// A disabled account cannot sign in (AADSTS50057).
    var isEnabled = true
    /// The object IDs in the tenants in which the user is a guest, by tenant ID.
    var guestObjectIDs: [String: String] = [:]
    /// The methods for a second factor; a customer's are in the profile.
    private var strongMethods: [StrongMethod]?
    private var needsSecondFactor: Bool?
    private var hasLock: Bool?
    private var stateOfPassword: CustomerProfile.PasswordState?
    /// The policies whose terms of use the user has accepted, by ID.
    private(set) var acceptedTerms: Set<String>?
    /// The time at which the user last set a password.
    private(set) var passwordChangedAt: Date?
    /// The profile of a customer of an External ID tenant; `nil` for other users.
    var customer: CustomerProfile?
    /// The ID of the agent whose user account this is, in lower case; `nil` for a person.
    var agent: String?
    /// Sessions and refresh tokens of earlier sign-ins are invalid (AADSTS50173).
    private(set) var sessionsValidFrom: Date?
    private var salt: String
    private var passwordDigest: String
    private var formerDigests: [String]?

    init(
        id: String,
        homeTenantID: String,
        userPrincipalName: String,
        givenName: String,
        surname: String,
        password: Secret
    ) {
        self.id = id
        self.homeTenantID = homeTenantID
        self.userPrincipalName = userPrincipalName
        self.givenName = givenName
        self.surname = surname
        displayName = surname.isEmpty ? givenName : "\(givenName) \(surname)"
        let salt = Secret.random(bytes: 16).exposed
        self.salt = salt
        passwordDigest = Self.digest(password, salt: salt)
    }

    /// Creates the account of a user in a directory.
    init(_ user: EmulatorDirectory.User, homeTenantID: String) {
        let names = Self.names(in: user.displayName)
        self.init(
            id: user.id.lowercased(),
            homeTenantID: homeTenantID,
            userPrincipalName: user.userPrincipalName,
            givenName: user.givenName ?? names.given,
            surname: user.surname ?? names.family,
            // A user without a password gets a random one that is never revealed.
            password: user.password.map { Secret($0) } ?? .random()
        )
        if user.password == nil, let digest = user.passwordDigest.flatMap({ Self.parts(of: $0) }) {
            (salt, passwordDigest) = digest
        }
        if !user.displayName.isEmpty { displayName = user.displayName }
        jobTitle = user.jobTitle
        mobilePhone = user.mobilePhone
        officeLocation = user.officeLocation
        preferredLanguage = user.preferredLanguage
        (department, manager, photo) = (user.department, user.manager, user.photo)
        businessPhones = user.businessPhones
        attributes = user.attributes.isEmpty ? nil : user.attributes
        (isAdministrator, agent) = (user.isAdministrator, user.agent?.lowercased())
        isEnabled = user.isEnabled
        strongMethods = user.strongMethods.isEmpty ? nil : user.strongMethods
        needsSecondFactor = user.requiresSecondFactor ? true : nil
        keepSignInBlocks(of: user)
    }

    /// The names of ``attributes`` other than directory extensions.
    static let attributeNames = [
        "ageGroup", "city", "companyName", "country", "employeeId", "faxNumber", "onPremisesImmutableId",
        "onPremisesSamAccountName", "onPremisesSecurityIdentifier", "postalCode", "preferredDataLocation", "state",
        "streetAddress", "usageLocation",
    ]

    /// The methods for a second factor.
    var secondFactors: [StrongMethod] { customer?.strongMethods ?? strongMethods ?? [] }
    /// Whether every app requires a second factor.
    var requiresSecondFactor: Bool { customer?.requiresSecondFactor ?? needsSecondFactor ?? false }

    /// Whether the account is locked until its password is changed.
    var isLocked: Bool { customer?.isLocked ?? hasLock ?? false }
    /// Whether a correct password is enough.
    var passwordState: CustomerProfile.PasswordState { customer?.passwordState ?? stateOfPassword ?? .current }

    /// Adds a method for a second factor.
    mutating func register(_ method: StrongMethod) {
        if customer == nil {
            strongMethods = (strongMethods ?? []) + [method]
        } else {
            customer?.strongMethods.append(method)
        }
    }

    /// Accepts the terms of use of policies.
    mutating func acceptTerms(of policies: [String]) {
        acceptedTerms = (acceptedTerms ?? []).union(policies)
    }

    /// Splits a display name into the given name and the family name.
    static func names(in displayName: String) -> (given: String, family: String) {
        let words = displayName.split(separator: " ").map(String.init)
        return (words.first ?? "", words.dropFirst().joined(separator: " "))
    }

    /// The password as a text that only an emulator can use: its salt and its digest.
    var exportedPassword: String { "\(salt):\(passwordDigest)" }

    /// Whether a text is an exported password.
    static func isDigest(_ text: String) -> Bool { parts(of: text) != nil }

    private static func parts(of text: String) -> (salt: String, digest: String)? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty, parts[1].count == 43 else { return nil }
        return (parts[0], parts[1])
    }

    /// Takes over the password and the valid sign-ins of the account that this one replaces.
    mutating func keepPassword(of other: User) {
        (salt, passwordDigest, formerDigests) = (other.salt, other.passwordDigest, other.formerDigests)
        sessionsValidFrom = other.sessionsValidFrom
        (acceptedTerms, passwordChangedAt) = (other.acceptedTerms, other.passwordChangedAt)
    }

    /// Takes over the state of the account from a user in a directory.
    mutating func keepSignInBlocks(of user: EmulatorDirectory.User) {
        customer = user.customer
        hasLock = user.isLocked ? true : nil
        stateOfPassword = user.passwordState == .current ? nil : user.passwordState
    }

    /// Whether the password is correct; compared in constant time.
    func accepts(_ password: Secret) -> Bool {
        Secret(Self.digest(password, salt: salt)) == Secret(passwordDigest)
    }

    /// Whether the password is the current one or one of the last 24.
    func hasUsed(_ password: Secret) -> Bool {
        let digest = Secret(Self.digest(password, salt: salt))
        return ([passwordDigest] + (formerDigests ?? [])).contains { Secret($0) == digest }
    }

    /// Whether a sign-in at a time is still valid, because the password has not changed since.
    func accepts(signInAt date: Date) -> Bool {
        sessionsValidFrom.map { date >= $0 } ?? true
    }

    /// Sets a new password, and invalidates sign-ins with the old one.
    mutating func replacePassword(with password: Secret, at now: Date) {
        formerDigests = [passwordDigest] + (formerDigests ?? []).prefix(23)
        passwordDigest = Self.digest(password, salt: salt)
        sessionsValidFrom = now
        passwordChangedAt = now
        customer?.passwordState = .current
        customer?.isLocked = false
        (hasLock, stateOfPassword) = (nil, nil)
    }

    /// Ends all earlier sign-ins.
    mutating func endSignIns(at now: Date) {
        sessionsValidFrom = now
    }

    /// The object ID in a tenant, as a member or as a guest; `nil` if the user is unknown there.
    func objectID(in tenantID: String) -> String? {
        tenantID == homeTenantID ? id : guestObjectIDs[tenantID]
    }

    /// The names and IDs by which a group, a role, an application, or a policy may refer to the user, in lower case.
    func memberNames(in tenant: Tenant) -> [String] {
        [id, objectID(in: tenant.id) ?? id, userPrincipalName.lowercased()]
    }

    /// Whether the user principal name or the display name contains the term of a search, regardless of case.
    func matches(_ term: String) -> Bool {
        "\(userPrincipalName) \(displayName)".lowercased().contains(term.lowercased())
    }

    /// The user principal name in a tenant's directory; guests have the external form.
    func principalName(in tenant: Tenant) -> String {
        guard tenant.id != homeTenantID else { return userPrincipalName }
        return userPrincipalName.replacingOccurrences(of: "@", with: "_") + "#EXT#@" + tenant.domain
    }

    // Passwords of the emulator are published test data. The salted hash only keeps typed passwords out of the files.
    private static func digest(_ password: Secret, salt: String) -> String {
        Data(
            HMAC<SHA256>.authenticationCode(
                for: Data(password.exposed.utf8),
                using: SymmetricKey(data: Data(salt.utf8))
            )
        ).base64URL
    }
}
