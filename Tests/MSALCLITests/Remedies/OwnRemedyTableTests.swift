// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import Foundation
import MSAL
import TestSupport
import Testing
import UserFiles

@testable import MSALCLI

/// The remedies for the command's own failures. Each belongs to its category, and has no text of another category.
struct OwnRemedyTableTests {
    /// The category of a failure. Text of one category is in no remedy of another.
    private enum Kind: CaseIterable {
        case account, answers, authority, body, claims, client, credential, download, export, graph, header, helper
        case permission, profile, query, redirect, registration, scheme, secret, store, tenant, upload, writing
        case attributes, browser

        var words: [String] {
            switch self {
            case .account: ["Sign in", "msal account set"]
            case .answers: ["Members: password", "--answers"]
            case .attributes: ["--attribute"]
            case .authority: ["https://login.microsoftonline.com/contoso.com"]
            case .body: ["has only one body", "To send other data", "--body", "--input names"]
            case .browser: ["Pass --browser"]
            case .claims: ["WWW-Authenticate"]
            case .client: ["--client-id"]
            case .credential: ["--client-secret-env", "msal token --help"]
            case .download: ["--save"]
            case .export: ["--force"]
            case .graph: ["--graph-url", "a path such as /me", "Leave one of them out"]
            case .header: ["-H 'Prefer", "Leave it out"]
            case .helper: ["kubeconfig", "Azure DevOps", "begins with https://"]
            case .permission: ["Application.ReadWrite.All"]
            case .profile:
                ["msal --help", "Available profiles", "Known settings", "Keep one", "MSAL_CONFIG", "UTF-8 text"]
            case .query: ["length(@)", "-o raw shows it"]
            case .redirect: ["8400", "into the URI", "--redirect-uri"]
            case .registration: ["by hand", "in the portal"]
            case .scheme: ["com.contoso.app", "Mobile and desktop applications"]
            case .secret: ["application's secret"]
            case .store: ["msal cache doctor"]
            case .tenant: ["one of its domains", "Overview page"]
            case .upload: ["--upload", "Send the file again", "--input -", "with …/content"]
            case .writing: ["allowed to write"]
            }
        }
    }

    /// Remedies that may also contain text of this category, because they name a second option.
    private static let alsoNamed: [String: Kind] = [
        // The setting for the redirect URI is in the same sentence as the registration that must contain it.
        "the library refuses the redirect URI": .scheme
    ]

    private typealias Row = (name: String, kind: Kind, fail: () throws -> Void)

    private static func settings(
        _ arguments: [String] = ["--client-id", "app"],
        environment: [String: String] = [:]
    ) throws -> Settings {
        try Settings(ClientOptions.parse(arguments), scopes: [], environment: environment, profile: Profile())
    }

    private static let accounts = [
        AccountChoice.Candidate(name: "megan@contoso.example", id: "1"),
        AccountChoice.Candidate(name: "alex@contoso.example", id: "2"),
    ]

    private static func rows(in folder: String, at graph: URL) -> [Row] {
        choices + files(in: folder) + requests(to: graph, in: folder) + helpers + flows
    }

