// Licensed under the MIT License. See LICENSE.

import Foundation

/// A Microsoft Graph path as the user wrote it, with its parameters.
struct GraphPath: Equatable {
    let path: String
    var isBeta = false
    var parameters: [URLQueryItem] = []

    init(_ path: String, isBeta: Bool = false, parameters: [URLQueryItem] = []) {
        (self.path, self.isBeta, self.parameters) = (path, isBeta, parameters)
    }

    /// The address.
    ///
    /// - Throws: `Failure` with the status `usage`, as ``GraphAddress``.
    func url(at graph: URL) throws(Failure) -> URL {
        let url = try GraphAddress.url(isBeta ? betaPath() : path, at: graph)
        guard !parameters.isEmpty else { return url }
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            throw .usage("\(path) cannot be part of an address.", remedy: Remedy.graphPath)
        }
        // The query that the path already has stays as it was written. A plus sign is encoded, because a server reads
        // it as a space. A dollar sign is not: the names of Microsoft Graph's own parameters begin with it.
        let added = parameters.map { "\($0.name.encoded(sparing: "$"))=\(($0.value ?? "").encoded(sparing: "$"))" }
        components.percentEncodedQuery = ([components.percentEncodedQuery].compactMap(\.self) + added)
            .joined(separator: "&")
        guard let whole = components.url else { throw .usage("A value of --param cannot be part of an address.") }
        return whole
    }

    private func betaPath() throws(Failure) -> String {
        let relative = path.hasPrefix("/") ? String(path.dropFirst()) : path
        guard !GraphAddress.isAddress(path), !relative.hasPrefix("v1.0/"), relative != "v1.0" else {
            throw .usage("\(path) has a version, and --beta sets another one.", remedy: "Leave one of them out.")
        }
        return relative.hasPrefix("beta/") || relative == "beta" ? relative : "beta/" + relative
    }
}

extension String {
    /// The text with an escape for every character that needs one (RFC 3986 §2.3), and with `spared` as it is.
    func encoded(sparing spared: String = "") -> String {
        let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return addingPercentEncoding(withAllowedCharacters: plain.union(CharacterSet(charactersIn: spared))) ?? ""
    }
}
