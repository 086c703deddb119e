// Licensed under the MIT License. See LICENSE.

/// The pages. They have no scripts, and use the system's colors, dark or light.
enum Pages {
    static let signedOut = page(
        "Welcome",
        """
        <p>Sign in to see your data from Microsoft Graph.</p>
        <p><a class="button" href="/signin">Sign in</a></p>
        """
    )

    static let farewell = page(
        "You are signed out",
        """
        <p>This application has deleted your session.</p>
        <p><a class="button" href="/signin">Sign in again</a></p>
        """
    )

    static func home(_ session: Sessions.Session, profile: Graph.Profile, source: String) -> HTML {
        page(
            "Hello, \(session.name)",
            """
            <h2>Your data from Microsoft Graph</h2>
            <dl>
              <dt>Name</dt><dd>\(profile.displayName ?? "–")</dd>
              <dt>User name</dt><dd>\(profile.userPrincipalName ?? "–")</dd>
              <dt>Mail</dt><dd>\(profile.mail ?? "–")</dd>
              <dt>Token from</dt><dd>\(source)</dd>
            </dl>
            \(signOutForm(session))
            """
        )
    }

    /// The service requires the user, for example for a consent or a second factor.
    static func signInAgain(_ session: Sessions.Session) -> HTML {
        page(
            "One more step",
            """
            <p>The service requires you to sign in again, \(session.name).</p>
            <p><a class="button" href="/signin">Sign in again</a></p>
            \(signOutForm(session))
            """
        )
    }

    static func trouble(_ title: String, _ words: String, session: Sessions.Session? = nil) -> HTML {
        page(
            title,
            """
            <p>\(words)</p>
            <p><a class="button" href="\(session == nil ? "/signin" : "/")">Try again</a></p>
            \(session.map(signOutForm) ?? "")
            """
        )
    }

    /// A form with the session's token. With a link, any other site could sign the user out.
    private static func signOutForm(_ session: Sessions.Session) -> HTML {
        """
        <form method="post" action="/signout">
          <input type="hidden" name="token" value="\(session.formToken)">
          <button type="submit">Sign out</button>
          <button type="submit" formaction="/signout-everywhere">Sign out everywhere</button>
        </form>
        """
    }

    private static func page(_ title: String, _ content: HTML) -> HTML {
        """
        <!doctype html>
        <html lang="en">
        <head>
          <meta charset="utf-8">
          <meta name="viewport" content="width=device-width, initial-scale=1">
          <meta name="color-scheme" content="light dark">
          <title>\(title) – Example</title>
          <link rel="icon" href="data:,">
          <link rel="stylesheet" href="/style.css">
        </head>
        <body>
          <main>
            <h1>\(title)</h1>
            \(content)
          </main>
        </body>
        </html>
        """
    }

    static let style = """
        :root { color-scheme: light dark; --line: #767676; --accent: #0f5fae; --on-accent: #ffffff; }
        @media (prefers-color-scheme: dark) { :root { --accent: #8ec5ff; --on-accent: #0b1b2b; } }
        * { box-sizing: border-box; }
        body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; background: Canvas; color: CanvasText; }
        main { max-width: 34rem; margin: 0 auto; padding: clamp(1rem, 6vw, 4rem) 1rem; }
        h1 { font-size: 1.8rem; line-height: 1.2; margin: 0 0 1rem; overflow-wrap: anywhere; }
        h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem; }
        dl { display: grid; grid-template-columns: minmax(6rem, auto) 1fr; margin: 0 0 1.5rem;
             border-top: 1px solid var(--line); }
        dt, dd { margin: 0; padding: .6rem .5rem .6rem 0; border-bottom: 1px solid var(--line); }
        dt { font-weight: 600; }
        dd { overflow-wrap: anywhere; }
        .button, button { display: inline-block; min-height: 2.75rem; padding: .6rem 1.2rem; border-radius: .4rem;
             font: inherit; font-weight: 600; text-decoration: none; cursor: pointer; }
        .button { background: var(--accent); color: var(--on-accent); border: 1px solid var(--accent); }
        button { background: Canvas; color: CanvasText; border: 1px solid var(--line); }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
        @media (max-width: 26rem) {
          dl { grid-template-columns: 1fr; }
          dt { border-bottom: 0; padding-bottom: 0; }
          .button, button { width: 100%; text-align: center; }
        }
        """
}
