// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSAL

/// `msal setup`
struct SetupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Register an app, sign in, and save the settings as a profile.",
        usage: "msal setup [options]",
        discussion: """
            Explains in four steps how to register an app, asks for its two ids, checks them at the service, signs in, \
            and writes the profile that later commands use. Nothing is changed before that. Values from flags and the \
            environment are not asked for, so pass --client-id and --tenant if there is no terminal. If MSAL_AUTHORITY \
            is set, --tenant is a tenant at its host.

            --create creates the registration: a single-tenant public client with http://localhost and the broker's \
            redirect URI, that may only read its user's profile. The JSON is shown before it is sent. The token for \
            Microsoft Graph is read from standard input or the variable in --token-env, and needs \
            Application.ReadWrite.All. --create was tested only against the emulator, not against Microsoft's service.

            EXAMPLES
              msal setup
              msal setup --tenant contoso.com \\
                --client-id 00000000-0000-4000-8000-000000000001
              az account get-access-token --resource-type ms-graph --query accessToken \\
                -o tsv | msal setup --create --tenant contoso.com --yes
            """
    )

    @OptionGroup var client: ClientOptions
    @OptionGroup var scopes: ScopeOptions
    @OptionGroup var mode: SignInModeOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("The tenant: its ID or one of its domains.", valueName: "tenant"))
    var tenant: String?

    @Flag(help: "Create the registration through Microsoft Graph.")
    var create = false

    @Option(help: ArgumentHelp("The name of the app to create.", valueName: "name"))
    var name = "msal"

    @Option(
        help: ArgumentHelp("The variable with the token for --create; standard input by default.", valueName: "name")
    )
    var tokenEnv: String?

    @Option(
        name: .customLong("graph-url"),
        help: ArgumentHelp("The address of Microsoft Graph. (MSAL_GRAPH_URL)", valueName: "url")
    )
    var graphURL: String?

    @Flag(help: "Create the registration and replace the profile without asking.")
    var yes = false

    func validate() throws {
        guard !create || client.clientID == nil else {
            throw ValidationError("--create and --client-id cannot be used together.")
        }
        guard tenant == nil || client.authority == nil else {
            throw ValidationError("--tenant and --authority cannot be used together.")
        }
        guard tokenEnv == nil || create else { throw ValidationError("--token-env requires --create.") }
        guard !name.isEmpty, name.count <= 120 else { throw ValidationError("--name must have 1 to 120 characters.") }
    }

    func run() async throws {
        let command = self
        do {
            try await canceledByInterrupt { try await command.setUp() }
        } catch is CancellationError {
            throw Failure.canceled(remedy: "Nothing was changed. To start again, run: msal setup")
        }
    }

    private func setUp() async throws {
        var file = try ConfigFile()
        try SetupChoice.checkProfile(client.profile)
        var choice = SetupChoice(
            profile: client.profile ?? file.profile(named: nil) ?? SetupChoice.defaultName,
            knownAuthority: client.knownAuthority,
            caFile: client.caFile ?? variable("MSAL_CA_FILE")
        )
        // An emulator sets this variable in the shells that it opens.
        let place = try SetupAuthority(variable("MSAL_AUTHORITY"))
        let named = try tenant.map { try SetupChoice.authority(tenant: $0, at: place.host) } ?? client.authority
        let authority = named ?? place.authority
        if create {
            try await register(&choice, authority: authority)
        } else {
            choice.clientID = client.clientID ?? variable("MSAL_CLIENT_ID")
            try await ask(&choice, authority: authority, host: place.host)
        }
        try consentToReplace(choice, in: file)
        let graph = graphURL ?? variable("MSAL_GRAPH_URL")
        let scopes = scopes.scope.isEmpty ? variable("MSAL_SCOPES").map { [$0] } ?? [] : scopes.scope
        let settings = try choice.settings(scopes: scopes, graph: graph)
        try await check(settings)
        let active = ActiveAccount(before: settings)
        let command = SignInCommand(choice, scopes: self.scopes.scope)
        let result = try await SignInVisit(settings, command: command, mode: mode).result()
        do throws(Failure) {
            try choice.write(scopes: settings.chosenScopes, graph: graph, to: &file)
        } catch {
            var failure = error
            let name = AccountChoice.label(result.account)
            failure.message = "\(name) is signed in, but the profile was not written. \(error.message)"
            throw failure
        }
        _ = try active.follow(result.account)
        warnOfVariables(choice)
        try output.show(
            SetupReport(
                profile: choice.profile ?? SetupChoice.defaultName,
                path: file.path,
                clientId: settings.clientID,
                authority: settings.authorityText,
                username: AccountChoice.label(result.account)
            )
        )
    }

    // MARK: The ids

    private func ask(_ choice: inout SetupChoice, authority: String?, host: String) async throws {
        let isComplete = choice.clientID != nil && authority != nil
        let steps = CommandRegistration.steps(authority: authority ?? host)
        guard isComplete || mode.input.canAsk else {
            throw Failure.usage(
                "Cannot ask for the app: there is no terminal, or --no-input is set.",
                remedy: "Pass --client-id ID and --tenant TENANT. "
                    + steps.joined(separator: " ")
            )
        }
        if !isComplete {
            for (number, step) in steps.enumerated() {
                Terminal.errors.write("\(steps.count > 1 ? "\(number + 1). " : "")\(step)")
            }
            Terminal.errors.write("")
        }
        func clientID(_ text: String) throws(Failure) -> String {
            try SetupChoice.clientID(text, at: authority ?? host)
        }
        let given = try choice.clientID.map(clientID)
        choice.clientID = try await answer(given, to: "Application (client) ID: ", reading: clientID)
        let place = host == SetupChoice.serviceHost ? "" : " at \(host)"
        choice.authority = try await answer(authority, to: "Directory (tenant) ID or domain\(place): ") {
            (text) throws(Failure) in
            try SetupChoice.authority(tenant: text, at: host)
        }
    }

    /// The value of the flag or the environment. Without one, the user types a value, and is asked again until the value
    /// can be used.
    private func answer(
        _ given: String?,
        to question: TerminalText,
        reading read: (String) throws(Failure) -> String
    ) async throws -> String {
        if let given { return given }
        while true {
            guard let line = try await TerminalInput().line(isHidden: false, prompt: { Terminal.errors.ask(question) })
            else {
                Terminal.errors.write("")
                throw CancellationError()
            }
            do throws(Failure) {
                return try read(line.trimmingCharacters(in: .whitespaces))
            } catch {
                Terminal.errors.write("\(error.message) \(error.remedy ?? "")")
            }
        }
    }

    // MARK: --create

    private func register(_ choice: inout SetupChoice, authority: String?) async throws {
        guard let authority else {
            throw Failure.usage("No tenant is specified.", remedy: "Pass --tenant with the tenant of the token.")
        }
        choice.authority = authority
        let registration = CommandRegistration(name: name)
        Terminal.errors.write("\(TerminalText(json: registration.json))")
        // If the token comes from standard input, questions cannot be answered there.
        let isPiped = tokenEnv == nil && !TerminalInput().isInteractive
        guard yes || !isPiped else {
            throw Failure.usage("Cannot ask whether to register this app.", remedy: Remedy.consent)
        }
        if !yes { try Consent.ask("Register this app?", input: mode.input, otherwise: "No app was registered.") }
        let token = try await token()
        let settings = try choice.settings(graph: graphURL ?? variable("MSAL_GRAPH_URL"), needsClientID: false)
        choice.clientID = try await settings.connected {
            let graph = try await GraphChoice.url(named: settings.graph, environment: settings.environment) {
                try await settings.application().graphHost(of: settings.configuration().authority)
            }
            let sender = GraphSender(
                graph: graph,
                client: MSALAPIClient(caFile: settings.caFile),
                authorization: PrivateText("Bearer \(token.exposed)"),
                correlationID: UUID().uuidString
            )
            return try await RegistrationRequest(sender: sender, registration: registration).clientID()
        }
        Terminal.errors.write("Registered \(name): \(choice.clientID ?? "")")
    }

    private func token() async throws -> PrivateText {
        if let tokenEnv {
            guard let text = variable(tokenEnv) else {
                throw Failure.usage("The variable \(tokenEnv) of --token-env is not set.")
            }
            return try RegistrationToken.check(text, from: "The variable \(tokenEnv) of --token-env")
        }
        guard TerminalInput().isInteractive else {
            return try RegistrationToken.check(try RegistrationToken.read(), from: "Standard input")
        }
        let line = try await TerminalInput().line(isHidden: true) { Terminal.errors.ask("Token for Microsoft Graph: ") }
        guard let line else { throw CancellationError() }
        return try RegistrationToken.check(line, from: "Standard input")
    }

    // MARK: The profile

    private func consentToReplace(_ choice: SetupChoice, in file: ConfigFile) throws {
        let name = choice.profile ?? SetupChoice.defaultName
        let known = file.content.values[["profiles", name, Profile.Member.clientID.rawValue]]?.first
        guard let known, known.lowercased() != choice.clientID?.lowercased(), !yes else { return }
        try Consent.ask(
            "Profile \(name) is for the client \(known). Replace it?",
            input: mode.input,
            otherwise: "Profile \(name) was not changed. To write another one: msal setup --profile NAME"
        )
    }

    private func check(_ settings: Settings) async throws {
        let checks = await WaitLine.waiting(for: .network) { await Checkup.service(settings) }
        guard let failed = checks.first(where: { !$0.isGood }) else { return }
        throw Failure(
            failed.status,
            detail: .internalErrorInvalidParameter,
            message: "The check of the \(failed.name) failed: \(failed.finding)",
            remedy: [failed.remedy, retryCommand(settings)].compactMap(\.self).joined(separator: " ")
        )
    }

    /// The command to try later. A new registration takes a moment until the service knows it everywhere.
    private func retryCommand(_ settings: Settings) -> String? {
        create
            ? "A new app may take a minute to become available. Then run: msal setup --client-id \(settings.clientID) "
                + "--authority \(settings.authorityText)"
            : nil
    }

    /// Warns of variables that say something else than the new profile, so that commands would not use it.
    private func warnOfVariables(_ choice: SetupChoice) {
        let members = [
            ("MSAL_CLIENT_ID", choice.clientID), ("MSAL_AUTHORITY", choice.authority), ("MSAL_PROFILE", choice.profile),
        ]
        let names = members.filter { name, kept in variable(name).map { $0 != kept } ?? false }.map(\.0)
        guard !names.isEmpty else { return }
        Terminal.errors.write(
            "\(names.joined(separator: ", ")) \(names.count == 1 ? "is" : "are") set and override the profile. Unset "
                + "them to use it."
        )
    }

    private func variable(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// The report of `msal setup`.
struct SetupReport: Report, Encodable {
    var profile: String
    var path: String
    var clientId: String
    var authority: String
    var username: String

    func text(_ style: Style) -> TerminalText {
        style.good("✓") + " Signed in as " + style.strong(username) + """

            The profile \(profile) is in \(path).
            Try: msal graph /me
            """
    }

    var raw: String { profile }
}
