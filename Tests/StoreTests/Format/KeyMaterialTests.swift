// Licensed under the MIT License. See LICENSE.

import SealedStore
import Testing

@testable import MSAL
@testable import MSALBase

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

    // `dd` in the flags of the mapping is MADV_DONTDUMP (proc_pid_smaps(5)).
    @Test(.enabled(if: mappings != nil, "This kernel does not show the flags of a process's memory."))
    func isLeftOutOfCoreDumps() throws {
        let key = try #require(KeyMaterial(repeatElement(7, count: 32)))
        let address = try #require(key.withBytes { $0.baseAddress.map { UInt(bitPattern: $0) } })

        let mappings = try #require(Self.mappings)
        let flags = try #require(Self.flags(of: address, in: mappings))

        #expect(flags.contains("dd"), "\(flags)")
        withExtendedLifetime(key) {}
    }

    private static var mappings: String? { KernelFile.text(at: "/proc/self/smaps") }

    private static func flags(of address: UInt, in mappings: String) -> [Substring]? {
        var isHere = false
        for line in mappings.split(separator: "\n") {
            let words = line.split(separator: " ")
            let bounds = words.first?.split(separator: "-").compactMap { UInt($0, radix: 16) } ?? []
            if bounds.count == 2 { isHere = (bounds[0]..<bounds[1]).contains(address) }
            if isHere, words.first == "VmFlags:" { return Array(words.dropFirst()) }
        }
        return nil
    }
}
