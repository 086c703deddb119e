// Licensed under the MIT License. See LICENSE.

/// The console's pages as Mustache templates: a page that requests the control token, and the console.
enum ConsoleTemplates {
    /// Template by name.
    static let all = pages.mapValues { "{{>consoletop}}\n\($0)\n{{>bottom}}" }.merging(["consoletop": top]) { $1 }

    /// The pages without their top and bottom.
    private static let pages = [
        "consolekey": key, "console": console, "consolesignins": signIns, "consolepeople": people, "consoleapps": apps,
        "consoletoken": token,
    ]

    private static let top = """
        {{>head}}
        <main class="card{{#wide}} wide{{/wide}}">
        <p class="brand" aria-hidden="true"><span></span>Console</p>
        <h1>{{title}}</h1>
        {{#wide}}
        <nav aria-label="Console"><a href="/">Overview</a> · <a href="/sign-ins">Sign-ins</a> · \
        <a href="/people">People</a> · <a href="/apps">Apps</a> · <a href="/token">Token</a></nav>
        {{/wide}}

        """

    private static let signIns = """
        <section aria-labelledby="signins">
        <h2 id="signins">Sign-ins</h2>
        {{#hasDecisions}}
        <table>
        <thead><tr><th scope="col">User</th><th scope="col">App and API</th><th scope="col">Result</th>\
        <th scope="col">Policies</th><th scope="col">Time</th></tr></thead>
        <tbody>
        {{#decisions}}
        <tr><td>{{user}} <span class="number">{{address}}</span></td><td>{{app}}, {{api}}</td>\
        <td{{#refused}} class="problem"{{/refused}}>{{result}}</td><td>{{policies}}</td><td class="whole">{{date}}</td></tr>
        {{/decisions}}
        </tbody>
        </table>
        {{/hasDecisions}}
        {{^hasDecisions}}<p class="hint">No sign-ins yet.</p>{{/hasDecisions}}
        </section>

        <section aria-labelledby="policies">
        <h2 id="policies">Policies</h2>
        {{#hasPolicies}}
        <table>
        <thead><tr><th scope="col">Name</th><th scope="col">Requirements</th><th scope="col">Users</th>\
        <th scope="col">Apps and APIs</th><th scope="col">Mode</th><th scope="col">Satisfied, not satisfied</th></tr></thead>
        <tbody>
        {{#policies}}
        <tr><td>{{name}}</td><td>{{grant}}</td><td>{{users}}</td><td>{{apps}}</td><td>{{mode}}</td>\
        <td>{{held}}, {{failed}}</td></tr>
        {{/policies}}
        </tbody>
        </table>
        {{/hasPolicies}}
        {{^hasPolicies}}<p class="hint">The directory has no policies.</p>{{/hasPolicies}}
        </section>
        """

    private static let people = """
        {{#notice}}<p role="status">{{notice}}</p>{{/notice}}
        <section aria-labelledby="people">
        <h2 id="people">People</h2>
        <table>
        <thead><tr><th scope="col">Name</th><th scope="col">State</th><th scope="col">Change</th></tr></thead>
        <tbody>
        {{#people}}
        <tr><td>{{name}} <span class="number">{{user}}</span></td><td>{{state}}</td>
        <td><form method="post" action="/console/people">
        <input type="hidden" name="csrf" value="{{csrf}}"><input type="hidden" name="user" value="{{id}}">
        <div class="row">
        {{#changes}}<button name="change" value="{{value}}" class="secondary" aria-label="{{label}}: {{name}}">{{label}}\
        </button>
        {{/changes}}
        </div>
        </form></td></tr>
        {{/people}}
        </tbody>
        </table>
        {{#next}}<p><a href="/people?after={{next}}">More people</a></p>{{/next}}
        </section>
        """

    private static let apps = """
        <section aria-labelledby="apps">
        <h2 id="apps">Apps</h2>
        <table>
        <thead><tr><th scope="col">Name and client ID</th><th scope="col">Type</th><th scope="col">Redirect URIs</th>\
        <th scope="col">Secrets</th></tr></thead>
        <tbody>
        {{#apps}}
        <tr><td>{{name}} <code>{{id}}</code></td><td>{{kind}}</td><td>{{redirects}}</td><td>{{secrets}}</td></tr>
        {{/apps}}
        </tbody>
        </table>
        </section>

        <section aria-labelledby="apis">
        <h2 id="apis">APIs</h2>
        <table>
        <thead><tr><th scope="col">Name and client ID</th><th scope="col">Identifiers</th><th scope="col">Scopes</th>\
        <th scope="col">Roles</th></tr></thead>
        <tbody>
        {{#apis}}
        <tr><td>{{name}} <code>{{id}}</code></td><td>{{identifiers}}</td><td>{{scopes}}</td><td>{{roles}}</td></tr>
        {{/apis}}
        </tbody>
        </table>
        </section>
        """

