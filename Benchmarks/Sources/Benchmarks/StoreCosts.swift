// Licensed under the MIT License. See LICENSE.

import Foundation

@testable import MSAL

/// The costs of the store at growing sizes: hits, changes by other processes, first lookups, saves, memory.
enum StoreCosts {
    static func run() async throws {
        for tokens in [1, 100, 1000, 10_000, 100_000] {
            for spread in Contents.Spread.allCases {
                let contents = Contents(tokens: tokens, spread: spread)
                print("\n\(tokens) tokens, \(spread.rawValue) (\(contents.accounts) accounts)")
                try await withTemporaryStore { try await measure(contents, $0) }
            }
        }
    }

    private static func measure(_ contents: Contents, _ folder: Folder) async throws {
        let other = try folder.open()
        try contents.fill(other)
        let isAimed = contents.tokens <= 10_000
        let query = contents.query

        var first: [Double] = []
        for _ in 0..<15 {
            let output = try await Self.child(["first", folder.path, "\(contents.tokens)", contents.spread.rawValue])
            first.append(Double(output) ?? .infinity)
        }
        report("first lookup of a process, opening included", Times(first), target: isAimed ? 5000 : nil)

        let cache = TokenCache(store: try folder.open(), clientID: Contents.clientID)
        /// Reads the store each time; what a process remembers lies above.
        func lookUp() throws {
            guard try cache.accessToken(for: query, now: contents.now, buffer: .seconds(300)) != nil else {
                throw CocoaError(.fileReadCorruptFile)
            }
        }
        try lookUp()
        report("lookup in the store, unchanged", try await times(calls: 500) { try lookUp() })

        let foreign = TokenCache(store: other, clientID: Contents.clientID)
        var afterChange: [Double] = []
        var normal: [Double] = []
        var full: [Double] = []
        let small = try contents.response(refreshToken: false)
        let rotated = try contents.response(refreshToken: true)
        for _ in 0..<25 {
            normal.append(try await microseconds { _ = try foreign.save(small) })
            afterChange.append(try await microseconds { try lookUp() })
            full.append(try await microseconds { _ = try foreign.save(rotated) })
        }
        report("hit after another process wrote", Times(afterChange), target: isAimed ? 1000 : nil)
        report("saving one response (NORMAL)", Times(normal), target: isAimed ? 1000 : nil)
        report("saving one with a new refresh token (FULL)", Times(full))
        if contents.tokens >= 1000 {
            let output = try await child(["memory", folder.path, "\(contents.tokens)", contents.spread.rawValue])
            print(
                "  " + "memory of the client for each token, beyond its own".padded(54) + output
                    + " (aim: 1024 bytes or less)"
            )
        }
    }

    /// Looks one token up in a process that did nothing before; prints microseconds.
    ///
    /// The store is still open when the clock stops: nobody closes it after the first token.
    static func first(_ folder: Folder, _ contents: Contents) async throws {
        let environment = folder.environment
        var cache: TokenCache?
        let time = try await microseconds {
            let store = try SystemMachine.store(group: Folder.group, environment)
            let opened = TokenCache(store: store, clientID: Contents.clientID)
            let hit = try opened.accessToken(for: contents.query, now: contents.now, buffer: .seconds(300))
            guard hit != nil else { throw CocoaError(.fileReadCorruptFile) }
            cache = opened
        }
        withExtendedLifetime(cache) { print(time) }
    }

    private static func child(_ arguments: [String]) async throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: CommandLine.arguments[0])
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
