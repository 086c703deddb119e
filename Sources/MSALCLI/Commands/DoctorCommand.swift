// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSAL

/// `msal doctor`
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check settings, token store, network, clock and browser.",
        usage: "msal doctor [options]",
        discussion: """
            Asks the authority for all that a sign-in needs: its metadata, its signing keys, and whether it knows the \
            app and its redirect URI. Nothing is changed, and no token is sent or shown. The exit status is that of the \
            first check that failed.

            EXAMPLES
              msal doctor
              msal doctor --authority https://login.microsoftonline.com/contoso.com -o json
            """
    )

    @OptionGroup var client: ClientOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let settings = try Settings(client)
        var checks = [Checkup.settings(settings)]
        if let file = settings.caFile { checks.append(Checkup.certificates(in: file)) }
        checks.append(Checkup.store(environment: environment))
        let transport = AsyncHTTPClientTransport(HTTPSettings(caFile: settings.caFile, environment: environment))
        checks += await Checkup.network(settings, transport: transport)
        checks.append(await Checkup.browser(environment: environment))
        try output.show(DoctorReport(checks: checks))
        if let failed = checks.first(where: { !$0.isGood }) { throw ExitCode(failed.status.rawValue) }
    }
}

/// What the checks found.
struct DoctorReport: Report, Encodable {
    var checks: [Check]

    func text(_ style: Style) -> TerminalText {
        checks.map { check in
            let mark = check.isGood ? style.good("✓") : style.problem("✗")
            let line: TerminalText = "\(mark) \(style.strong(check.name)): \(check.finding)"
            return check.remedy.map { "\(line)\n    \($0)" } ?? line
        }.joined(separator: "\n")
    }

    var raw: String {
        checks.map { "\($0.isGood ? "ok" : "failed")\t\($0.name)\t\($0.finding)" }.joined(separator: "\n")
    }
}

/// One finding of `msal doctor`.
struct Check: Encodable, Equatable {
    var name: String
    var isGood: Bool
    var finding: String
    var remedy: String?
    /// How the command ends because of this check, if it is not good.
    var status = CommandExit.failed

    private enum CodingKeys: String, CodingKey {
        case name, isGood, finding, remedy
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(name, forKey: .name)
        try members.encode(isGood, forKey: .isGood)
        try members.encode(finding, forKey: .finding)
        try members.encode(remedy, forKey: .remedy)
    }
}

extension Check {
    /// What stands in the way of a command stands in the way here.
    init(_ name: String, _ failure: Failure) {
        self.init(
            name: name,
            isGood: false,
            finding: failure.message,
            remedy: failure.remedy,
            status: failure.status
        )
    }
}
