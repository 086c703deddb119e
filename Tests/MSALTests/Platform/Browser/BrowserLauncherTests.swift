// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import Glibc
import MSALBase
import Synchronization
import TestSupport
import Testing

@testable import MSAL

struct BrowserLauncherTests {
    let url: URL

    init() throws {
        url = try #require(URL(string: "https://login.example/?a=1&b=2"))
    }

    @Test func `launchers are tried in the documented order`() {
        let launcher = BrowserLauncher(environment: ["BROWSER": "one %s -x:two", "DISPLAY": ":0", "WSL_INTEROP": "y"])

        let commands = launcher.commands(for: url, command: ["mine", "--url=%s"])

        let address = "https://login.example/?a=1&b=2"
        let expected = [
            ["mine", "--url=" + address], ["one", address, "-x"], ["two", address], ["xdg-open", address],
            ["wslview", address],
            ["powershell.exe", "-NoProfile", "-NonInteractive", "-Command", "Start-Process '\(address)'"],
        ]
        #expect(commands == expected)
    }

    @Test func `the shell of Windows receives an address as one argument`() throws {
        let launcher = BrowserLauncher(environment: ["WSL_INTEROP": "y"])
        let url = try #require(URL(string: "https://login.example/?a=1'%3Bcalc%3B'&b=$(2)"))

        let words = try #require(launcher.commands(for: url, command: nil).last)

        #expect(words.last == "Start-Process 'https://login.example/?a=1%27%3Bcalc%3B%27&b=$(2)'")
    }

    @Test func `without a display no desktop program is started`() {
        #expect(BrowserLauncher(environment: ["DISPLAY": ""]).commands(for: url, command: nil).isEmpty)
    }

    @Test func `a launcher that does not exist is followed by the next`() async {
        let launcher = BrowserLauncher(environment: ["BROWSER": "/nonexistent/browser:/bin/true", "PATH": "/bin"])

        let outcome = await launcher.open(url, command: ["no-such-program"])
        let nothing = await BrowserLauncher(environment: ["PATH": "/bin"]).open(url, command: ["no-such-program"])

        #expect(outcome == .started)
        #expect(nothing == .unavailable)
    }

    @Test func `the log states why a program did not start`() async throws {
        let folder = try TemporaryDirectory()
        defer { withExtendedLifetime(folder) {} }
        let program = try await folder.writeProgram("browser", bytes: "#!/nonexistent/shell\n".utf8)
        let launcher = BrowserLauncher(environment: ["BROWSER": program, "PATH": "/bin"])
        let lines = Mutex<[String]>([])
        let listener = Log.Listener { level, line in lines.withLock { $0.append("\(level): \(line)") } }

        let outcome = await Log.$listener.withValue(listener) {
            await launcher.open(url, command: ["no-such-program"])
        }

        #expect(outcome == .unavailable)
        let told = lines.withLock { $0 }
        #expect(told.contains("verbose: There is no program no-such-program, which would open the page."), "\(told)")
        #expect(told.contains { $0.hasPrefix("warning: ") && $0.hasSuffix("or its interpreter is missing") }, "\(told)")
        #expect(told.contains { $0.contains(program) })
    }

    @Test(arguments: [
        "file:///etc/passwd", "javascript:alert(1)", "msauth.app://auth", "mailto:a@b.example", "/bin/sh",
    ])
    func `only web addresses are opened`(_ address: String) async throws {
        let portal = FakePortal()
        let bus = try portal.bus()
        let environment = bus.environment.merging(["BROWSER": "/bin/true", "DISPLAY": ":0"]) { $1 }
        let url = try #require(URL(string: address))

        let outcome = await BrowserLauncher(environment: environment).open(url, command: ["/bin/true"])

        #expect(outcome == .unavailable)
        #expect(portal.requests.isEmpty)
    }

    @Test func `an empty command opens nothing, whatever the machine has installed`() async {
        let launcher = BrowserLauncher(environment: ["BROWSER": "/bin/true", "DISPLAY": ":0"])

        #expect(launcher.commands(for: url, command: []).isEmpty)
        #expect(await launcher.open(url, command: []) == .unavailable)
        #expect(await launcher.find(command: [], on: SignInEnvironment()).launchers.isEmpty)
    }

    /// Runs in a separate process, which ignores a signal and has open files that could be inherited.
    @Test func `a browser inherits neither open files nor ignored signals`() async {
        await #expect(processExitsWith: .success) {
            let url = try #require(URL(string: "https://login.example/?a=1&b=2"))
            let folder = try TemporaryDirectory()
            let (report, browser) = ("\(folder.path)/report", "\(folder.path)/browser")
            let script = """
                exec > \(report)
                echo $1; ls /proc/$$/fd; grep SigIgn /proc/$$/status
                """
            try Data(script.utf8).write(to: URL(filePath: browser))
            #expect(mkfifo(report, 0o600) == 0)
            signal(SIGPIPE, SIG_IGN)  // As NIO does.
            // `open` does not mark them to be closed in other programs.
            let files = (0..<16).map { _ in Glibc.open("/dev/null", O_RDONLY) }
            defer { for file in files { close(file) } }

            // Not a leak: a program that another test starts briefly inherits files that were open for writing here.
            let outcome = await BrowserLauncher(environment: ["PATH": "/bin"]).open(url, command: ["sh", browser])

            try #require(outcome == .started)
            let data = await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    continuation.resume(returning: try? FileHandle(forReadingFrom: URL(filePath: report)).readToEnd())
                }
            }
            let text = String(decoding: try #require(data), as: UTF8.self)
            let lines = text.split(separator: "\n").map(String.init)
            #expect(lines.first == url.absoluteString)
            let descriptors = lines.compactMap(Int.init)
            // The shell's own copy of the script is among them, with a number above 9.
            #expect(descriptors.filter { $0 < 10 } == [0, 1, 2] && descriptors.count <= 4)
            let ignored = try #require(lines.first { $0.hasPrefix("SigIgn:") }?.split(separator: "\t").last)
            #expect(try #require(UInt64(ignored, radix: 16)) & (1 << (SIGPIPE - 1) | 1 << (SIGINT - 1)) == 0)
        }
    }
}

extension BrowserLauncher {
    /// The command lines to try, in order. The portal, which has no command line, is omitted.
    func commands(for url: URL, command: [String]?, isPrivate: Bool = false) -> [[String]] {
        let launches = launches(of: url, command: command, isPrivate: isPrivate)
        return launches.launchers.compactMap { launcher in
            switch launcher {
            case .program(let words, _): launches.page.line(words)
            case .portal: nil
            }
        }
    }

    /// Tries one after another until one starts.
    func open(
        _ url: URL,
        command: [String]?,
        parentWindow: String? = nil,
        isPrivate: Bool = false
    ) async -> Outcome {
        var launches = launches(of: url, command: command, parentWindow: parentWindow, isPrivate: isPrivate)
        return await launches.next()
    }
}
