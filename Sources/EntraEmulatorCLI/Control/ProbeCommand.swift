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

/// `entra-emulator probe`: sends an API every token that it has to refuse.
struct ProbeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe",
        abstract: "Send an API of yours a good token and each flawed one, and say which were let in.",
        discussion: """
            The API has to take tokens of the emulator that runs. It is asked once with a good token, and once with each \
            flaw. Redirects are not followed. The status is 0 if every flaw was refused with 401 or 403, 1 if one was not, \
            and 2 if nothing can be said because the good token was not let in, or because the arguments are wrong.

            EXAMPLES
              entra-emulator probe https://localhost:7000/tasks --api api://tasks
              entra-emulator probe http://localhost:8080/orders --api ORDERS-CLIENT-ID --method POST
            """
    )

    @Argument(help: "The address, such as https://localhost:7000/tasks.")
    var address: String

    @Option(help: ArgumentHelp("The API, by its client id or another identifier.", valueName: "identifier"))
    var api: String

    @Option(help: ArgumentHelp("The user of the tokens; the directory's first one without it.", valueName: "name"))
    var user: String?

    @Option(help: ArgumentHelp("The application that has them; without a user, they are its own.", valueName: "name"))
    var application: String?

    @Option(help: "A permission of the API; repeat it for more. Without it, all that need no administrator.")
    var scope: [String] = []

    @Option(help: "The method of the requests.")
    var method = "GET"

    @Option(help: ArgumentHelp("Also trust this authority, for the API's own certificate.", valueName: "file"))
    var caFile: String?

    @Flag(help: "Allow an address on another machine.")
    var remote = false

    @OptionGroup var control: ControlOptions

    private static let cannotBeJudged = ExitCode(2)

    func validate() throws {
        guard let host = ServerAddress(address, schemes: ["http", "https"])?.host else {
            throw ValidationError(
                "'\(address)' is no http or https address of a server. It has a host, no user, and a port up to 65535."
            )
        }
        guard remote || Self.isOfThisMachine(host) else {
            throw ValidationError("\(host) is another machine; add --remote if it is yours to probe.")
        }
        guard !method.isEmpty, method.allSatisfy({ $0.isASCII && $0.isLetter }) else {
            throw ValidationError("--method: '\(method)' is no HTTP method.")
        }
    }

    static func isOfThisMachine(_ host: String) -> Bool {
        let name = host.trimmingCharacters(in: ["[", "]"])
        return LoopbackAddress.contains(name) || LoopbackAddress.isName(name)
    }

    func run() async throws {
        var letIn: [String] = []
        let good = try await LocalClient.with(try settings()) { try await probe($0, letIn: &letIn) }
        guard (200..<300).contains(good) else {
            Terminal.errors.write(
                """
                entra-emulator: the API cannot be judged: a good token got \(String(good)), and not 2xx. Name a user and \
                scopes that it lets in, and check that it trusts this emulator
                """
            )
            throw Self.cannotBeJudged
        }
        guard letIn.isEmpty else {
            let names = letIn.joined(separator: ", ")
            Terminal.errors.write("entra-emulator: \(String(letIn.count)) let in: \(names)")
            throw ExitCode(1)
        }
    }

    /// Sends all tokens. Returns the status of the good one.
    private func probe(_ client: LocalClient, letIn: inout [String]) async throws -> Int {
        let subject = try await subject()
        let good = try await status(of: try await token(for: subject, flaw: nil), by: client)
        try Terminal.output.deliver(line(of: "no flaw", status: good, judgement: ""))
        guard (200..<300).contains(good) else { return good }
        for flaw in TestToken.Flaw.allCases {
            let status = try await status(of: try await token(for: subject, flaw: flaw), by: client)
            let isRefused = [401, 403].contains(status)
            if !isRefused { letIn.append(flaw.rawValue) }
            try Terminal.output.deliver(
                line(of: flaw.rawValue, status: status, judgement: isRefused ? "refused" : "LET IN")
            )
        }
        return good
    }

    private func line(of name: String, status: Int, judgement: String) -> TerminalText {
        "\(name.padding(toLength: 20, withPad: " ", startingAt: 0)) \(String(status)) \(judgement)"
    }

    // MARK: Requests

    /// The user of the tokens; `nil` for an application's own tokens.
    private func subject() async throws -> String? {
        if user != nil || application != nil { return user }
        let page = JSONValue(parsing: try await control.client().get("/users?limit=1"))
        guard let name = page?["users"]?.array?.first?["userPrincipalName"]?.string else {
            throw ControlClient.Failure.other("its directory has no user; name an --application")
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
            throw ControlClient.Failure.invalid("\(address) does not respond: \(NoResponse.reason(error))")
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
            throw ControlClient.Failure.invalid("--ca-file \(path) \(error.reason); name a PEM file")
        }
        throw ControlClient.Failure.invalid("--ca-file \(path) has no certificate in PEM; name another file")
    }
}