    private static let token = """
        {{#verdict}}
        <section aria-labelledby="verdict">
        <h2 id="verdict">{{sentence}}</h2>
        {{#hasReasons}}<ul>
        {{#reasons}}<li class="problem">{{.}}</li>
        {{/reasons}}
        </ul>{{/hasReasons}}
        <dl>
        {{#members}}<dt>{{name}}</dt><dd>{{value}}</dd>
        {{/members}}
        </dl>
        </section>
        {{/verdict}}
        <section aria-labelledby="decode">
        <h2 id="decode">Decode a token</h2>
        <form method="post" action="/console/token">
        <input type="hidden" name="csrf" value="{{csrf}}">
        <label for="token">Access token</label>
        <input id="token" name="token" type="password" autocomplete="off" maxlength="32768" required \
        aria-describedby="hint">
        <p class="hint" id="hint">The token is not stored, and the page does not show it again.</p>
        <label for="api">API that receives it</label><select id="api" name="api">
        {{#apis}}<option value="{{id}}">{{name}}</option>
        {{/apis}}
        </select>
        <div class="actions"><button>Decode</button></div>
        </form>
        </section>
        """

    private static let key = """
        <form method="post" action="/session">
        <div aria-live="assertive" id="problem">
        {{#refused}}<p class="problem" role="alert">That is not the control token.</p>{{/refused}}
        </div>
        <label for="token">Control token</label>
        <input id="token" name="token" type="password" autocomplete="off" aria-describedby="problem hint" required \
        autofocus>
        <p class="hint" id="hint">The emulator prints it when it starts.</p>
        <div class="actions"><button>Open the console</button></div>
        </form>
        """

    private static let console = """
        {{#notice}}<p role="status">{{notice}}</p>{{/notice}}
        <p><a href="/">Refresh</a></p>

        <section aria-labelledby="outbox">
        <h2 id="outbox">Outbox</h2>
        {{#hasMessages}}
        <table>
        <thead><tr><th scope="col">Code</th><th scope="col">To</th><th scope="col">For</th><th scope="col">Time</th>\
        </tr></thead>
        <tbody>
        {{#messages}}
        <tr><td class="whole"><code class="code">{{code}}</code></td><td>{{recipient}} <span class="number">{{channel}}</span></td>\
        <td>{{purpose}}</td><td class="whole">{{date}}</td></tr>
        {{/messages}}
        </tbody>
        </table>
        {{/hasMessages}}
        {{^hasMessages}}<p class="hint">No code has been sent.</p>{{/hasMessages}}
        </section>

        <section aria-labelledby="clock">
        <h2 id="clock">Clock</h2>
        <p>The emulated time is <strong>{{now}}</strong>.</p>
        <form method="post" action="/console/clock">
        <input type="hidden" name="csrf" value="{{csrf}}">
        <div class="row">
        <button name="seconds" value="660" class="secondary">Advance 11 minutes</button>
        <button name="seconds" value="5400" class="secondary">Advance 90 minutes</button>
        <button name="seconds" value="7862400" class="secondary">Advance 91 days</button>
        </div>
        </form>
        </section>

        <section aria-labelledby="faults">
        <h2 id="faults">Faults</h2>
        {{#hasFaults}}
        <table>
        <thead><tr><th scope="col">Path ends in</th><th scope="col">Effect</th><th scope="col">Count</th></tr>\
        </thead>
        <tbody>
        {{#faults}}
        <tr><td><code>{{path}}</code></td><td>{{effect}}</td><td>{{count}}</td></tr>
        {{/faults}}
        </tbody>
        </table>
        {{/hasFaults}}
        <form method="post" action="/console/faults">
        <input type="hidden" name="csrf" value="{{csrf}}">
        <div class="row">
        <div><label for="path">Path ends in</label><input id="path" name="path" value="/token" maxlength="200"></div>
        <div><label for="effect">Effect</label><select id="effect" name="effect">
        {{#effects}}<option value="{{value}}">{{label}}</option>
        {{/effects}}
        </select></div>
        <div><label for="count">Count</label><input id="count" name="count" type="number" min="1" max="1000" \
        value="1" required></div>
        <button>Add</button>
        </div>
        </form>
        </section>

        <section aria-labelledby="answers">
        <h2 id="answers">Named responses</h2>
        <form method="post" action="/console/answers">
        <input type="hidden" name="csrf" value="{{csrf}}">
        <div class="row">
        <div><label for="endpoint">Endpoint</label><select id="endpoint" name="endpoint">
        {{#endpoints}}<option>{{.}}</option>
        {{/endpoints}}
        </select></div>
        <div><label for="answer">Next response</label><select id="answer" name="answer">
        {{#names}}<option>{{.}}</option>
        {{/names}}
        </select></div>
        <button>Queue</button>
        </div>
        </form>
        </section>

        <section aria-labelledby="journal">
        <h2 id="journal">Journal</h2>
        {{#hasEntries}}
        <table>
        <thead><tr><th scope="col">Request</th><th scope="col">Status</th><th scope="col">Rule</th>\
        <th scope="col">Time</th></tr></thead>
        <tbody>
        {{#entries}}
        <tr><td>{{method}} <code>{{path}}</code></td><td class="whole">{{status}}</td>\
        <td>{{rule}}</td><td class="whole">{{date}}</td></tr>
        {{/entries}}
        </tbody>
        </table>
        {{/hasEntries}}
        {{^hasEntries}}<p class="hint">No requests yet.</p>{{/hasEntries}}
        </section>

        <section aria-labelledby="reset">
        <h2 id="reset">Reset</h2>
        <form method="post" action="/console/reset">
        <input type="hidden" name="csrf" value="{{csrf}}">
        <p class="hint">Removes new users, consents, sessions, tokens, codes, faults, and the journal, and resets the clock.</p>
        <div class="actions"><button class="secondary">Reset the emulator</button></div>
        </form>
        </section>
        """
}
