// Licensed under the MIT License. See LICENSE.

import Foundation

@testable import MSAL

/// Measures the library from inside; whole programs are timed by scripts/benchmark, which also runs this.
@main struct Benchmarks {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch (arguments.first, arguments.count) {
        case ("silent", 1): try await SilentHit.run()
        case ("store", 1): try await StoreCosts.run()
        case ("native", 1): try await NativeSignIns.run()
        case ("fill", 4): try contents(arguments).fill(Folder(path: arguments[1]).open())
        case ("first", 4): try await StoreCosts.first(Folder(path: arguments[1]), try contents(arguments))
        case ("memory", 4): try await RememberedTokens.run(Folder(path: arguments[1]), try contents(arguments))
        default:
            print("usage: Benchmarks silent | store | native | fill FOLDER TOKENS spread|one-account")
            exit(2)
        }
    }

    private static func contents(_ arguments: [String]) throws -> Contents {
        guard let tokens = Int(arguments[2]), tokens > 0, let spread = Contents.Spread(rawValue: arguments[3]) else {
            throw CocoaError(.featureUnsupported)
        }
        return Contents(tokens: tokens, spread: spread)
    }
}
