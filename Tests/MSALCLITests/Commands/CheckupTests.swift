// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import SealedStore
import TestSupport
import Testing

@testable import MSAL
@testable import MSALCLI
@testable import MSALCore

/// The findings of `msal doctor` about the browser and the token store.
struct CheckupTests {
    private func store(_ environment: [String: String], isWritable: Bool) async throws -> Check {
        var store = try MSALTokenStore(group: Settings.applicationID, environment: environment)
        store.isWritable = { _ in isWritable }
        return await CacheCheckup(store).summary("token store")
    }

    @Test(arguments: [true, false])
    func `the first sign-in creates the store, but not in a read-only home directory`(_ isWritable: Bool) async throws {
        let check = try await store(
            ["MSAL_STORE_DIR": "/no-such-home/state", "MSAL_STORE_KEY": "key-file"],
            isWritable: isWritable
        )

        #expect(check.isGood == isWritable)
        #expect(check.finding.contains("will be created") == isWritable)
        #expect(check.finding.contains(": / is not writable") == !isWritable)
        #expect((check.remedy?.contains("MSAL_STORE_DIR") == true) == !isWritable)
    }

    @Test(arguments: [["MSAL_STORE_DIR": "/s", "MSAL_STORE_KEY": "keychain"], ["MSAL_STORE_DIR": "no path"]])
    func `an invalid setting is not reported as a failure of the store`(_ environment: [String: String]) async {
        let check = await Checkup.store(environment: environment)

        #expect(!check.isGood)
        #expect(check.status == .usage)
        let failure = #expect(throws: Failure.self) { try CacheTarget(group: "g", environment: environment) }
        #expect(failure?.status == .usage)
    }

    @Test func `an unavailable key is a failure even if the store does not exist yet`() async throws {
        try await withTemporaryDirectory { folder in
            let missing = folder.path + "/missing"
            let environment = ["MSAL_STORE_DIR": folder.path, "MSAL_STORE_KEY": "credential-file:\(missing)"]

            let check = await Checkup.store(environment: environment)
            let target = try CacheTarget(group: Settings.applicationID, environment: environment)
            let checks = await CacheCheckup(target.store).checks

            #expect(!check.isGood && check.status == .store)
            #expect(check.finding.contains("\(missing) does not exist"))
            #expect(checks.first { !$0.isGood }?.name == "key")
            #expect(await CacheTarget.refusal(environment: environment)?.contains(missing) == true)
            #expect(!target.store.exists)
        }
    }

    @Test func `a store whose key is missing is not healthy`() async throws {
        try await withTemporaryDirectory { folder in
            let environment = ["MSAL_STORE_DIR": folder.path, "MSAL_STORE_KEY": "key-file"]
            #expect(await CacheTarget.refusal(environment: environment) == nil)
            #expect(await Checkup.store(environment: environment).isGood)
            let directory = try CacheTarget(group: Settings.applicationID, environment: environment).store.directory
            let names = try FileManager.default.contentsOfDirectory(atPath: directory)
            for name in names.filter({ !$0.hasPrefix("tokens.db") }) {
                try FileManager.default.removeItem(atPath: "\(directory)/\(name)")
            }

            let check = await Checkup.store(environment: environment)

            #expect(!check.isGood && check.status == .store)
            #expect(check.remedy == "For more: msal cache doctor")
        }
    }

    @Test func `a store in memory has no key to check`() async {
        let check = await Checkup.store(environment: ["MSAL_STORE_DIR": "/s", "MSAL_STORE_KEY": "memory"])

        #expect(check.isGood)
        #expect(await CacheTarget.refusal(environment: ["MSAL_STORE_KEY": "memory"])?.contains("memory") == true)
    }

    @Test func `an authority of a test network is configured with a setting of the command`() {
        let error = NSError(domain: NSURLErrorDomain, code: -1202)
        let untrusted = Checkup.noResponse(
            MSALServiceCheckup.Failure(host: nil, error: error, isUntrusted: true),
            name: "authority"
        )
        let absent = Checkup.noResponse(
            MSALServiceCheckup.Failure(host: nil, error: error, isUntrusted: false),
            name: "authority"
        )

        #expect(untrusted.remedy?.contains("--ca-file") == true)
        #expect(absent.remedy == nil)
        #expect([untrusted, absent].allSatisfy { !$0.isGood && $0.status == .network })
    }

    @Test func `a configured program comes first, and is not started`() async throws {
        let bus = try FakeBus(names: ["org.freedesktop.portal.Desktop"]) { _ in [] }
        let check = await Checkup.browser(
            environment: bus.environment.merging(["BROWSER": "no-such:/bin/true"]) { $1 },
            mode: .browser
        )

        #expect(check == Check(name: "browser", isGood: true, finding: "/bin/true opens it"))
    }

    @Test func `the desktop portal is used, before xdg-open and without a display`() async throws {
        let bus = try FakeBus(names: ["org.freedesktop.portal.Desktop"]) { _ in [] }
        let check = await Checkup.browser(
            environment: bus.environment.merging(["PATH": "/nonexistent"]) { $1 },
            mode: .browser
        )

        #expect(check == Check(name: "browser", isGood: true, finding: "the desktop portal opens it"))
    }

    @Test func `a bus without a portal, and a portal in a remote login, open nothing`() async throws {
        let empty = try FakeBus(names: []) { _ in [] }
        let portal = try FakeBus(names: ["org.freedesktop.portal.Desktop"]) { _ in [] }
        let remote = portal.environment.merging(["SSH_TTY": "/dev/pts/1"]) { $1 }

        for environment in [[:], empty.environment, remote] {
            let check = await Checkup.browser(environment: environment, mode: nil)
            #expect(!check.isGood)
            #expect(check.finding == "no display, no desktop portal and no BROWSER")
            #expect(check.remedy?.contains("--no-browser") == true)
        }
    }

    @Test(arguments: [
        (MSALSignInMode.paste, "msal login shows a link to open on another machine"),
        (.deviceCode, "msal login shows a code to enter on another machine"),
    ])
    func `if another sign-in mode works no browser is required`(mode: MSALSignInMode, words: String) async {
        let check = await Checkup.browser(environment: [:], mode: mode)

        #expect(check.isGood)
        #expect(check.finding.hasSuffix(words))
    }

    @Test func `an authority without device codes gets no advice to use one`() async {
        let check = await Checkup.browser(environment: [:], mode: nil, hasDeviceCodes: false)

        #expect(!check.isGood && check.remedy?.contains("device") == false)
    }

    @Test func `programs that are not installed are named`() async throws {
        let check = await Checkup.browser(
            environment: ["BROWSER": "no-such", "DISPLAY": ":0", "PATH": "/nonexistent"],
            mode: nil
        )

        #expect(check.finding == "no-such, xdg-open not found")
    }
}
