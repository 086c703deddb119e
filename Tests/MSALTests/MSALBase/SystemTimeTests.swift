// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Testing

@testable import MSALBase

struct SystemTimeTests {
    @Test(arguments: [
        Duration.seconds(Int64.max), .seconds(Int64.max) + .seconds(Int64.max), .seconds(1_000_000_000_000),
    ])
    func `a sleep without end can be started and canceled`(_ duration: Duration) async {
        let sleep = Task { try await SystemTime().sleep(for: duration) }  // Awaited below.
        await Task.yield()
        sleep.cancel()

        await #expect(throws: CancellationError.self) { try await sleep.value }
    }

    @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.min)])
    func `a sleep of zero or negative duration ends at once`(_ duration: Duration) async throws {
        try await SystemTime().sleep(for: duration)
    }
}
