// Licensed under the MIT License. See LICENSE.

import Dispatch
import Synchronization
import Testing

@testable import MSALBase

struct StripedTests {
    @Test func `counts of all threads are added up`() {
        let counts = Striped { Atomic(0) }

        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<1000 { counts.withOwn { count in _ = count.wrappingAdd(1, ordering: .relaxed) } }
        }

        var sum = 0
        counts.forEach { sum += $0.load(ordering: .relaxed) }
        #expect(sum == 4000)
    }

    @Test func `two threads write to different cache lines`() throws {
        let values = Striped { Atomic(0) }
        var addresses: [UInt] = []
        values.forEach { value in
            withUnsafePointer(to: value) { addresses.append(UInt(bitPattern: $0)) }
        }
        let lines = Set(addresses.map { $0 / 128 })
        #expect(addresses.count == 32)
        #expect(lines.count == addresses.count)
    }

    @Test func `values are destroyed with the container`() {
        final class Guest: Sendable {}
        weak var guest: Guest?
        do {
            let first = Guest()
            guest = first
            let values = Striped { Mutex(first) }
            values.withOwn { value in value.withLock { #expect($0 === first) } }
        }
        #expect(guest == nil)
    }
}
