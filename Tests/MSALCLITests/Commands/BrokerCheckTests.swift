// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import CommandOutput
import Foundation
import MSALBase
import Testing

@testable import MSAL
@testable import MSALCLI

/// The findings of `msal doctor` about the identity broker.
struct BrokerCheckTests {
    private let configuration = MSALPublicClientApplicationConfig(clientId: "app")

    private func broker(_ change: (inout ScriptedBroker.Device) -> Void = { _ in }) -> ScriptedBroker {
        let broker = ScriptedBroker(token: { _ in
            BrokerToken(accessToken: Secret("none"), expiresOn: .distantFuture, scopes: [])
        })
        broker.change(change)
        return broker
    }

    private func check(_ broker: ScriptedBroker, refusal: String? = nil) async -> Check {
        Checkup.broker(await MSALBrokerCheckup(configuration, broker: broker), refusal: refusal)
    }

    private func account(_ name: String) -> BrokerAccount {
        BrokerAccount(homeAccountID: "\(name).1", environment: "login.microsoftonline.com", username: name)
    }

    @Test func `a machine without a broker passes the check`() async {
        let check = await check(broker { $0.availability = .absent("the environment does not name a session bus") })

        #expect(check.isGood && check.remedy == nil)
        #expect(check.finding == "none: the environment does not name a session bus")
    }

    @Test func `broker, version, form, device and number of accounts are named, but no account`() async {
        let check = await check(
            broker { device in
                device.information = BrokerInformation(version: "2.5.2", dialect: .current, device: BrokerDevice())
                device.information.device?.isShared = true
                device.information.device?.isRegistered = true
                device.accounts = [account("megan@contoso.example")]
            }
        )

        #expect(check.isGood)
        #expect(
            check.finding
                == "version 2.5.2 (Microsoft's, from 2.0.2 on), the device is shared, registered, 1 account, "
                + "a sign-in tries it first"
        )
    }

    @Test func `a broker that a sign-in skips is reported with the reason`() async {
        let check = await check(broker(), refusal: "the authority is of another kind")

        #expect(check.isGood)
        #expect(check.finding.hasSuffix("0 accounts, not used: the authority is of another kind"))
    }

    @Test func `a broker that fails is a finding with a workaround`() async {
        let failure = BrokerFailure(.unreadable, message: "The broker's response is not JSON.")

        let check = await check(broker { $0.accountsFailure = failure })

        #expect(!check.isGood && check.status == .failed)
        #expect(check.finding.hasSuffix("The broker's response is not JSON."))
        #expect(check.remedy?.contains("--mode browser") == true)
    }

    @Test func `control characters in the broker's message are visible on a terminal`() async {
        let check = await check(
            broker { $0.information = BrokerInformation(version: "2\u{1B}[31m", dialect: .unknown) }
        )

        let text = DoctorReport(checks: [check]).text(.plain).description
        #expect(!text.contains("\u{1B}") && text.contains("^[[31m"))
    }

    @Test func `user names are reported on request`() async {
        let broker = broker { $0.accounts = [account("megan@contoso.example"), account("alex@contoso.example")] }

        let silent = await MSALBrokerCheckup(configuration, broker: broker)
        let told = await MSALBrokerCheckup(configuration, includesUsernames: true, broker: broker)

        #expect(silent.usernames.isEmpty && silent.accountCounts == ["login.microsoftonline.com": 2])
        #expect(told.usernames == ["megan@contoso.example", "alex@contoso.example"])
    }
}

/// The report of `msal doctor --broker`.
struct BrokerErrorMemberTests {
    @Test func `a report has the form of each response`() {
        let report = BrokerFindings(
            msalVersion: "1.0",
            system: "debian 12",
            architecture: "arm64",
            absence: nil,
            version: "2.5.2",
            dialect: "current",
            accountsByCloud: ["login.microsoftonline.com": 1],
            failure: nil,
            calls: [
                .init(
                    method: "getAccounts",
                    outcome: "response",
                    meaning: nil,
                    milliseconds: 12,
                    response: [.init(path: "accounts", form: "array(1)")]
                ),
                .init(
                    method: "acquireTokenSilently",
                    outcome: "org.freedesktop.DBus.Error.Failed\u{1B}",
                    meaning: "interactionRequired",
                    milliseconds: 3,
                    response: []
                ),
            ]
        )

        #expect(
            report.text(.plain) == """
                msal 1.0, debian 12, arm64
                identity broker: version 2.5.2, form current
                accounts at login.microsoftonline.com: 1
                getAccounts: response, 12 ms
                  accounts: array(1)
                acquireTokenSilently: org.freedesktop.DBus.Error.Failed^[, treated as interactionRequired, 3 ms
                """
        )
        #expect(report.json.contains("\"msal_version\" : \"1.0\""))
    }

    @Test(arguments: [
        ("NAME=x\nID=ubuntu\nVERSION_ID=\"24.04\"\n", "ubuntu 24.04"), ("ID=arch", "arch"),
        ("NAME=x\r\nID=debian\r\nVERSION_ID=\"12\"\r\n", "debian 12"),
        ("", "unknown system"),
    ])
    func `the system is named as in os-release`(text: String, name: String) {
        #expect(BrokerFindings.systemName(in: text) == name)
    }
}
