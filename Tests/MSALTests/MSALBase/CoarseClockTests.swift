// Licensed under the MIT License. See LICENSE.

import TestSupport
import Testing

@testable import MSALBase

struct CoarseClockTests {
    // clock_gettime(2): CLOCK_REALTIME_COARSE may lag behind by a tick, which is shorter than a second.
    @Test func `the seconds match those of date`() throws {
        func date() throws -> Int64 {
            let text = try StartedProgram("/bin/date", ["+%s"]).end().text
            return try #require(Int64(text.split(separator: "\n").first ?? ""))
        }
        let before = try date()

        let seconds = CoarseClock.seconds

        let after = try date()
        #expect((before - 1...after).contains(seconds))
    }
}
