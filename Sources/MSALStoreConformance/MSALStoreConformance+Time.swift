// Licensed under the MIT License. See LICENSE.

import MSALServer

extension MSALStoreConformance {
    static let ends: [Check] = [
        Check("a value ends") { bench in
            let name = bench.name()
            try await bench.write([1], to: name, expiresIn: StoreBench.short)
            try await bench.pass(StoreBench.short)
            try await bench.expect(bench.value(of: name) == nil, else: "The value is there after its end.")
        },
        Check("a value is there before its end") { bench in
            let name = bench.name()
            try await bench.write([1], to: name, expiresIn: .seconds(60))
            try await bench.pass(.seconds(2))
            try await bench.expectValue([1], of: name)
        },
        Check("a short-lived value takes no other of its partition with it") { bench in
            let names = bench.names(2, in: bench.partition())
            try await bench.write([1], to: names[0])
            try await bench.write([2], to: names[1], expiresIn: StoreBench.short)
            try await bench.pass(StoreBench.short)
            try await bench.expectValues([[1], nil], of: names)
        },
        Check("a long-lived value keeps no other of its partition") { bench in
            let names = bench.names(2, in: bench.partition())
            try await bench.write([2], to: names[1], expiresIn: StoreBench.short)
            try await bench.write([1], to: names[0])
            try await bench.pass(StoreBench.short)
            try await bench.expectValues([[1], nil], of: names)
        },
        Check("a later write moves the end on") { bench in
            let name = bench.name()
            try await bench.write([1], to: name, expiresIn: StoreBench.short)
            try await bench.write([2], to: name)
            try await bench.pass(StoreBench.short)
            try await bench.expectValue([2], of: name)
        },
        Check("a later write brings the end forward") { bench in
            let name = bench.name()
            try await bench.write([1], to: name)
            try await bench.write([2], to: name, expiresIn: StoreBench.short)
            try await bench.pass(StoreBench.short)
            try await bench.expect(bench.value(of: name) == nil, else: "The value is there after its end.")
        },
        Check("a life may have a fraction of a second") { bench in
            let name = bench.name()
            try await bench.write([1], to: name, expiresIn: .milliseconds(1500))
            let left = try await bench.entry(name).expiresIn
            try bench.expect(left <= .milliseconds(1500), else: "\(left) are left of 1.5 seconds.")
            try await bench.pass(.milliseconds(1500))
            try await bench.expect(bench.value(of: name) == nil, else: "The value is there after its end.")
        },
        Check("the version of an ended value never comes again") { bench in
            let name = bench.name()
            try await bench.write([1], to: name, expiresIn: StoreBench.short)
            let version = try await bench.entry(name).version
            try await bench.pass(StoreBench.short)
            try await bench.write([2], to: name)
            let next = try await bench.entry(name).version
            try bench.expect(next != version, else: "It came again.")
        },
        Check("an hour's value ends within a partition of 90 days, whose other value stays", needsMovedTime: true) {
            bench in
            let names = bench.names(2, in: bench.partition())
            try await bench.write([1], to: names[0], expiresIn: .seconds(90 * 86_400))
            try await bench.write([2], to: names[1], expiresIn: .seconds(3600))
            try await bench.pass(.seconds(7200))
            let later = try await bench.store.read(names).map { $0?.value }
            try bench.expect(later == [[1], nil], else: "\(later) came after two hours.")
            try await bench.pass(.seconds(89 * 86_400))
            try await bench.expect(bench.value(of: names[0]) == [1], else: "The value ended before its 90 days.")
            try await bench.pass(.seconds(86_400))
            try await bench.expect(bench.value(of: names[0]) == nil, else: "The value is there after its 90 days.")
        },
    ]

