// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import AsyncHTTPClient
import CommandOutput
import EntraEmulator
import Foundation
import HTTPGuards
import MSALBase
import NIOCore
import NIOHTTP1
import NIOSSL
import UserFiles

/// `entra-emulator probe`: sends an API every type of token that it has to reject.
struct ProbeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe",
        abstract: "Send your API a valid token and each flawed one, and report which were accepted.",
        discussion: """
            The API must accept tokens of the running emulator. It is called once with a valid token, and once with each \
            flaw. Redirects are not followed. The exit status is 0 if every flaw was rejected with 401 or 403, 1 if one was \
            not, and 2 if the valid token was not accepted, or if the arguments are invalid.

            EXAMPLES
              entra-emulator probe https://localhost:7000/tasks --api api://tasks
              entra-emulator probe http://localhost:8080/orders --api ORDERS-CLIENT-ID --method POST
            """
    )

    @Argument(help: "The address, such as https://localhost:7000/tasks.")
    var address: String

    @Option(help: ArgumentHelp("The API, by its client ID or another identifier.", valueName: "identifier"))
    var api: String

    @Option(
        help: ArgumentHelp("The user of the tokens. Defaults to the first one in the directory.", valueName: "name")
    )
    var user: String?

    @Option(
        help: ArgumentHelp(
            "The application that the tokens are issued to. Without a user, they are app-only tokens.",
            valueName: "name"
        )
    )
    var application: String?

    @Option(help: "A permission of the API; repeat it for more. Defaults to all that do not require an administrator.")
    var scope: [String] = []

    @Option(help: "The method of the requests.")
    var method = "GET"

    @Option(help: ArgumentHelp("Also trust this authority, for the API's own certificate.", valueName: "file"))
    var caFile: String?

    @Flag(help: "Allow an address on another machine.")
    var remote = false

    @OptionGroup var control: ControlOptions

    private static let inconclusive = ExitCode(2)

    func validate() throws {
        guard let host = ServerAddress(address, schemes: ["http", "https"])?.host else {
            throw ValidationError(
                "'\(address)' is not an http or https address with a host, no user name, and a port up to 65535."
            )
        }
        guard remote || Self.isOfThisMachine(host) else {
            throw ValidationError("\(host) is another machine; add --remote if it is yours to probe.")
        }
        guard !method.isEmpty, method.allSatisfy({ $0.isASCII && $0.isLetter }) else {
            throw ValidationError("--method: '\(method)' is not an HTTP method.")
        }
    }

    static func isOfThisMachine(_ host: String) -> Bool {
        let name = host.trimmingCharacters(in: ["[", "]"])
        return LoopbackAddress.contains(name) || LoopbackAddress.isName(name)
    }

    func run() async throws {
        var accepted: [String] = []
        let good = try await LocalClient.with(try settings()) { try await probe($0, accepted: &accepted) }
        guard (200..<300).contains(good) else {
            Terminal.errors.write(
                """
                entra-emulator: cannot test the API: a valid token got the status \(String(good)) instead of 2xx. Choose \
                a user and scopes that it accepts, and check that it trusts this emulator
                """
            )
            throw Self.inconclusive
        }
        guard accepted.isEmpty else {
            let names = accepted.joined(separator: ", ")
            Terminal.errors.write("entra-emulator: \(String(accepted.count)) let in: \(names)")
            throw ExitCode(1)
        }
    }

    /// Sends all tokens. Returns the status of the valid one.
    private func probe(_ client: LocalClient, accepted: inout [String]) async throws -> Int {
        let subject = try await subject()
        let good = try await status(of: try await token(for: subject, flaw: nil), by: client)
        try Terminal.output.deliver(line(of: "no flaw", status: good, verdict: ""))
        guard (200..<300).contains(good) else { return good }
        for flaw in TestToken.Flaw.allCases {
            let status = try await status(of: try await token(for: subject, flaw: flaw), by: client)
            let isRefused = [401, 403].contains(status)
            if !isRefused { accepted.append(flaw.rawValue) }
            try Terminal.output.deliver(
                line(of: flaw.rawValue, status: status, verdict: isRefused ? "refused" : "LET IN")
            )
        }
        return good
    }

    private func line(of name: String, status: Int, verdict: String) -> TerminalText {
        "\(name.padding(toLength: 20, withPad: " ", startingAt: 0)) \(String(status)) \(verdict)"
    }

    // MARK: Requests

    /// The user of the tokens; `nil` for app-only tokens.
    private func subject() async throws -> String? {
        if user != nil || application != nil { return user }
        let page = JSONValue(parsing: try await control.client().get("/users?limit=1"))
        guard let name = page?["users"]?.array?.first?["userPrincipalName"]?.string else {
            throw ControlClient.Failure.other("its directory has no user; pass an --application")
        }
        return name
    }

    private func token(for subject: String?, flaw: TestToken.Flaw?) async throws -> String {
        var members: [String: JSONValue] = ["api": .string(api)]
        members["user"] = subject.map { .string($0) }
        members["application"] = application.map { .string($0) }
        if !scope.isEmpty { members["scopes"] = .strings(scope) }
        members["flaw"] = flaw.map { .string($0.rawValue) }
        return try await control.client().token(members)
    }

    private func status(of token: String, by client: LocalClient) async throws -> Int {
        var request = HTTPClientRequest(url: address)
        request.method = HTTPMethod(rawValue: method.uppercased())
        request.headers.add(name: "authorization", value: "Bearer \(token)")
        let response: HTTPClientResponse
        do {
            response = try await client.execute(request, timeout: .seconds(30))
        } catch {
            throw ControlClient.Failure.invalid("\(address) does not respond: \(HTTPClientErrorText.reason(error))")
        }
        return Int(response.status.code)
    }

    private func settings() throws -> HTTPClient.Configuration {
        var tls = TLSConfiguration.makeClientConfiguration()
        let authority = try control.authority()
        var roots = try NIOSSLCertificate.fromPEMFile(authority.path)
        if let caFile { roots += try Self.certificates(in: caFile) }
        if !SystemAuthorities.exist { tls.trustRoots = .certificates([]) }
        tls.additionalTrustRoots = [.certificates(roots)]
        var settings = HTTPClient.Configuration(tlsConfiguration: tls)
        settings.redirectConfiguration = .disallow
        return settings
    }

    private static func certificates(in path: String) throws -> [NIOSSLCertificate] {
        do throws(FileFault) {
            let bytes = Array(try UserFile(path, limit: 1 << 24).bytes().withoutByteOrderMark)
            if let certificates = try? NIOSSLCertificate.fromPEMBytes(bytes), !certificates.isEmpty {
                return certificates
            }
        } catch {
            throw ControlClient.Failure.invalid("--ca-file \(path) \(error.reason); specify a PEM file")
        }
        throw ControlClient.Failure.invalid("--ca-file \(path) contains no PEM certificate; specify another file")
    }
}
