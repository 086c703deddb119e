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
        abstract: "Check settings, token store, network, clock, broker and browser.",
        usage: "msal doctor [options]",
        discussion: """
            Asks the authority for all that a sign-in needs: its metadata, its signing keys, and whether it knows the \
            app and its redirect URI. The last check is whether a person can sign in from here, with the flags of msal \
            login that choose a way. Nothing is changed, and no token is sent or shown. The exit status is that of the \
            first check that failed. Without a client id everything else is checked.

            --broker is for people who have an identity broker that this command was not tried with. It asks the broker \
            for its version, its accounts, a token, a cookie and a signed request, and prints how the responses are \
            made: names of members, kinds and lengths of values, numbers of errors. Tokens, cookies, names and ids are \
            not in it. No window opens, and nothing is stored. Without a client id it asks for the version alone.

            EXAMPLES
              msal doctor
              msal doctor --authority https://login.microsoftonline.com/contoso.com -o json
              msal doctor --services
              msal doctor --broker > broker.txt
            """
    )

    @OptionGroup var client: ClientOptions
    @OptionGroup var redirect: RedirectOptions
    @OptionGroup var mode: SignInModeOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Check the identities for msal token --default instead: variables, the machine's, command lines.")
    var services = false

    @Flag(name: .customLong("broker"), help: "Report how the identity broker responds, without secrets and names.")
    var reportsBroker = false

    func validate() throws {
        guard !services || !reportsBroker else { throw ValidationError("--services and --broker exclude each other.") }
    }

    func run() async throws {
        if reportsBroker { return try output.show(try await brokerReport()) }
        let checks = services ? try await identities() : try await signIn()
        try output.show(DoctorReport(checks: checks))
        if let failed = checks.first(where: { !$0.isGood }) { throw ExitCode(failed.status.rawValue) }
    }

    private func brokerReport() async throws -> BrokerFindings {
        let settings = try Settings(client, redirect: redirect, needsClientID: false)
        if settings.clientID.isEmpty {
            Terminal.errors.write(
                """
                Asking the identity broker for its version alone, because no client id is set. For a report of its accounts and \
                its responses run msal setup, or pass --client-id.
                """
            )
        } else {
            Terminal.errors.write(
                """
                Asking the identity broker for its version, its accounts, a token for \
                \(settings.scopes.joined(separator: " ")), a cookie and a signed request. What comes is not kept; only its form is \
                printed. Read it before you send it.
                """
            )
        }
        return await WaitLine.waiting(for: .network) {
            let configuration = settings.configuration()
            return BrokerFindings(
                await MSALBrokerCheckup(configuration),
                report: await MSALBrokerReport(configuration, scopes: settings.scopes)
            )
        }
    }

    private func identities() async throws -> [Check] {
        ServiceLog.begin()
        let settings = Checkup.serviceSettings(try SettingSources(client))
        return await WaitLine.waiting(for: .network) { [settings] + (await Checkup.identities()) }
    }

    private func signIn() async throws -> [Check] {
        let environment = ProcessInfo.processInfo.environment
        let settings = try Settings(client, redirect: redirect, needsClientID: false)
        var checks = [Checkup.settings(settings)]
        if let file = settings.caFile { checks.append(Checkup.certificates(in: file)) }
        checks.append(
            await WaitLine.waiting(for: .keyring(mayAsk: false)) { await Checkup.store(environment: environment) }
        )
        checks += await WaitLine.waiting(for: .network) { await Checkup.service(settings) }
        let visit = SignInVisit(settings, command: SignInCommand(client, redirect: redirect), mode: mode)
        checks.append(
            await WaitLine.waiting(for: .network) {
                await Checkup.broker(settings, visit: visit, environment: environment)
            }
        )
        checks.append(await Checkup.signIn(visit, environment: environment))
        return checks
    }
}
