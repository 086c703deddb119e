// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import MSAL
import MSALCore
import Testing

/// When the identity broker is a sign-in mode, and the reason that is reported otherwise.
struct BrokerModeRuleTests {
    private func plan(
        _ configuration: ClientConfiguration = .bench,
        change: (inout InteractiveRequest) -> Void = { _ in },
        device: (inout ScriptedBroker.Device) -> Void = { _ in }
    ) async throws -> (SignInPlan, ScriptedBroker) {
        let bench = BrokerBench(configuration)
        bench.broker.change(device)
        var request = Contoso.interactive()
        change(&request)
        return (try await bench.client.interactive.modes(for: request), bench.broker)
    }

    @Test func `a broker comes before every browser`() async throws {
        let (plan, _) = try await plan()

        #expect(plan.possible == [.broker, .browser])
        #expect(plan.explanation.contains("broker is tried first"))
    }

    @Test func `a machine without a broker reports so briefly, and the others keep their order`() async throws {
        let (plan, _) = try await plan(device: {
            $0.availability = .absent("no identity broker is on the session bus")
        })

        #expect(plan.possible == [.browser])
        #expect(plan.explanation.contains("broker: no identity broker is on the session bus."))
    }

    @Test func `a broker that may not be used is not looked up, and the reason is reported`() async throws {
        var off = ClientConfiguration.bench
        off.broker.isAllowed = false
        var bypassing = ClientConfiguration.bench
        bypassing.broker.acceptsAnyRedirectURI = true
        var personal = ClientConfiguration.bench
        let consumers = try Authority.url("https://login.microsoftonline.com/consumers")
        personal.authorityRules.configured = try .guess(consumers)
        var flows = ClientConfiguration.bench
        flows.authorityRules.configured = try .guess(
            try Authority.url("https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/b2c_1_susi")
        )

        for (configuration, reason) in [
            (off, "brokerAvailability"), (bypassing, "bypassRedirectURIValidation"), (personal, "personal"),
            (flows, "Microsoft Entra ID only"),
        ] {
            let (plan, broker) = try await plan(configuration)

            #expect(!plan.possible.contains(.broker))
            #expect(plan.steps.contains { $0.mode == .broker && $0.assessment.reason.contains(reason) })
            #expect(!broker.wasLookedFor)
        }
    }

    @Test func `a page to sign up and native authentication do not use a broker`() async throws {
        let (signUp, _) = try await plan(change: { $0.prompt = .create })
        let (native, _) = try await plan(change: { $0.token.keepsOneAccount = true })

        #expect(!signUp.possible.contains(.broker) && !native.possible.contains(.broker))
    }

    @Test func `an app that names other sign-in modes does not call the broker`() async throws {
        let (browser, unasked) = try await plan(change: { $0.modes = [.browser] })
        let (broker, _) = try await plan(change: { $0.modes = [.broker] })

        #expect(browser.possible == [.browser] && !unasked.wasLookedFor)
        #expect(broker.possible == [.broker])
    }
}
