// Licensed under the MIT License. See LICENSE.

import MSALServer
import Testing

struct ProcessMemoryTests {
    private final class Counter: Sendable {}

    @Test func `a part is created once, and another memory has a different one`() {
        let memory = ProcessMemory()

        let first = memory.part(Counter.self) { Counter() }
        let second = memory.part(Counter.self) { Counter() }
        let foreign = ProcessMemory().part(Counter.self) { Counter() }

        #expect(first === second)
        #expect(first !== foreign)
    }
}

struct CertificateThumbprintTests {
    @Test(arguments: [
        "", "1f40", String(repeating: "g", count: 40), String(repeating: "0", count: 41),
        "é" + String(repeating: "0", count: 39),
    ])
    func `a text that is not a hash has no thumbprint`(_ text: String) {
        #expect(CertificateThumbprint(text) == nil)
    }

    @Test func `letter case does not matter`() throws {
        let digits = "1f40a1b2c3d4e5f60718293a4b5c6d7e8f901234"

        let lower = try #require(CertificateThumbprint(digits))

        #expect(lower == CertificateThumbprint(digits.uppercased()))
        #expect(lower != CertificateThumbprint(String(digits.reversed())))
    }
}
