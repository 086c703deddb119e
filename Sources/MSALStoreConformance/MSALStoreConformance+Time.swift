// Licensed under the MIT License. See LICENSE.

import MSALServer

extension MSALStoreConformance {
    static let ends: [Check] = [
        Check("a value expires") { bench in
            let name = bench.name()
            try await bench.write([1], to: name, expiresIn: StoreTestHarness.short)
            try await bench.pass(StoreTestHarness.short)
            try await bench.expect(bench.value(of: name) == nil, else: "The value exists after its expiry.")
        },
        Check("a value exists until its expiry") { bench in
            let name = bench.name()
            try await bench.write([1], to: name, expiresIn: .seconds(60))
            try await bench.pass(.seconds(2))
            try await bench.expectValue([1], of: name)
        },
        Check("the expiry of a short-lived value leaves the others of its partition") { bench in
            let names = bench.names(2, in: bench.partition())
            try await bench.write([1], to: names[0])
            try await bench.write([2], to: names[1], expiresIn: StoreTestHarness.short)
            try await bench.pass(StoreTestHarness.short)
            try await bench.expectValues([[1], nil], of: names)
        },
        Check("a long-lived value does not keep the others of its partition alive") { bench in
            let names = bench.names(2, in: bench.partition())
            try await bench.write([2], to: names[1], expiresIn: StoreTestHarness.short)
            try await bench.write([1], to: names[0])
            try await bench.pass(StoreTestHarness.short)
            try await bench.expectValues([[1], nil], of: names)
        },
        Check("a later write can extend the lifetime") { bench in
            let name = bench.name()
            try await bench.write([1], to: name, expiresIn: StoreTestHarness.short)
            try await bench.write([2], to: name)
            try await bench.pass(StoreTestHarness.short)
            try await bench.expectValue([2], of: name)
        },
        Check("a later write can shorten the lifetime") { bench in
            let name = bench.name()
            try await bench.write([1], to: name)
            try await bench.write([2], to: name, expiresIn: StoreTestHarness.short)
            try await bench.pass(StoreTestHarness.short)
            try await bench.expect(bench.value(of: name) == nil, else: "The value exists after its expiry.")
        },
        Check("a lifetime may have a fraction of a second") { bench in
            let name = bench.name()
            try await bench.write([1], to: name, expiresIn: .milliseconds(1500))
            let left = try await bench.entry(name).expiresIn
            try bench.expect(left <= .milliseconds(1500), else: "\(left) are left of 1.5 seconds.")
            try await bench.pass(.milliseconds(1500))
            try await bench.expect(bench.value(of: name) == nil, else: "The value exists after its expiry.")
        },
        Check("the version of an expired value is never reused") { bench in
            let name = bench.name()
            try await bench.write([1], to: name, expiresIn: StoreTestHarness.short)
            let version = try await bench.entry(name).version
            try await bench.pass(StoreTestHarness.short)
            try await bench.write([2], to: name)
            let next = try await bench.entry(name).version
            try bench.expect(next != version, else: "It was reused.")
        },
        Check("a value of an hour expires in a partition of 90 days, whose other value stays", needsMovedTime: true) {
            bench in
            let names = bench.names(2, in: bench.partition())
            try await bench.write([1], to: names[0], expiresIn: .seconds(90 * 86_400))
            try await bench.write([2], to: names[1], expiresIn: .seconds(3600))
            try await bench.pass(.seconds(7200))
            let later = try await bench.store.read(names).map { $0?.value }
            try bench.expect(later == [[1], nil], else: "\(later) was read after two hours.")
            try await bench.pass(.seconds(89 * 86_400))
            try await bench.expect(bench.value(of: names[0]) == [1], else: "The value expired before its 90 days.")
            try await bench.pass(.seconds(86_400))
            try await bench.expect(bench.value(of: names[0]) == nil, else: "The value exists after its 90 days.")
        },
    ]

