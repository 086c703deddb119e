// Licensed under the MIT License. See LICENSE.

/// The pages as Mustache templates. They are plain forms that work without scripts and with the keyboard.
enum Templates {
    /// Template by name.
    static let all = parts.merging(pages.mapValues { "{{>top}}\n\($0)\n{{>bottom}}" }) { part, _ in part }

    private static let parts = [
        "head": head, "top": top, "bottom": bottom, "form": form, "accounts": accounts, "problem": problem,
        "change": change, "searchfield": searchField, "searchform": searchForm,
    ]

    /// The pages without their top and bottom.
    private static let pages = [
        "picker": picker, "username": userName, "password": password, "signup": signUp, "kmsi": staySignedIn,
        "consent": consent, "admin": administratorNeeded, "error": error, "signout": signOut,
        "signoutpicker": signOutPicker, "signedout": signedOut, "home": home, "formpost": formPost, "device": device,
        "code": code, "registration": registration, "newpassword": newPassword, "terms": termsOfUse, "refused": refused,
        "devicedone": deviceDone, "devicedeclined": deviceDeclined, "number": number, "nativeclient": nativeClient,
        "notfound": notFound,
    ]

    /// The beginning of every page, including those of the console.
    private static let head = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>{{title}} – Entra emulator</title>
        <link rel="stylesheet" href="/assets/style.css">
        </head>
        <body>

