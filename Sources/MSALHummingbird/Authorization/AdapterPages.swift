// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import MSALBase
import MSALCore
import NIOCore

/// The adapter's pages. They have no scripts, and other sites cannot show them in a frame.
enum AdapterPages {
    /// The page on which a user allows a client to access the API. `form` is the sealed request.
    static func consent(
        _ request: ClientAuthorization,
        of client: AdapterClient,
        server: String,
        form: String
    ) -> Response {
        let origin =
            client.documentHost.map { "<p>The client is described by <strong>\($0.escapedForHTML)</strong>.</p>" }
            ?? "<p><strong>This client is unverified.</strong> Nothing confirms its name.</p>"
        let warning =
            RedirectAllowList.isLoopback(request.redirectURI)
            ? "<p><strong>Warning:</strong> access goes to a program on your own computer. Any program there can use this "
                + "name. Continue only if you have just started this sign-in.</p>" : ""
        return page(
            "Allow access",
            """
            <p><strong>\((client.name ?? "A client without a name").shortened.escapedForHTML)</strong> requests access to
            <strong>\(server.escapedForHTML)</strong> on your behalf.</p>\(origin)
            <p>Access goes to <strong>\((URL(string: request.redirectURI)?.host() ?? "").escapedForHTML)</strong>.</p>\(warning)
            <p>Permissions:</p><ul>\(request.scopes.map { "<li>\($0.escapedForHTML)</li>" }.joined())</ul>
            <form method="post" action="/oauth/authorize"><input type="hidden" name="form" value="\(form)">
            <button name="action" value="accept">Allow</button> <button name="action" value="cancel">Cancel</button></form>
            """
        )
    }

    /// A page about a request whose error cannot be sent to the client.
    static func problem(_ error: OAuthError) -> Response {
        let text = "<p>\((error.description ?? "").escapedForHTML)</p><p>Start again in your client.</p>"
        return page("Sign-in not possible", text, status: HTTPTypes.HTTPResponse.Status(code: error.status ?? 400))
    }

    private static func page(
        _ title: String,
        _ content: String,
        status: HTTPTypes.HTTPResponse.Status = .ok
    ) -> Response {
        let text = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(title)</title><style>\(style)</style></head>
            <body><main><h1>\(title)</h1>\(content)</main></body></html>
            """
        var headers = protection
        headers[.contentType] = "text/html; charset=utf-8"
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    private static let style = """
        :root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif}\
        main{max-width:34rem;margin:0 auto;padding:1rem;overflow-wrap:anywhere}button{font:inherit;padding:.6rem 1.2rem}
        """

    /// The headers that keep a response out of caches, frames, and referrers, and that allow only the style above. `form-action`
    /// is left out: browsers apply it to the redirects after a form, and Entra may redirect to any identity provider.
    static let protection: HTTPFields = {
        let hash = Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString()
        var fields: HTTPFields = [.cacheControl: "no-store", .xContentTypeOptions: "nosniff"]
        fields[.contentSecurityPolicy] =
            "default-src 'none'; style-src 'sha256-\(hash)'; base-uri 'none'; frame-ancestors 'none'"
        if let policy = HTTPField.Name("Referrer-Policy") { fields[policy] = "no-referrer" }
        return fields
    }()
}

extension String {
    /// One line of at most 80 characters.
    var shortened: String {
        let line = visibleLine
        return line.count > 80 ? line.prefix(79) + "…" : line
    }
}
