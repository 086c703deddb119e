// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import Testing

/// Directories that an emulator refuses, with the entry that is named.
struct InvalidDirectoryTests {
    typealias Problem = EmulatorDirectory.InvalidEntry.Problem

    /// A change that makes the seed unusable.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let entry: String
        let problem: Problem
        let change: @Sendable (inout EmulatorDirectory) -> Void

        init(
            _ name: String,
            entry: String,
            problem: Problem,
            change: @escaping @Sendable (inout EmulatorDirectory) -> Void
        ) {
            testDescription = name
            self.entry = entry
            self.problem = problem
            self.change = change
        }
    }

    private static let megan = "users[0] 'megan@contoso.example'"
    private static let contoso = "tenants[0] 'contoso.example'"
    private static let app = "applications[0] '00000000-0000-4000-8000-000000000001'"
    private static let toDo = "apis[1] '00000000-0000-4000-8000-0000000000a1'"

    static let cases: [Case] =
        tenantCases + userCases + applicationCases + apiCases

    private static let tenantCases = [
        Case("no tenant", entry: "tenants", problem: .missing("entry")) { $0.tenants = [] },
        Case("a tenant's ID that is no GUID", entry: contoso, problem: .malformed("contoso")) {
            $0.tenants[0].id = "contoso"
        },
        Case("two tenants of one name", entry: "tenants[1] 'fabrikam.example'", problem: .duplicate("contoso")) {
            $0.tenants[1].aliases.append("Contoso")
        },
        Case(
            "a reserved name",
            entry: contoso,
            problem: .contradictory("is named 'common', which selects several tenants")
        ) { $0.tenants[0].aliases.append("Common") },
        Case("a domain of one dot", entry: "tenants[0] '.'", problem: .malformed(".")) {
            $0.tenants[0].domain = "."
        },
        Case("a domain of two dots", entry: "tenants[0] '..'", problem: .malformed("..")) {
            $0.tenants[0].domain = ".."
        },
        Case("an alias of two dots", entry: contoso, problem: .malformed("..")) { $0.tenants[0].aliases = [".."] },
        Case("a name that no path can have", entry: contoso, problem: .malformed("con/toso")) {
            $0.tenants[0].aliases = ["con/toso"]
        },
        Case(
            "policies of an organization",
            entry: contoso,
            problem: .contradictory("has policies but is not an External ID tenant")
        ) { $0.tenants[0].policies = ["B2C_1_susi"] },
        Case("a policy's name", entry: "tenants[1] 'fabrikam.example'", problem: .malformed("susi")) {
            $0.tenants[1].policies = ["susi"]
        },
    ]

    private static let userCases = [
        Case("an unknown tenant", entry: megan, problem: .unknown("tailspin.example")) {
            $0.users[0].tenant = "tailspin.example"
        },
        Case(
            "two users of one id",
            entry: "users[1] 'alex@contoso.example'",
            problem: .duplicate("aaaaaaaa-0000-4000-8000-000000000001")
        ) { $0.users[1].id = $0.users[0].id },
        Case(
            "two users of one name",
            entry: "users[1] 'MEGAN@contoso.example'",
            problem: .duplicate("MEGAN@contoso.example")
        ) { $0.users[1].userPrincipalName = "MEGAN@contoso.example" },
        Case(
            "a policy without a grant",
            entry: "policies[1] 'Nothing'",
            problem: .missing("grant")
        ) { $0.policies.append(.init(name: "Nothing", grant: [])) },
        Case(
            "a policy that blocks and asks",
            entry: "policies[1] 'Both'",
            problem: .contradictory("has block and another grant, although block denies all access")
        ) { $0.policies.append(.init(name: "Both", grant: [.block, .mfa])) },
        Case("a policy for no app", entry: "policies[1] 'P'", problem: .unknown("api://nowhere")) {
            var policy = EmulatorDirectory.AccessPolicy(name: "P", grant: [.mfa])
            policy.apps = ["api://nowhere"]
            $0.policies.append(policy)
        },
        Case("a policy for no group", entry: "policies[1] 'P'", problem: .unknown("Nobody")) {
            var policy = EmulatorDirectory.AccessPolicy(name: "P", grant: [.mfa])
            policy.exclude = ["Nobody"]
            $0.policies.append(policy)
        },
        Case("a policy's place", entry: "policies[1] 'P'", problem: .malformed("10.0.0.0/33")) {
            var policy = EmulatorDirectory.AccessPolicy(name: "P", grant: [.mfa])
            policy.locations = .init(exclude: ["10.0.0.0/33"])
            $0.policies.append(policy)
        },
        Case("an authentication context", entry: "policies[1] 'P'", problem: .malformed("c100")) {
            var policy = EmulatorDirectory.AccessPolicy(name: "P", grant: [.mfa])
            policy.authenticationContext = "c100"
            $0.policies.append(policy)
        },
        Case("two policies of one name", entry: "policies[1] 'Step-up'", problem: .duplicate("Step-up")) {
            $0.policies.append(.init(name: "Step-up", grant: [.mfa]))
        },
        Case(
            "a customer with a lock beside the profile",
            entry: "users[2] 'guest@fabrikam.example'",
            problem: .contradictory("has strong methods or a state outside of the customer profile")
        ) {
            $0.users[2].customer = CustomerProfile()
            $0.users[2].isLocked = true
        },
        Case("a second factor's address", entry: megan, problem: .malformed("nowhere")) {
            $0.users[0].strongMethods = [.init(id: "1", channel: .email, address: "nowhere")]
        },
        Case("a name that is no address", entry: "users[0] 'megan'", problem: .malformed("megan")) {
            $0.users[0].userPrincipalName = "megan"
        },
        Case("no password", entry: megan, problem: .missing("password")) { $0.users[0].password = nil },
        Case("an empty password", entry: megan, problem: .malformed("")) { $0.users[0].password = "" },
        Case("a guest of nowhere", entry: megan, problem: .unknown("tailspin.example")) {
            $0.users[0].guestObjectIDs = ["tailspin.example": "dddddddd-0000-4000-8000-000000000001"]
        },
        Case("a guest at home", entry: megan, problem: .contradictory("is a guest in the home tenant")) {
            $0.users[0].guestObjectIDs = ["contoso": "dddddddd-0000-4000-8000-000000000001"]
        },
        Case(
            "a customer of an organization",
            entry: megan,
            problem: .contradictory("is a customer, but 'contoso.example' is not an External ID tenant")
        ) { $0.users[0].customer = CustomerProfile() },
        Case(
            "a strong method without an address",
            entry: "users[2] 'guest@fabrikam.example'",
            problem: .malformed("555")
        ) {
            let method = StrongMethod(id: "1", channel: .sms, address: "555")
            $0.users[2].customer = CustomerProfile(strongMethods: [method])
        },
    ]

    private static let applicationCases = [
        Case("a redirect that is no URI", entry: app, problem: .malformed("localhost")) {
            $0.applications[0].redirectURIs.append("localhost")
        },
        Case("a redirect without TLS", entry: app, problem: .malformed("http://app.example/back")) {
            $0.applications[0].singlePageRedirectURIs.append("http://app.example/back")
        },
        Case("a redirect twice", entry: app, problem: .duplicate("http://localhost")) {
            $0.applications[0].redirectURIs.append("http://localhost")
        },
        Case(
            "two applications of one id",
            entry: "applications[1] '00000000-0000-4000-8000-000000000001'",
            problem: .duplicate("00000000-0000-4000-8000-000000000001")
        ) { $0.applications[1].clientID = $0.applications[0].clientID },
        Case("consent to an unknown API", entry: app, problem: .unknown("api://nowhere")) {
            $0.applications[0].consentedAudiences.append("api://nowhere")
        },
        Case("a pattern that is none", entry: app, problem: .malformed("(")) {
            let rule = AttributeRule(name: "displayName", pattern: "(")
            $0.applications[0].nativeAuthentication = NativePolicy(attributes: [rule])
        },
        Case(
            "a second factor that nobody can register",
            entry: app,
            problem: .contradictory("requires a second factor that no customer can register")
        ) {
            $0.applications[0].nativeAuthentication = NativePolicy(requiresSecondFactor: true, registrationChannels: [])
        },
    ]

    private static let apiCases = [
        Case("no Microsoft Graph", entry: "apis", problem: .missing("Microsoft Graph")) { $0.apis.removeFirst() },
        Case(
            "two APIs of one audience",
            entry: "apis[2] '00000000-0000-4000-8000-0000000000a1'",
            problem: .duplicate("00000000-0000-4000-8000-0000000000a1")
        ) { $0.apis[2].audience = $0.apis[1].audience },
        Case("a scope with a space", entry: toDo, problem: .malformed("Read all")) {
            $0.apis[1].scopes.append(.init(name: "Read all", summary: ""))
        },
        Case("a scope twice", entry: toDo, problem: .duplicate("todolist.read")) {
            $0.apis[1].scopes.append(.init(name: "todolist.read", summary: ""))
        },
        Case("a to-do list in the place of a page", entry: toDo, problem: .malformed("/devicelogin")) {
            $0.apis[1].toDoListPath = "/devicelogin"
        },
    ]

    @Test(arguments: cases)
    func `an invalid entry is named, and the emulator does not start`(_ testCase: Case) async throws {
        let failure = await #expect(throws: EmulatorDirectory.InvalidEntry.self) {
            try await Bench.run({ testCase.change(&$0.directory) }) { _ in }
        }

        #expect(failure?.entry == testCase.entry)
        #expect(failure?.problem == testCase.problem)
        #expect(failure?.description.hasPrefix(testCase.entry) == true)
        #expect(failure?.remedy.isEmpty == false)
    }

    @Test func `the sentence names entry, problem and remedy`() throws {
        var directory = EmulatorDirectory.seed
        directory.users[0].tenant = "tailspin.example"

        let failure = #expect(throws: EmulatorDirectory.InvalidEntry.self) { try directory.validate() }

        #expect(
            failure?.description == "users[0] 'megan@contoso.example' names 'tailspin.example', which does not exist; "
                + "choose one of the tenants: contoso.example, fabrikam.example, personal.example"
        )
        #expect(failure?.localizedDescription == failure?.description)
    }
}
