// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase
@testable import MSALCore

/// The conformance cases from end to end: the emulator is made to respond as each case specifies, and the app must see
/// what the case specifies.
@Suite(
    .enabled(if: !NativeAuthCaseStory.all.isEmpty, "\(ConformanceFiles.absence)"),
    .timeLimit(.minutes(2))
)
struct NativeAuthCaseTests {
    private static let plans = NativeAuthCaseStory.all.map(NativeAuthCasePlan.init)

    @Test func `most cases can be replayed, and for the others there is a reason`() {
        let obstacles = Self.plans.compactMap { plan in plan.obstacle.map { "\(plan.story.id) \($0)" } }
        let genuine = Self.plans.filter { $0.obstacle == nil && $0.isGenuine }
        let played = Self.plans.count - obstacles.count
        print("native authentication cases: \(played) of \(Self.plans.count) from end to end,")
        print("\(genuine.count) of them without a scripted response; not replayed:")
        for obstacle in obstacles { print("  \(obstacle)") }

        #expect(genuine.count > Self.plans.count / 2)
    }

    @Test(arguments: NativeAuthCaseStory.all.filter { NativeAuthCasePlan($0).obstacle == nil })
    func `a case has the same result with the emulator`(story: NativeAuthCaseStory) async throws {
        let plan = NativeAuthCasePlan(story)
        var transport: NativeAuthCaseTransport?
        try await NativeAuthStage.run(
            clientID: plan.clientID,
            challengeTypes: Self.challengeTypes(story),
            capabilities: Self.capabilities(story),
            platform: plan.adjust,
            machine: { platform, emulator in
                let network = AsyncHTTPClientTransport(.trusting(emulator.certificateAuthorityFile))
                let time = ManualTime(now: emulator.now, skipsSleeps: true)
                let arranging = NativeAuthCaseTransport(plan, emulator: emulator, base: network)
                platform.time = time
                platform.transport = arranging
                transport = arranging
            }
        ) { stage in
            try await plan.populate(stage.emulator)
            let driver = NativeAuthDelegateDriver(stage.application)
            for scene in story.scenes {
                let move = try #require(plan.move(scene, at: stage.emulator), "unknown call \(scene.method)")
                let observation = try await driver.make(move)
                #expect(observation.text(of: scene.method) == scene.observation, "\(scene.method)")
                try await compareCodes(scene, observation: observation, driver: driver)
            }
        }
        let complaints = try #require(transport).complaints
        #expect(complaints == [])
    }

    /// The codes that reach the app, if the case's response has one code.
    @MainActor
    private func compareCodes(
        _ scene: NativeAuthCaseStory.Scene,
        observation: NativeAuthObservation,
        driver: NativeAuthDelegateDriver
    ) async throws {
        guard case .failure = observation, (scene.answers.last?.codes.count ?? 0) < 2,
            let codes = scene.expected["error"]?.object?["codes"]?.array
        else { return }
        #expect(driver.newestCodes == codes.compactMap { $0.double.flatMap(Int.init(exactly:)) }, "\(scene.method)")
    }

    private static func challengeTypes(_ story: NativeAuthCaseStory) -> MSALNativeAuthChallengeTypes {
        guard let names = story.config["challengeTypes"]?.array?.compactMap(\.string) else { return [.OOB, .password] }
        var types: MSALNativeAuthChallengeTypes = []
        if names.contains("OOB") { types.insert(.OOB) }
        if names.contains("password") { types.insert(.password) }
        return types
    }

    /// Cases that continue to a second factor assume that the app announced it, whatever they say about it.
    private static func capabilities(_ story: NativeAuthCaseStory) -> MSALNativeAuthCapabilities {
        story.answers.contains(where: \.isSecondFactorOrCapability) ? [] : [.mfaRequired, .registrationRequired]
    }
}
