// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSAL

/// `msal sso-cookie`
struct SSOCookieCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sso-cookie",
        abstract: "Get the cookie that signs a browser in as the user of this device.",
        usage: "msal sso-cookie [<url>] [options]",
        discussion: """
            The identity broker of this machine creates a new cookie for the sign-in page each time. The cookie is a \
            secret: anyone who has it is signed in. Send it only to the sign-in page. If the address has an sso_nonce \
            of the service, the cookie is valid once. Text and raw output have a line name=value for each cookie.

            EXAMPLES
              msal sso-cookie
              msal sso-cookie 'https://login.microsoftonline.com/?sso_nonce=AwABAAEA'
              msal sso-cookie --header |
                curl -H @- 'https://login.microsoftonline.com/common/…'
            """
    )

    @Argument(help: "The sign-in page to open; by default the authority's host.")
    var url: String?

    @OptionGroup var client: ClientOptions
    @OptionGroup var account: AccountOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Write header lines (name: value).")
    var header = false

    func validate() throws {
        guard !header || output.output != .json else {
            throw ValidationError("--header cannot be used with JSON output.")
        }
    }

    /// The beginning of the sign-in page's address: the authority's host and port.
    static func page(of authority: URL) -> String {
        let port = authority.port.map { ":\($0)" } ?? ""
        return "https://\(authority.host() ?? "login.microsoftonline.com")\(port)/"
    }

    func run() async throws {
        let settings = try Settings(client)
        let application = try settings.application()
        let text = url ?? Self.page(of: settings.configuration().authority.url)
        guard let page = URL(string: text), page.host() != nil else {
            throw Failure.usage(
                "Invalid URL: \(text)",
                remedy: "Pass one like https://login.microsoftonline.com/"
            )
        }
        let remedyContext = RemedyContext(settings: settings, signIn: SignInCommand(client))
        let name = account.account
        let usual = settings.account
        let cookies = try await WaitLine.waiting(for: .network) {
            try await remedyContext.explaining {
                let account = try await DeviceAccounts(of: application).named(name, default: usual)
                return try await application.ssoCookies(for: page, account: account)
            }
        }
        if Terminal.output.isTerminal {
            Terminal.errors.write(
                "The cookie is a secret: anyone who has it is signed in. Clear the terminal when you are done."
            )
        }
        try output.show(SSOCookieReport(cookies, url: page, hasHeaders: header))
    }
}

/// Cookies that sign a browser in. Every format shows their values, because the user asked for them.
struct SSOCookieReport: Report, Encodable {
    /// One cookie.
    struct Cookie: Encodable {
        var name: String
        var value: PrivateText

        private enum CodingKeys: String, CodingKey {
            case name, value
        }

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(name, forKey: .name)
            try members.encode(value.exposed, forKey: .value)
        }
    }

    var cookies: [Cookie]
    var url: String
    var hasHeaders: Bool

    private enum CodingKeys: String, CodingKey {
        case cookies, url
    }

    func text(_ style: Style) -> TerminalText { TerminalText(lines: raw) }

    var raw: String {
        cookies.map { "\($0.name)\(hasHeaders ? ": " : "=")\($0.value.exposed)" }.joined(separator: "\n")
    }
}

extension SSOCookieReport {
    init(_ cookies: [MSALSSOCookie], url: URL, hasHeaders: Bool) {
        self.init(
            cookies: cookies.map { Cookie(name: $0.name, value: PrivateText($0.value)) },
            url: url.absoluteString,
            hasHeaders: hasHeaders
        )
    }
}
