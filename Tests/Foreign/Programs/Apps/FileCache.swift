// Licensed under the MIT License. See LICENSE.

import Bench
import Foundation
import MSAL

/// An app in the form of those for macOS that store their tokens in a file.
final class FileCache: NSObject, MSALSerializedADALCacheProviderDelegate {
    private let file: URL

    init(_ file: URL) {
        self.file = file
    }

    func willAccessCache(_ cache: MSALSerializedADALCacheProvider) { load(cache) }
    func didAccessCache(_ cache: MSALSerializedADALCacheProvider) {}
    func willWriteCache(_ cache: MSALSerializedADALCacheProvider) { load(cache) }

    func didWriteCache(_ cache: MSALSerializedADALCacheProvider) {
        do {
            try cache.serializeData().write(to: file)
        } catch {
            Bench.fail("the cache cannot be written: \(error)")
        }
    }

    private func load(_ cache: MSALSerializedADALCacheProvider) {
        guard let data = try? Data(contentsOf: file) else { return }
        do {
            try cache.deserialize(data)
        } catch {
            Bench.fail("the cache cannot be read: \(error)")
        }
    }
}

@main struct Mac {
    static func main() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("cache-\(UUID().uuidString)")
        try Account.signIn(file)
        RunLoop.main.run()
    }
}

enum Account {
    static func signIn(_ file: URL) throws {
        let first = try application(file)
        first.acquireToken(with: MSALInteractiveTokenParameters(scopes: Bench.scopes)) { _, error in
            Bench.expect(error)
            do {
                let names = try application(file).allAccounts().map { $0.username }
                Bench.expect(names == [Bench.user], "another application finds \(names)")
                try FileManager.default.removeItem(at: file)
            } catch {
                Bench.expect(error)
            }
            Bench.pass()
        }
    }

    private static func application(_ file: URL) throws -> MSALPublicClientApplication {
        let configuration = try Bench.configuration()
        configuration.cacheConfig.serializedADALCache = try MSALSerializedADALCacheProvider(delegate: FileCache(file))
        return try MSALPublicClientApplication(configuration: configuration)
    }
}
