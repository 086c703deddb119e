// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import BrowserProfiles
import CommandOutput
import EntraEmulator
import Foundation

/// `entra-emulator browse`: opens a browser that trusts the emulator, and deletes its profile afterwards.
struct BrowseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse",
        abstract: "Open a browser that trusts the emulator, in a profile that is deleted afterwards.",
        discussion: """
            It uses Chromium, Chrome, or Firefox, and ends with the last window or with Ctrl-C. The trust settings of your own \
            browser are not changed. Creating the profile requires certutil, from Debian's libnss3-tools.
            """
    )

    @Argument(help: "The address to open. Defaults to the emulator's home page.")
    var url: String?

    @Option(help: "The browser. Defaults to the first one that is installed.")
    var browser: BrowserProgram.Family?

    @OptionGroup var place: EmulatorLocationOptions

    func validate() throws {
        guard let url else { return }
        let parsed = URL(string: url)
        guard ["http", "https"].contains(parsed?.scheme?.lowercased()), parsed?.host?.isEmpty == false else {
            throw ValidationError("'\(url)' is not an https:// or http:// address.")
        }
    }

    func run() async throws {
        try await show(url.flatMap { URL(string: $0) } ?? place.base.appending(path: "/"))
    }

    private func show(_ url: URL) async throws {
        let environment = ProcessInfo.processInfo.environment
        guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { !(environment[$0] ?? "").isEmpty }) else {
            throw Unavailable(errorDescription: "cannot open a browser; set DISPLAY or WAYLAND_DISPLAY")
        }
        let trust = try place.trustFiles()
        let interruptions = Interruptions()
        let window: TemporaryBrowser
        do throws(TemporaryBrowser.Unavailable) {
            window = try await TemporaryBrowser(trusting: trust.authority, family: browser, environment: environment)
        } catch {
            throw Unavailable(errorDescription: "cannot open a browser, because \(error.reason)")
        }
        do throws(TemporaryBrowser.Unavailable) {
            try window.open(url, onEnd: interruptions.end)
        } catch {
            _ = await window.close()  // The reason of the failure is the one to report.
            throw Unavailable(errorDescription: "cannot start the browser: \(error.reason)")
        }
        Terminal.output.write("\(window.program.file.path) opened \(url.absoluteString). Close it, or press Ctrl-C.")
        await interruptions.first()
        guard await window.close() else {
            throw Unavailable(errorDescription: "cannot delete the profile: \(window.home.path)")
        }
        Terminal.output.write("The browser's profile was deleted.")
    }

    private struct Unavailable: LocalizedError {
        let errorDescription: String?
    }
}

extension BrowserProgram.Family: ExpressibleByArgument {}