    static let leases: [Check] = [
        Check("a lease is given on a name without a value") { bench in
            let name = bench.name()
            let lease = try await bench.lease(on: name)
            try bench.expect(lease.name == name, else: "It is a lease on another name.")
            try bench.expect(lease.number > 0, else: "Its number is 0.")
        },
        Check("a lease that is held is refused to others") { bench in
            let name = bench.name()
            _ = try await bench.lease(on: name)
            let other = try await bench.store.lease(on: name, for: StoreBench.long)
            try bench.expect(other == nil, else: "A second one was given.")
        },
        Check("leases on several names of a partition know nothing of each other") { bench in
            for name in bench.names(5, in: bench.partition()) { _ = try await bench.lease(on: name) }
        },
        Check("of many who want a lease at once one gets it") { bench in
            let name = bench.name()
            let given = try await bench.atOnce { _ in
                let lease = try await bench.store.lease(on: name, for: StoreBench.long)
                return lease != nil
            }
            try bench.expect(given == 1, else: "\(given) got it.")
        },
        Check("a released lease is given again, with a greater number") { bench in
            let name = bench.name()
            var last: UInt64 = 0
            for _ in 0..<10 {
                let lease = try await bench.lease(on: name)
                try bench.expect(lease.number > last, else: "\(lease.number) came after \(last).")
                last = lease.number
                try await bench.store.release(lease)
            }
        },
        Check("a lease ends by itself, and the next one has a greater number") { bench in
            let name = bench.name()
            let first = try await bench.lease(on: name, for: StoreBench.short)
            try await bench.pass(StoreBench.short)
            let second = try await bench.lease(on: name)
            try bench.expect(second.number > first.number, else: "\(second.number) came after \(first.number).")
        },
        Check("a lease that has not ended is held") { bench in
            let name = bench.name()
            _ = try await bench.lease(on: name, for: .seconds(60))
            try await bench.pass(.seconds(2))
            let other = try await bench.store.lease(on: name, for: StoreBench.long)
            try bench.expect(other == nil, else: "A second one was given.")
        },
        Check("the numbers grow also after the removal of the partition") { bench in
            let name = bench.name()
            let first = try await bench.lease(on: name)
            try await bench.store.release(first)
            try await bench.store.removeAll(in: name.partition)
            // The removal may leave leases, and this one was released.
            let second = try await bench.lease(on: name)
            try bench.expect(second.number > first.number, else: "\(second.number) came after \(first.number).")
        },
        Check("a lease that is released twice is no failure, and ends no other") { bench in
            let name = bench.name()
            let first = try await bench.lease(on: name)
            try await bench.store.release(first)
            _ = try await bench.lease(on: name)
            try await bench.store.release(first)
            let third = try await bench.store.lease(on: name, for: StoreBench.long)
            try bench.expect(third == nil, else: "The second holder has lost it.")
        },
        Check("a lease that has ended can be released, and ends no other") { bench in
            let name = bench.name()
            let first = try await bench.lease(on: name, for: StoreBench.short)
            try await bench.pass(StoreBench.short)
            _ = try await bench.lease(on: name)
            try await bench.store.release(first)
            let third = try await bench.store.lease(on: name, for: StoreBench.long)
            try bench.expect(third == nil, else: "The second holder has lost it.")
        },
        Check("a lease keeps nobody from reading, writing and removing") { bench in
            let name = bench.name()
            _ = try await bench.lease(on: name)
            try await bench.expect(bench.write([1], to: name, if: .absent), else: "The write was refused.")
            try await bench.expectValue([1], of: name)
            try await bench.store.remove([name])
        },
        Check("a lease is no value") { bench in
            let name = bench.name()
            _ = try await bench.lease(on: name)
            try await bench.expect(bench.value(of: name) == nil, else: "There is a value.")
        },
        Check("the holder writes, again and again") { bench in
            let name = bench.name()
            let lease = try await bench.lease(on: name)
            for number: UInt8 in 1...3 {
                let isWritten = try await bench.write([number], to: name, lease: lease)
                try bench.expect(isWritten, else: "Write \(number) was refused.")
            }
        },
        Check("an earlier holder is refused once a later one has written") { bench in
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
        Check("an earlier holder is written if the later one has not") { bench in
            let name = bench.name()
            let first = try await bench.lease(on: name, for: StoreBench.short)
            try await bench.pass(StoreBench.short)
            _ = try await bench.lease(on: name)
            try await bench.expect(bench.write([1], to: name, lease: first), else: "It was refused.")
        },
        Check("a holder whose lease has ended is written") { bench in
            let name = bench.name()
            let lease = try await bench.lease(on: name, for: StoreBench.short)
            try await bench.pass(StoreBench.short)
            try await bench.expect(bench.write([1], to: name, lease: lease), else: "It was refused.")
        },
        Check("a write without a lease replaces one with a lease") { bench in
            let name = bench.name()
            let lease = try await bench.lease(on: name)
            try await bench.write([1], to: name, lease: lease)
            try await bench.expect(bench.write([2], to: name), else: "It was refused.")
        },
        Check("a lease does not stand above the condition") { bench in
            let name = bench.name()
            let lease = try await bench.lease(on: name)
            try await bench.write([1], to: name)
            try await bench.expect(!bench.write([2], to: name, if: .absent, lease: lease), else: "It was written.")
        },
    ]
}
