// Licensed under the MIT License. See LICENSE.

import Testing

@testable import MSAL

@Suite struct KeyMaterialTests {
    @Test func takesThirtyTwoBytesAndNoOtherNumber() throws {
        #expect(KeyMaterial(repeatElement(1, count: 31)) == nil)
        #expect(KeyMaterial(repeatElement(1, count: 33)) == nil)
        let key = try #require(KeyMaterial(repeatElement(7, count: 32)))
        #expect(key.withBytes { $0.allSatisfy { $0 == 7 } })
    }

    @Test func showsNothing() throws {
        let key = try #require(KeyMaterial(repeatElement(65, count: 32)))
        #expect("\(key)" == "‹redacted›")
        #expect(String(reflecting: key) == "‹redacted›")
    }
}
