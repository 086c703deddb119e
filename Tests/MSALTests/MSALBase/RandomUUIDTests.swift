// Licensed under the MIT License. See LICENSE.

import Foundation
import Testing

@testable import MSAL
@testable import MSALBase
@testable import MSALCore

@Suite struct RandomUUIDTests {
    @Test func isOfVersionFourAndNotRepeated() {
        let made = Set((0..<100).map { _ in UUID.random() })
        #expect(made.count == 100)
        for uuid in made {
            #expect(uuid.uuid.6 >> 4 == 4)
            #expect(uuid.uuid.8 >> 6 == 0b10)
        }
    }

    /// The example of RFC 9562 §A.3, without the six bits of version and variant.
    @Test func theExampleOfTheStandardIsMade() {
        let random: uuid_t = (
            0x91, 0x91, 0x08, 0xF7, 0x52, 0xD1, 0x03, 0x20, 0x1B, 0xAC, 0xF8, 0x47, 0xDB, 0x41, 0x48, 0xA8
        )
        #expect(UUID(random: random).uuidString == "919108F7-52D1-4320-9BAC-F847DB4148A8")
    }

    @Test func manyScopesAreKeptOnceInTheirOrder() {
        let names = (0..<40).map { "scope-\($0)" }
        #expect(ScopeSet(names + names.reversed() + [" scope-3\n", ""]).values == names)
    }
}