        """

    private static let top = """
        {{>head}}
        <main class="card">
        <p class="brand" aria-hidden="true"><span></span>Sign-in</p>
        {{#identity}}
        <p class="identity">{{identity}}</p>
        {{/identity}}
        <h1>{{title}}</h1>

        """

    private static let bottom = """
        </main>
        <footer>Entra emulator — this is not Microsoft. For local tests only.</footer>
        </body>
        </html>

        """

    /// The beginning of a form, with its hidden fields: the flow of a sign-in, or parameters.
    private static let form = """
        <form method="post" action="{{action}}">
        {{#flow}}
        <input type="hidden" name="flow" value="{{flow}}">
        {{/flow}}
        <input type="hidden" name="csrf" value="{{csrf}}">
        {{#parameters}}
        <input type="hidden" name="{{name}}" value="{{value}}">
        {{/parameters}}

        """

    private static let problem = """
        <div aria-live="assertive" id="problem">
        {{#problem}}
        <p class="problem" role="alert">{{text}} <span class="number">AADSTS{{number}}</span></p>
        {{/problem}}
        </div>

        """

    /// The change of the directory that resolves an error.
    private static let change = """
        {{#change}}
        <p>What to change here: {{text}}{{#links}} <a href="{{.}}">Open the console</a>{{/links}}</p>
        {{/change}}

        """

    /// The search field of a list of users. The field belongs to another form, because forms cannot be nested.
    private static let searchField = """
        {{#search}}
        <label for="search">Search users</label>
        <input id="search" name="search" type="search" form="searchform" value="{{term}}" maxlength="113">
        <p class="search"><button form="searchform" class="secondary" formnovalidate>Search</button></p>
        {{#isEmpty}}<p class="hint" role="status">No user matches.</p>{{/isEmpty}}
        {{/search}}

        """

    private static let searchForm = """
        {{#search}}
        <form method="get" action="{{action}}" id="searchform" role="search"><input type="hidden" name="flow" value="{{flow}}"></form>
        {{/search}}

        """

    private static let notFound = """
        <p>This emulator has no page at <code>{{path}}</code>.</p>
        <p><a href="/">Start page</a></p>
        """

    private static let accounts = """
        <ul class="accounts">
        {{#accounts}}
        <li><button class="account" name="account" value="{{user}}" data-test-id="{{user}}"><span class="avatar" aria-hidden="true">\
        {{initial}}</span><span><strong>{{name}}</strong><br>{{user}}</span></button></li>
        {{/accounts}}
        </ul>

        """

    private static let picker = """
        <p>to continue to <strong>{{application}}</strong></p>
        {{>searchform}}
        {{>form}}
        {{>searchfield}}
        {{>accounts}}
        <div class="actions">
        <button id="otherTile" name="action" value="other" class="secondary">Use another account</button>
        <button name="action" value="cancel" class="secondary">Cancel</button>
        </div>
        </form>
        """

    private static let userName = """
        <p>to continue to <strong>{{application}}</strong></p>
        {{>form}}
        {{>problem}}
        <label for="i0116">Email or user name</label>
        <input id="i0116" name="loginfmt" type="email" autocomplete="username" autocapitalize="none" \
        spellcheck="false" value="{{typed}}" maxlength="113" aria-describedby="problem" required autofocus>
        <div class="actions">
        <input type="submit" id="idSIButton9" name="action" value="Next" formnovalidate>
        <button name="action" value="cancel" class="secondary" formnovalidate>Cancel</button>
        </div>
        {{#hasPeople}}
        <h2 class="people">Users of this emulator</h2>
        <p class="hint">One click signs in, without a password.</p>
        {{>searchfield}}
        <ul class="accounts">
        {{#people}}
        <li><button class="account" name="person" value="{{user}}" formnovalidate><span class="avatar" aria-hidden="true">\
        {{initial}}</span><span><strong>{{name}}</strong><br>{{user}}</span></button></li>
        {{/people}}
        </ul>
        {{/hasPeople}}
        </form>
        {{>searchform}}
        """

    private static let password = """
        {{>form}}
        {{>problem}}
        <input class="visually-hidden" type="text" name="login" value="{{identity}}" autocomplete="username" \
        tabindex="-1" aria-hidden="true" readonly>
        <label for="i0118">Password</label>
        <input id="i0118" name="passwd" type="password" autocomplete="current-password" aria-describedby="problem" \
        required autofocus>
        <div class="actions">
        <input type="submit" id="idSIButton9" name="action" value="Sign in">
        <button id="idBtn_Back" name="action" value="back" class="secondary" formnovalidate>Back</button>
        <button name="action" value="cancel" class="secondary" formnovalidate>Cancel</button>
        </div>
        </form>
        """

    private static let signUp = """
        <p>to continue to <strong>{{application}}</strong></p>
        {{>form}}
        {{>problem}}
        <label for="login">Email</label>
        <input id="login" name="login" type="text" inputmode="email" autocomplete="username" value="{{typed}}" \
        maxlength="113" aria-describedby="problem" required autofocus>
        <label for="name">Your name</label>
        <input id="name" name="name" type="text" autocomplete="name" maxlength="256">
        <label for="passwd">Password, at least eight characters</label>
        <input id="passwd" name="passwd" type="password" autocomplete="new-password" minlength="8" required>
        <div class="actions">
        <button name="action" value="next">Create account</button>
        <button name="action" value="back" class="secondary" formnovalidate>I have an account</button>
        <button name="action" value="cancel" class="secondary" formnovalidate>Cancel</button>
        </div>
        </form>
        """

    private static let staySignedIn = """
        <p>You will not have to sign in again for 90 days in this browser.</p>
        {{>form}}
        <div class="actions">
        <input type="submit" id="idSIButton9" name="action" value="Yes" autofocus>
        <button id="idBtn_Back" name="action" value="no" class="secondary">No</button>
        <button name="action" value="cancel" class="secondary">Cancel</button>
        </div>
        </form>
        """

    private static let registration = """
        <p>Your organization needs a second contact before you can continue to <strong>{{application}}</strong>. We
        will send a code to it. <span class="number">AADSTS50079</span></p>
        {{>form}}
        {{>problem}}
        <label for="contact">Email address, or phone number that starts with +</label>
        <input id="contact" name="contact" type="text" inputmode="email" autocomplete="email" autocapitalize="none" \
        spellcheck="false" value="{{typed}}" maxlength="113" aria-describedby="problem" required autofocus>
        <div class="actions">
        <button name="action" value="register">Next</button>
        <button name="action" value="cancel" class="secondary" formnovalidate>Cancel</button>
        </div>
        </form>
        """

    private static let newPassword = """
        <p>You need to choose a new password, because your administrator requires it or the old one has expired.</p>
        {{>form}}
        {{>problem}}
        <label for="newpasswd">New password, at least eight characters</label>
        <input id="newpasswd" name="newpasswd" type="password" autocomplete="new-password" aria-describedby="problem" \
        required autofocus>
        <label for="confirmnewpasswd">Confirm new password</label>
        <input id="confirmnewpasswd" name="confirmnewpasswd" type="password" autocomplete="new-password" required>
        <div class="actions">
        <button name="action" value="change">Sign in</button>
        <button name="action" value="cancel" class="secondary" formnovalidate>Cancel</button>
        </div>
        </form>
        """

    private static let termsOfUse = """
        <p>Your organization requires you to accept its terms of use before you continue to <strong>{{application}}</strong>.
        The emulator’s terms are empty.</p>
        {{>form}}
        <div class="actions">
        <button name="action" value="accept" autofocus>Accept</button>
        <button name="action" value="cancel" class="secondary">Decline</button>
        </div>
        </form>
        """

    private static let refused = """
        <p class="problem" role="alert">{{message}} <span class="number">AADSTS{{number}}</span></p>
        <p>You signed in, but you cannot use <strong>{{application}}</strong> from here.</p>
        {{>change}}
        {{>form}}
        <div class="actions">
        <button name="action" value="other" class="secondary">Use another account</button>
        <button name="action" value="cancel" class="secondary">Cancel</button>
        </div>
        </form>
        """

    private static let consent = """
        <p><strong>{{application}}</strong> would like to use {{resource}} on behalf of \
        {{#everybody}}all users in your organization{{/everybody}}{{^everybody}}you{{/everybody}}:</p>
        {{#publishers}}<p class="hint">Publisher: {{.}} (unverified)</p>{{/publishers}}
        {{>form}}
        <ul class="permissions">
        {{#permissions}}
        <li>{{summary}} <span class="number">{{scope}}</span></li>
        {{/permissions}}
        </ul>
        <p class="hint">Accept only if you trust the application. You can change your mind at any time.</p>
        <div class="actions">
        <input type="submit" id="idBtn_Accept" name="action" value="Accept">
        <button name="action" value="cancel" class="secondary">Cancel</button>
        </div>
        </form>
        """

    private static let administratorNeeded = """
        <p><strong>{{application}}</strong> needs permissions that only an administrator of your organization can
        grant. Ask an administrator to use the application first. <span class="number">AADSTS90094</span></p>
        {{>form}}
        <div class="actions">
        <button name="action" value="other" class="secondary">Use another account</button>
        <button name="action" value="cancel" class="secondary">Cancel</button>
        </div>
        </form>
        """

    private static let error = """
        <p class="problem" role="alert">AADSTS{{number}}: {{message}}</p>
        <dl>
        <dt>Correlation ID</dt><dd>{{correlation}}</dd>
        <dt>Trace ID</dt><dd>{{trace}}</dd>
        <dt>Timestamp</dt><dd>{{timestamp}}</dd>
        </dl>
        {{>change}}
        <p class="hint">Close this window, or go back to the application and try again.</p>
        """

    private static let number = """
        <p>Microsoft lists what the numbers mean, and what to do, under “Microsoft Entra authentication and
        authorization error codes”:
        <a href="https://learn.microsoft.com/entra/identity-platform/reference-error-codes">learn.microsoft.com</a>.</p>
        <p class="hint">The response with this number describes what was wrong with the request.</p>
        """

    private static let signOut = """
        <p>Another site wants to sign you out of this browser. Close this window to stay signed in.</p>
        {{>form}}
        <div class="actions"><button autofocus>Sign out</button></div>
        </form>
        """

    private static let signOutPicker = """
        {{>form}}
        {{>accounts}}
        <div class="actions"><button class="secondary">All accounts</button></div>
        </form>
        """

    private static let signedOut = """
        <p role="status">You are signed out of this browser. Close all its windows to be safe.</p>
        {{#frames}}
        <iframe src="{{.}}" title="Sign-out of an application" hidden></iframe>
        {{/frames}}
        {{#target}}
        <p><a id="next" href="{{address}}">Back to the application</a></p>
        <script nonce="{{nonce}}">addEventListener("load", () => document.getElementById("next").click())</script>
        {{/target}}
        """

    private static let home = """
        <p>Trust this certificate authority in your client: <code>{{authority}}</code></p>
        <dl>
        <dt>Client ID</dt><dd>{{client}}</dd>
        <dt>Tenant</dt><dd>{{tenant}}</dd>
        </dl>
        <ul class="permissions">
        {{#people}}
        <li>{{name}} <span class="number">{{user}}</span></li>
        {{/people}}
        </ul>
        """

    private static let code = """
        <p>We sent a code to <strong>{{address}}</strong>.</p>
        <p class="hint">This emulator sends nothing. The code is in the outbox\
        {{#console}} of the <a href="{{.}}/">console</a>{{/console}}{{^console}} of the control API{{/console}}.</p>
        {{>form}}
        {{>problem}}
        <label for="idTxtBx_SAOTCC_OTC">Code</label>
        <input id="idTxtBx_SAOTCC_OTC" name="otc" type="text" inputmode="numeric" autocomplete="one-time-code" \
        maxlength="16" aria-describedby="problem" autofocus>
        <div class="actions">
        <input type="submit" id="idSubmit_SAOTCC_Continue" name="action" value="Verify">
        <button name="action" value="resend" class="secondary">Send another code</button>
        <button name="action" value="back" class="secondary">Back</button>
        <button name="action" value="cancel" class="secondary">Cancel</button>
        </div>
        </form>
        """

    private static let device = """
        <p>Enter the code that your app or device shows. Do not enter a code that someone sent you.</p>
        <form method="post" action="/devicelogin">
        {{>problem}}
        <label for="otc">Code</label>
        <input id="otc" name="otc" type="text" autocomplete="one-time-code" autocapitalize="characters" \
        spellcheck="false" value="{{typed}}" maxlength="16" aria-describedby="problem" required autofocus>
        <div class="actions">
        <input type="submit" id="idSIButton9" name="action" value="Next">
        </div>
        </form>
        """

    private static let deviceDone = """
        <p role="status"><strong>{{application}}</strong> continues on your device. You may close this \
        window.</p>
        """

    private static let nativeClient = """
        <p role="status">The sign-in is complete. Return to the app.</p>
        """

    private static let deviceDeclined = """
        <p role="status"><strong>{{application}}</strong> was not signed in. You may close this window.</p>
        """

    private static let formPost = """
        <p>Select “Continue” if nothing happens.</p>
        <form id="answer" method="post" action="{{address}}">
        {{#parameters}}
        <input type="hidden" name="{{name}}" value="{{value}}">
        {{/parameters}}
        <div class="actions"><button autofocus>Continue</button></div>
        </form>
        <script nonce="{{nonce}}">document.getElementById("answer").submit()</script>
        """
}
