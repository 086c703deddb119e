// Licensed under the MIT License. See LICENSE.

import Foundation
import Testing

@testable import MSAL
@testable import MSALCore
@testable import MSALBase

@Suite struct RandomUUIDTests {
    @Test func isOfVersionFourAndNotRepeated() {
        let made = Set((0..<100).map { _ in UUID.random() })
        #expect(made.count == 100)
        for uuid in made {
            #expect(uuid.uuid.6 >> 4 == 4)
            #expect(uuid.uuid.8 >> 6 == 0b10)
        }
    }

    @Test func manyScopesAreKeptOnceInTheirOrder() {
        let names = (0..<40).map { "scope-\($0)" }
        #expect(ScopeSet(names + names.reversed() + [" scope-3\n", ""]).values == names)
    }
}
