// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALHummingbird
import MSALServer
import SocketStore

/// A web application for Tests/Peers/web_sign_in.py, which starts several instances of it behind a proxy. The variables
/// of its environment are BASE_URL, EMULATOR, MSAL_CA_FILE, PORT, and, for sessions in a shared store, STORE_SOCKET.
@main struct Main {
    static func main() async throws {
        let environment = ProcessInfo.processInfo.environment
        func setting(_ name: String) throws -> String {
            guard let value = environment[name] else {
                throw MSALTokenError(kind: .configuration, message: "\(name) is not set.")
            }
            return value
        }
        let emulator = try setting("EMULATOR")
        let base = try setting("BASE_URL")
        var configuration = MSALConfidentialClientConfiguration(
            clientId: "00000000-0000-4000-8000-000000000010",
            authority: .url(URL(string: "\(emulator)/11111111-1111-1111-1111-111111111111") ?? URL(filePath: "/")),
            credential: .secret("Emulator-secret-1")
        )
        configuration.redirectUri = "\(base)/signin-oidc"
        configuration.postLogoutRedirectUri = "\(base)/signed-out"
        configuration.capabilities = ["cp1"]
        configuration.caFile = URL(filePath: try setting("MSAL_CA_FILE"))
        if let socket = environment["STORE_SOCKET"] {
            let key = try MSALSealingKey(id: 1, secret: (0..<32).map { UInt8($0) })
            var shared = try MSALSharedCacheConfiguration(SocketStore(socket: socket), keys: [key])
            // The test machine is busy with other tests.
            shared.timeLimit = .seconds(5)
            configuration.cache = MSALTokenCache(shared: shared)
        }
        let graph = URL(string: "\(emulator)/v1.0") ?? URL(filePath: "/")
        let application = Application(
            router: try router(MSALConfidentialClientApplication(configuration: configuration), graph: graph),
            configuration: .init(address: .hostname("127.0.0.1", port: Int(try setting("PORT")) ?? 0))
        )
        try await application.runService()
    }

    private static func router(
        _ application: MSALConfidentialClientApplication,
        graph: URL
    ) throws -> Router<MSALWebContext> {
        let router = Router(context: MSALWebContext.self)
        try MSALWebSignIn(application, configuration: .init(scopes: ["User.Read"])).addRoutes(to: router)
        router.get("/") { _, context in page("Home", context.user?.name ?? "nobody") }
        router.requiresSignIn().get("account") { _, context in
            page("Account", context.user?.name ?? "", form: context.user)
        }
        router.requires(scopes: ["Calendars.Read"]).get("calendar") { _, _ in page("Calendar", "consented") }
        router.requires(role: "Admin").get("admin") { _, _ in page("Admin", "") }
        router.requiresSignIn().get("graph") { _, context in
            guard let user = context.user else { throw MSALSignInRequired() }
            let me = try await user.api(at: graph, scopes: ["User.Read"]).json(Profile.self, from: "me")
            return page("Graph", me.userPrincipalName)
        }
        router.requiresSignIn().post("notes") { request, context in
            let fields: [String: String]? = try await context.user?.form(of: request)
            return page("Note", fields?["note"] ?? "")
        }
        return router
    }

    private struct Profile: Decodable {
        let userPrincipalName: String
    }

    private static func page(_ title: String, _ text: String, form user: MSALWebUser? = nil) -> Response {
        let forms = user.map { user in
            """
            <form method="post" action="/notes">\(user.formField)<input name="note"><button id="note">Save</button></form>
            <form method="post" action="/signout">\(user.formField)<button id="out">Sign out</button>
            <button id="everywhere" formaction="/signout-everywhere">Sign out everywhere</button></form>
            """
        }
        let html = """
            <!doctype html><html lang="en"><meta charset="utf-8"><title>\(title)</title><h1>\(title)</h1>
            <p id="text">\(MSALWebSignInPage.escaped(text))</p>\(forms ?? "")
            """
        return Response(
            status: .ok,
            headers: [.contentType: "text/html; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: html))
        )
    }
}
