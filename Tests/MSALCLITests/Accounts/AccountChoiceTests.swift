// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Synchronization
import Testing

@testable import MSALCLI

/// The choice among the accounts of an application, which are looked up by name or id.
struct AccountChoiceTests {
    /// A cache with the same content for each access.
    private final class Vault: NSObject, MSALSerializedCacheProviderDelegate, Sendable {
        private let content: Data

        init(_ accounts: [(id: String, name: String)]) {
            func entries(_ type: String, _ members: ((id: String, name: String)) -> String) -> String {
                let entries = accounts.map {
                    #""\#($0.id)": {"home_account_id": "\#($0.id)", "environment": "login.windows.net", \#(members($0))}"#
                }
                return "\"\(type)\": {\(entries.joined(separator: ", "))}"
            }
            let profiles = entries("Account") {
                #""realm": "t", "local_account_id": "\#($0.id)", "username": "\#($0.name)", "authority_type": "MSSTS""#
            }
            let tokens = entries("RefreshToken") { _ in
                #""credential_type": "RefreshToken", "client_id": "app", "secret": "fake""#
            }
            content = Data("{\(profiles), \(tokens)}".utf8)
        }

        func willAccessCache(_ cache: MSALSerializedCacheProvider) throws {
            try cache.deserialize(content)
        }

        func didWriteCache(_ cache: MSALSerializedCacheProvider) throws {}
    }

    private func chosen(
        _ name: String?,
        default usual: String? = nil,
        among accounts: (id: String, name: String)...
    ) throws
        -> String?
    {
        let configuration = MSALPublicClientApplicationConfig(
            clientId: "app",
            redirectUri: "http://localhost",
            authority: nil
        )
        configuration.applicationID = "test"
        configuration.cacheConfig.serializedCache = MSALSerializedCacheProvider(delegate: Vault(accounts))
        let application = try MSALPublicClientApplication(configuration: configuration)
        return try AccountChoice.account(name, of: application, default: usual).identifier
    }

    @Test(arguments: ["megan@contoso.example", "MEGAN@contoso.example", "1.t", "1.T"])
    func `an account is looked up by its name or its id, in any case`(text: String) throws {
        let megan = (id: "1.t", name: "megan@contoso.example")
        let alex = (id: "2.t", name: "alex@contoso.example")

        #expect(try chosen(text, among: megan, alex) == "1.t")
        #expect(try chosen(nil, default: text, among: alex, megan) == "1.t")
        #expect(try chosen("2.t", default: text, among: alex, megan) == "2.t")
    }

    @Test(arguments: ["megan", "MEGAN", "dr.lee"])
    func `the part before the @ names the only account that has it`(text: String) throws {
        let megan = (id: "1.t", name: "megan@contoso.example")
        let lee = (id: "2.t", name: "Dr.Lee@contoso.example")
        let megans = (id: "3.t", name: "megan.bowen@contoso.example")

        #expect(try chosen(text, among: megan, lee, megans) == (text == "dr.lee" ? "2.t" : "1.t"))
        // A file gets the whole name, so that it cannot mean another account later.
        #expect(throws: Failure.self) { try chosen(nil, default: text, among: megan, lee, megans) }
    }

    @Test func `a part that two accounts have selects none, and a whole name takes precedence`() throws {
        let first = (id: "1.t", name: "megan@contoso.example")
        let second = (id: "2.t", name: "megan@fabrikam.example")

        let failure = try #require(throws: Failure.self) { try chosen("megan", among: first, second) }

        #expect(failure.status == .usage)
        #expect(failure.message.contains("megan@contoso.example, megan@fabrikam.example"))
        #expect(try chosen("megan", among: first, (id: "3.t", name: "megan")) == "3.t")
        #expect(throws: Failure.self) { try chosen("@", among: first, (id: "3.t", name: "@contoso.example")) }
        #expect(throws: Failure.self) { try chosen("meg", among: first) }
    }

    @Test func `the only account needs no name`() throws {
        #expect(try chosen(nil, among: (id: "1.t", name: "megan@contoso.example")) == "1.t")
    }

    @Test func `a name that several accounts have selects none`() throws {
        let failure = try #require(throws: Failure.self) {
            try chosen(
                "megan@contoso.example",
                among: ("1.t", "megan@contoso.example"),
                ("2.u", "Megan@contoso.example")
            )
        }

        #expect(failure.status == .usage)
        #expect(failure.message.contains("1.t") && failure.message.contains("2.u"))
    }

    @Test func `a text that is the name of one account and the id of another selects none`() throws {
        let failure = try #require(throws: Failure.self) { try chosen("2.t", among: ("1.t", "2.t"), ("2.t", "alex")) }

        #expect(failure.status == .usage)
    }

    @Test(arguments: ["dana@contoso.example", "3.t", " "])
    func `an unknown text causes an error that names the signed-in accounts`(text: String) throws {
        let failure = try #require(throws: Failure.self) {
            try chosen(text, among: ("1.t", "megan@contoso.example"), ("2.t", "alex@contoso.example"))
        }

        #expect(failure.status == .notSignedIn)
        #expect(failure.remedy?.contains("megan@contoso.example") == true)
    }
}
