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
            Checks everything that a sign-in needs from the authority: its metadata, its signing keys, and whether it \
            knows the app and its redirect URI. The last check is whether a user can sign in from this machine, with \
            the flags of msal login that choose a sign-in mode. Nothing is changed, and no token is sent or shown. The \
            exit status is that of the first failed check. Without a client ID, everything else is still checked.

            --broker is for reports about identity brokers that this command has not been tested with. It requests the \
            broker's version, its accounts, a token, a cookie and a signed request, and prints the structure of the \
            responses: member names, types and lengths of values, and error numbers. Tokens, cookies, names and ids \
            are left out. No window opens, and nothing is stored. Without a client ID, only the version is requested.

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

    @Flag(help: "Check the identities that msal token --default tries instead: environment, machine, msal, az, azd.")
    var services = false

    @Flag(name: .customLong("broker"), help: "Report how the identity broker responds, without secrets or names.")
    var reportsBroker = false

    func validate() throws {
        guard !services || !reportsBroker else {
            throw ValidationError("--services and --broker cannot be used together.")
        }
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
                Requesting only the version of the identity broker, because no client ID is set. To report its \
                accounts and responses too, run msal setup or pass --client-id.
                """
            )
        } else {
            Terminal.errors.write(
                """
                Requesting the identity broker's version and accounts, a token for \
                \(settings.scopes.joined(separator: " ")), a cookie and a signed request. The responses are not \
                stored; only their structure is printed. Read the report before you send it.
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

extension Checkup {
    /// The check of the authority from which applications get their tokens.
    static func serviceSettings(_ sources: SettingSources) -> Check {
        let place = sources.authorityHost ?? "login.microsoftonline.com"
        let file = sources.caFile.map { ", and also trust \($0.path(percentEncoded: false))" } ?? ""
        return Check(name: "settings", isGood: true, finding: "applications get tokens from \(place)\(file)")
    }

    /// The identities of applications and machines on this machine, in the order of the default chain.
    static func identities() async -> [Check] {
        await MSALIdentityCheckup.findings().map { finding in
            Check(
                name: finding.name,
                isGood: finding.isGood,
                finding: finding.text,
                remedy: finding.remedy,
                status: .usage
            )
        }
    }
}
