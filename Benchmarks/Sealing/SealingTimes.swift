// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer

/// Prints the microseconds of processor time for sealing a value of 2 KB for the shared cache, and for opening it.
///
/// This is a target of the library's own package, and not of Benchmarks, because apps cannot seal values.
@main struct SealingTimes {
    private struct Failure: Error {}

    static func main() throws {
        let key = try MSALSealingKey(id: 1, secret: 0..<32)
        // Names have 22 characters.
        let letters = String(repeating: "n", count: 22)
        let place = SealedValue.Place(
            prefix: "msal:1:",
            clientID: "00000000-0000-4000-8000-000000000001",
            name: MSALStoreName(letters, in: MSALStorePartition(letters))
        )
        let plain = [UInt8](repeating: 7, count: 2048)
        guard let sealed = SealedValue(plain, for: place, with: key) else { throw Failure() }
        let sealing = try median {
            guard let value = SealedValue(plain, for: place, with: key) else { throw Failure() }
            return value.bytes.count
        }
        let opening = try median {
            // A store returns it as bytes.
            guard let opened = SealedValue(bytes: sealed.bytes).opened(for: place, with: [key]) else { throw Failure() }
            return opened.count
        }
        print(sealing, opening)
    }

    /// The median of 31 samples, each the mean of 1,000 calls, after one that warms up.
    private static func median(of work: () throws -> Int) throws -> Double {
        var sum = 0
        var samples: [Double] = []
        for sample in 0...31 {
            let start = processorMicroseconds
            for _ in 0..<1000 { sum += try work() }
            if sample > 0 { samples.append((processorMicroseconds - start) / 1000) }
        }
        guard sum > 0 else { throw Failure() }
        return samples.sorted()[samples.count / 2]
    }

    private static var processorMicroseconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }
}
