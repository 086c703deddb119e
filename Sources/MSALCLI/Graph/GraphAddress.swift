// Licensed under the MIT License. See LICENSE.

import Foundation

/// The addresses of paths at Microsoft Graph.
enum GraphAddress {
    /// The address of a path. A text that is an address already must have the host of `graph`, and is returned.
    ///
    /// - Throws: `Failure` with the status `usage` for another host, which must not see the token.
    static func url(_ path: String, at graph: URL) throws(Failure) -> URL {
        if path.contains("://") {
            guard let url = URL(string: path), isSamePlace(url, as: graph) else {
                throw .usage(
                    "The token is only sent to \(graph.absoluteString), which \(path) is not at.",
                    remedy: "Give a path such as /me, or another Microsoft Graph with --graph-url."
                )
            }
            return url
        }
        let relative = path.hasPrefix("/") ? String(path.dropFirst()) : path
        let version = relative.split(separator: "/", maxSplits: 1).first ?? ""
        let base = graph.absoluteString.hasSuffix("/") ? graph.absoluteString : graph.absoluteString + "/"
        let below = ["v1.0", "beta"].contains(version) ? relative : "v1.0/" + relative
        guard let url = URL(string: base + below), isSamePlace(url, as: graph) else {
            throw .usage("\(path) cannot be part of an address.", remedy: Remedy.graphPath)
        }
        return url
    }

    private static func isSamePlace(_ url: URL, as graph: URL) -> Bool {
        url.scheme?.lowercased() == "https" && url.host()?.lowercased() == graph.host()?.lowercased()
            && (url.port ?? 443) == (graph.port ?? 443) && url.user() == nil
    }
}
