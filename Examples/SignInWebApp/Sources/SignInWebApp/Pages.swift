// Licensed under the MIT License. See LICENSE.

import Hummingbird
import MSALHummingbird

/// The pages. They have no scripts, and use the system's colors, dark or light.
enum Pages {
    static let signedOut = page(
        "Welcome",
        #"<p>Sign in to see your data from Microsoft Graph.</p><p><a class="button" href="/signin">Sign in</a></p>"#
    )

    static func home(_ user: MSALWebUser, profile: Site.Profile, source: String) -> String {
        let rows = [
            ("Name", profile.displayName), ("User name", profile.userPrincipalName), ("Mail", profile.mail),
            ("Token from", source),
        ].map { "<dt>\($0)</dt><dd>\(MSALWebSignInPage.escaped($1 ?? "–"))</dd>" }
        let content = "<h2>Your data from Microsoft Graph</h2><dl>\(rows.joined())</dl>\(signOutForm(user))"
        return page("Hello, \(user.name ?? "somebody")", content)
    }

    /// A page of the sign-in, in the layout of this application.
    static func message(_ content: MSALWebSignInPage) -> String {
        page(
            content.title,
            """
            <p>\(MSALWebSignInPage.escaped(content.message))</p>
            <p><a class="button" href="\(MSALWebSignInPage.escaped(content.linkAddress))">\(content.linkTitle)</a></p>
            \(content.user.map(signOutForm) ?? "")
            """
        )
    }

    private static func signOutForm(_ user: MSALWebUser) -> String {
        """
        <form method="post" action="/signout">
          \(user.formField)
          <button type="submit">Sign out</button>
          <button type="submit" formaction="/signout-everywhere">Sign out everywhere</button>
        </form>
        """
    }

    private static func page(_ title: String, _ content: String) -> String {
        """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(MSALWebSignInPage.escaped(title)) – Example</title>
        <link rel="icon" href="data:,">
        <link rel="stylesheet" href="/style.css">
        <main><h1>\(MSALWebSignInPage.escaped(title))</h1>\(content)</main>
        """
    }

    static func response(_ text: String, type: String = "text/html") -> Response {
        let body = ResponseBody(byteBuffer: ByteBuffer(string: text))
        return Response(status: .ok, headers: [.contentType: "\(type); charset=utf-8"], body: body)
    }

    static let style = """
        :root { color-scheme: light dark; --line: #767676; --accent: #0f5fae; --on-accent: #ffffff; }
        @media (prefers-color-scheme: dark) { :root { --accent: #8ec5ff; --on-accent: #0b1b2b; } }
        * { box-sizing: border-box; }
        body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; background: Canvas; color: CanvasText; }
        main { max-width: 34rem; margin: 0 auto; padding: clamp(1rem, 6vw, 4rem) 1rem; }
        h1, dd { overflow-wrap: anywhere; }
        dl { display: grid; grid-template-columns: minmax(6rem, auto) 1fr; border-top: 1px solid var(--line); }
        dt, dd { margin: 0; padding: .6rem .5rem .6rem 0; border-bottom: 1px solid var(--line); }
        .button, button { display: inline-block; min-height: 2.75rem; padding: .6rem 1.2rem; border-radius: .4rem;
          font: inherit; font-weight: 600; text-decoration: none; }
        .button { background: var(--accent); color: var(--on-accent); border: 1px solid var(--accent); }
        button { background: Canvas; color: CanvasText; border: 1px solid var(--line); }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
        @media (max-width: 26rem) { dl { grid-template-columns: 1fr; } .button, button { width: 100%; text-align: center; } }
        """
}
