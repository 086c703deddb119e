// Licensed under the MIT License. See LICENSE.

import Foundation

/// The authority and the APIs; those of the emulator's default directory unless the environment sets others.
struct Settings {
    /// A variable without a valid address.
    struct Mistake: LocalizedError {
        let name: String
        var errorDescription: String? { "\(name) must be an https address." }
    }

    let clientID: String
    let authority: URL
    let caFile: URL?
    /// Whether to use version 2 of native authentication, which is in preview at Microsoft.
    let usesV2: Bool
    let workAPI: URL
    let workScopes: [String]
    let homeAPI: URL
    let homeScopes: [String]

    init(_ environment: [String: String]) throws {
        func address(_ name: String, _ standard: String) throws -> URL {
            guard let url = URL(string: environment[name] ?? standard), url.scheme == "https",
                (1...65_535).contains(url.port ?? 443)
            else {
                throw Mistake(name: name)
            }
            return url
        }
        clientID = environment["MSAL_CLIENT_ID"] ?? "00000000-0000-4000-8000-000000000001"
        authority = try address("MSAL_AUTHORITY", "https://127.0.0.1:8443/fabrikam")
        usesV2 = environment["NATIVE_AUTH_V2"] == "1"
        caFile = environment["MSAL_CA_FILE"].map { URL(filePath: $0) }
        workAPI = try address("WORK_API", "https://127.0.0.1:8443/api/todos")
        homeAPI = try address("HOME_API", "https://127.0.0.1:8443/api2/todos")
        let api = "api://00000000-0000-4000-8000-0000000000"
        workScopes = [environment["WORK_SCOPE"] ?? "\(api)a1/ToDoList.ReadWrite"]
        homeScopes = [environment["HOME_SCOPE"] ?? "\(api)a2/ToDoList.ReadWrite"]
    }
}
