// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSAL
import MSALServer

/// `msal doctor`
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check settings, token store, network, clock and browser.",
        usage: "msal doctor [options]",
        discussion: """
            Asks the authority for all that a sign-in needs: its metadata, its signing keys, and whether it knows the \
            app and its redirect URI. The last check is whether a person can sign in from here, with the flags of msal \
            login that choose a way. Nothing is changed, and no token is sent or shown. The exit status is that of the \
            first check that failed.

            EXAMPLES
              msal doctor
              msal doctor --authority https://login.microsoftonline.com/contoso.com -o json
              msal doctor --services
            """
    )

    @OptionGroup var client: ClientOptions
    @OptionGroup var redirect: RedirectOptions
    @OptionGroup var way: WayOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Check the identities for msal token --default instead: variables, the machine's, command lines.")
    var services = false

    func run() async throws {
        let checks = services ? await identities() : try await signIn()
        try output.show(DoctorReport(checks: checks))
        if let failed = checks.first(where: { !$0.isGood }) { throw ExitCode(failed.status.rawValue) }
    }

    private func identities() async -> [Check] {
        ServiceLog.begin()
        return await WaitLine.waiting(for: .network) { await Checkup.identities() }
    }

    private func signIn() async throws -> [Check] {
        let environment = ProcessInfo.processInfo.environment
        let settings = try Settings(client, redirect: redirect)
        var checks = [Checkup.settings(settings)]
        if let file = settings.caFile { checks.append(Checkup.certificates(in: file)) }
        checks.append(
            await WaitLine.waiting(for: .keyring(mayAsk: false)) { await Checkup.store(environment: environment) }
        )
        checks += await WaitLine.waiting(for: .network) { await Checkup.service(settings) }
        let visit = SignInVisit(settings, command: SignInCommand(client, redirect: redirect), way: way)
        checks.append(await Checkup.signIn(visit, environment: environment))
        return checks
    }
}