    private static var choices: [Row] {
        let names = (port: "--port", uri: "--redirect-uri")
        return [
            ("no client ID", .client, { _ = try settings([]) }),
            ("an authority that is not a URL", .authority, { _ = try AuthorityChoice.authority("contoso") }),
            ("an authority without TLS", .authority, { _ = try AuthorityChoice.authority("http://login.example/a") }),
            ("a Microsoft Graph without TLS", .graph, { _ = try Settings.graph("http://graph.example/") }),
            ("a port", .redirect, { _ = try RedirectChoice(port: "0", uri: nil, names: names) }),
            ("a port and a URI", .redirect, { _ = try RedirectChoice(port: "1", uri: "http://a", names: names) }),
            (
                "the library refuses the redirect URI", .redirect,
                {
                    let number = NSNumber(value: MSALInternalError.internalErrorInvalidRedirectURI.rawValue)
                    let details = [MSALInternalErrorCodeKey: number]
                    let refusal = NSError(domain: MSALErrorDomain, code: -50000, userInfo: details)
                    try settings().checkingRedirect { () throws -> Void in throw refusal }
                }
            ),
            ("claims", .claims, { _ = try ClaimsChallenge.parse("nothing") }),
            ("a tenant", .tenant, { _ = try SetupChoice.authority(tenant: "a b") }),
            ("an application ID", .tenant, { _ = try SetupChoice.clientID("app") }),
            ("an ID without a scheme", .scheme, { _ = try RedirectScheme("contoso") }),
            ("an https address as a scheme", .scheme, { _ = try RedirectScheme("https://contoso.example/") }),
            ("a loopback address as a scheme", .scheme, { _ = try RedirectScheme("http://localhost") }),
            ("no secret", .secret, { _ = try SecretText.secret(in: " ", from: "The variable") }),
            ("a secret of several lines", .secret, { _ = try SecretText.secret(in: "a\nb", from: "The variable") }),
            ("a file of a secret", .secret, { _ = try SecretText.read("/nowhere", named: "The file") }),
            ("the answers", .answers, { _ = try AnswerFile(Data("[]".utf8), name: "a") }),
            ("a member of the answers", .answers, { _ = try AnswerFile(Data(#"{"a": 1}"#.utf8), name: "a") }),
            ("a file of answers", .answers, { _ = try AnswerFile.read("/nowhere") }),
        ]
    }

    private static func files(in folder: String) -> [Row] {
        func read(_ text: String) -> () throws -> Void { { _ = try ProfileFile(text: text, path: "config.yaml") } }
        return [
            ("no home for the settings", .profile, { _ = try ConfigFile(environment: [:]) }),
            ("an invalid settings file", .profile, { _ = try ProfileFile(path: "/nowhere") }),
            ("settings that are not YAML", .profile, read("a: [")),
            ("a repeated setting", .profile, read("default_profile: a\ndefault_profile: b\n")),
            ("an unknown setting", .profile, read("defaultprofile: a\n")),
            ("a setting of another type", .profile, read("default_profile: [a]\n")),
            (
                "a profile that does not exist", .profile,
                { _ = try Profile.selected(named: "a", environment: ["MSAL_CONFIG": folder + "/none"]) }
            ),
            ("a read-only file", .writing, { throw UserFile.unwritable("f", reason: "Permission denied") }),
            (
                "an export over an existing file", .export,
                { try UserFile.write(Data(), to: folder + "/taken", replacing: false) }
            ),
            ("a download over an existing file", .download, { _ = try GraphFile(folder + "/taken") }),
            ("a store", .store, { throw Failure.store("The store is not usable.") }),
            ("tokens that are not stored", .store, { throw Failure.notStored(nil) }),
            ("a renewal that is not stored", .store, { throw Failure.notRenewedForLong("The disk is full.") }),
            ("a sign-in that would not last", .store, { throw Failure.notPersisted(.store("x", remedy: nil)) }),
        ]
    }

    private static func requests(to graph: URL, in folder: String) -> [Row] {
        func check(_ input: GraphInput) -> () throws -> Void { { try input.check() } }
        let page = GraphHTTPResponse(MSALAPIResponse(status: 200, body: Data("<html>".utf8)))
        return [
            ("another host", .graph, { _ = try GraphAddress.url("https://other.example/me", at: graph) }),
            ("two versions", .graph, { _ = try GraphPath("/v1.0/me", isBeta: true).url(at: graph) }),
            (
                "another cloud", .graph,
                { try GraphChoice.check(graph, environment: "login.microsoftonline.us") }
            ),
            ("two bodies", .body, check(GraphInput(text: "{}", file: "f"))),
            ("a body that is not JSON", .body, check(GraphInput(text: "nonsense"))),
            ("a file of a body", .body, { _ = try GraphInput(file: folder + "/none").body() }),
            ("a repeated field", .body, check(GraphInput(textFields: ["a=1", "a=2"]))),
            ("no header", .header, check(GraphInput(headers: ["a"]))),
            ("a header of the command", .header, check(GraphInput(headers: ["Host: x"]))),
            ("a query", .query, { _ = try GraphQuery("a.") }),
            ("an unknown form of a query", .query, { _ = try GraphQuery("a | b") }),
            ("a page for a query", .query, { _ = try page.document() }),
            ("an uploaded folder", .upload, { _ = try UploadFile(folder) }),
            ("an uploaded file that does not exist", .upload, { _ = try UploadFile(folder + "/none") }),
            ("an empty uploaded file", .upload, { _ = try UploadFile(folder + "/taken") }),
        ]
    }

    private static var helpers: [Row] {
        func git(_ text: String) -> () throws -> Void { { _ = try GitRequest(text.utf8).isAnswered() } }
        return [
            ("git without TLS", .helper, git("protocol=http\nhost=dev.azure.com\n")),
            ("a host of git in another spelling", .helper, git("protocol=https\nhost=dev.azure.com.\n")),
            (
                "a version of kubectl", .helper,
                { _ = try KubeRequest(#"{"kind": "ExecCredential", "apiVersion": "v9"}"#) }
            ),
        ]
    }

    private static var flows: [Row] {
        [
            ("nobody", .account, { _ = try AccountChoice.choose(nil, among: []) }),
            ("several accounts", .account, { _ = try AccountChoice.choose(nil, among: accounts) }),
            ("another account", .account, { _ = try AccountChoice.choose("adele", among: accounts) }),
            ("a removed default", .account, { _ = try AccountChoice.choose(nil, default: "a", among: accounts) }),
            ("attributes", .attributes, { throw Failure.refusedAttributes(["city"]) }),
        ]
    }

    @Test func `each failure has the remedy of its category, and no text of another`() throws {
        let folder = try TemporaryDirectory()
        try Data().write(to: URL(filePath: folder.path + "/taken"))
        let rows = Self.rows(in: folder.path, at: try #require(URL(string: "https://graph.microsoft.com/")))

        for row in rows {
            let failure = try #require(throws: Failure.self, "\(row.name)") { try row.fail() }
            let remedy = failure.remedy ?? ""
            let found = Kind.allCases.filter { kind in kind.words.contains { remedy.contains($0) } }

            let expected = [row.kind] + [Self.alsoNamed[row.name]].compactMap(\.self)
            #expect(Set(found) == Set(expected), "\(row.name): \(remedy)")
        }
    }
}