    static let leases: [Check] = [
        Check("a lease can be acquired for a name without a value") { bench in
            let name = bench.name()
            let lease = try await bench.lease(on: name)
            try bench.expect(lease.name == name, else: "The lease has another name.")
            try bench.expect(lease.number > 0, else: "Its number is 0.")
        },
        Check("a held lease is refused to others") { bench in
            let name = bench.name()
            _ = try await bench.lease(on: name)
            let other = try await bench.store.lease(on: name, for: StoreTestHarness.long)
            try bench.expect(other == nil, else: "A second one was granted.")
        },
        Check("leases on several names of a partition are independent") { bench in
            for name in bench.names(5, in: bench.partition()) { _ = try await bench.lease(on: name) }
        },
        Check("one of many concurrent requests for a lease succeeds") { bench in
            let name = bench.name()
            let given = try await bench.concurrently { _ in
                let lease = try await bench.store.lease(on: name, for: StoreTestHarness.long)
                return lease != nil
            }
            try bench.expect(given == 1, else: "\(given) succeeded.")
        },
        Check("a released lease can be acquired again, with a greater number") { bench in
            let name = bench.name()
            var last: UInt64 = 0
            for _ in 0..<10 {
                let lease = try await bench.lease(on: name)
                try bench.expect(lease.number > last, else: "\(lease.number) came after \(last).")
                last = lease.number
                try await bench.store.release(lease)
            }
        },
        Check("a lease expires, and the next one has a greater number") { bench in
            let name = bench.name()
            let first = try await bench.lease(on: name, for: StoreTestHarness.short)
            try await bench.pass(StoreTestHarness.short)
            let second = try await bench.lease(on: name)
            try bench.expect(second.number > first.number, else: "\(second.number) came after \(first.number).")
        },
        Check("a lease is held until it expires") { bench in
            let name = bench.name()
            _ = try await bench.lease(on: name, for: .seconds(60))
            try await bench.pass(.seconds(2))
            let other = try await bench.store.lease(on: name, for: StoreTestHarness.long)
            try bench.expect(other == nil, else: "A second one was granted.")
        },
        Check("the numbers also increase after the removal of the partition") { bench in
            let name = bench.name()
            let first = try await bench.lease(on: name)
            try await bench.store.release(first)
            try await bench.store.removeAll(in: name.partition)
            // The removal may leave leases, and this one was released.
            let second = try await bench.lease(on: name)
            try bench.expect(second.number > first.number, else: "\(second.number) came after \(first.number).")
        },
        Check("releasing a lease twice is not an error, and does not end another lease") { bench in
            let name = bench.name()
            let first = try await bench.lease(on: name)
            try await bench.store.release(first)
            _ = try await bench.lease(on: name)
            try await bench.store.release(first)
            let third = try await bench.store.lease(on: name, for: StoreTestHarness.long)
            try bench.expect(third == nil, else: "The second holder lost it.")
        },
        Check("an expired lease can be released, which does not end another lease") { bench in
            let name = bench.name()
            let first = try await bench.lease(on: name, for: StoreTestHarness.short)
            try await bench.pass(StoreTestHarness.short)
            _ = try await bench.lease(on: name)
            try await bench.store.release(first)
            let third = try await bench.store.lease(on: name, for: StoreTestHarness.long)
            try bench.expect(third == nil, else: "The second holder lost it.")
        },
        Check("a lease does not block reading, writing, and removing") { bench in
            let name = bench.name()
            _ = try await bench.lease(on: name)
            try await bench.expect(bench.write([1], to: name, if: .absent), else: "The write was refused.")
            try await bench.expectValue([1], of: name)
            try await bench.store.remove([name])
        },
        Check("a lease is not a value") { bench in
            let name = bench.name()
            _ = try await bench.lease(on: name)
            try await bench.expect(bench.value(of: name) == nil, else: "There is a value.")
        },
        Check("the holder can write repeatedly") { bench in
            let name = bench.name()
            let lease = try await bench.lease(on: name)
            for number: UInt8 in 1...3 {
                let isWritten = try await bench.write([number], to: name, lease: lease)
                try bench.expect(isWritten, else: "Write \(number) was refused.")
            }
        },
        Check("a write of an earlier holder is refused once a later one has written") { bench in
            let name = bench.name()
            let first = try await bench.lease(on: name)
            try await bench.store.release(first)
            let second = try await bench.lease(on: name)
            try await bench.write([2], to: name, lease: second)
            let version = try await bench.entry(name).version
            for condition in [MSALWriteCondition.always, .version(version)] {
                let isWritten = try await bench.write([1], to: name, if: condition, lease: first)
                try bench.expect(!isWritten, else: "It was written (\(condition)).")
            }
            try await bench.expectValue([2], of: name)
        },
        Check("a write of an earlier holder succeeds if the later one has not written") { bench in
            let name = bench.name()
            let first = try await bench.lease(on: name, for: StoreTestHarness.short)
            try await bench.pass(StoreTestHarness.short)
            _ = try await bench.lease(on: name)
            try await bench.expect(bench.write([1], to: name, lease: first), else: "It was refused.")
        },
        Check("a write with an expired lease succeeds") { bench in
            let name = bench.name()
            let lease = try await bench.lease(on: name, for: StoreTestHarness.short)
            try await bench.pass(StoreTestHarness.short)
            try await bench.expect(bench.write([1], to: name, lease: lease), else: "It was refused.")
        },
        Check("a write without a lease replaces one with a lease") { bench in
            let name = bench.name()
            let lease = try await bench.lease(on: name)
            try await bench.write([1], to: name, lease: lease)
            try await bench.expect(bench.write([2], to: name), else: "It was refused.")
        },
        Check("a lease does not override the condition") { bench in
            let name = bench.name()
            let lease = try await bench.lease(on: name)
            try await bench.write([1], to: name)
            try await bench.expect(!bench.write([2], to: name, if: .absent, lease: lease), else: "It was written.")
        },
    ]
}
