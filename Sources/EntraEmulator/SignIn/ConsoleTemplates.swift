// Licensed under the MIT License. See LICENSE.

/// The console's pages as Mustache templates, including the page that requests the control token.
enum ConsoleTemplates {
    /// Template by name.
    static let all = pages.mapValues { "{{>consoletop}}\n\($0)\n{{>bottom}}" }.merging([
        "consoletop": top, "consolesearch": search,
    ]) { $1 }

    /// The pages without their top and bottom.
    private static let pages = [
        "consolekey": key, "console": console, "consolesignins": signIns, "consolepeople": people,
        "consoletoken": token, "consolelist": list, "consoleform": form, "consoleexport": export,
    ]

    private static let top = """
        {{>head}}
        <main class="card{{#wide}} wide{{/wide}}">
        <p class="brand" aria-hidden="true"><span></span>Console</p>
        <h1>{{title}}</h1>
        {{#wide}}
        <nav aria-label="Console"><a href="/">Overview</a> · <a href="/sign-ins">Sign-ins</a> · \
        <a href="/people">People</a> · <a href="/list/groups">Groups</a> · <a href="/list/applications">Apps</a> · \
        <a href="/list/agents">Agents</a> · <a href="/list/apis">APIs</a> · <a href="/list/policies">Policies</a> · \
        <a href="/list/tokenClaims">Claims</a> · <a href="/token">Token</a> · <a href="/export">Export</a></nav>
        {{/wide}}

        """

    /// The search field of a page with rows.
    private static let search = """
        <form method="get" action="#q" role="search" class="row">
        <div><label for="q">Search</label><input id="q" name="q" type="search" value="{{q}}" maxlength="200"></div>
        <button class="secondary">Search</button>
        </form>

        """

    private static let list = """
        {{#notice}}<p role="status">{{.}}</p>{{/notice}}
        {{>consolesearch}}
        <p><a href="/add/{{list}}">Add an entry</a></p>
        {{#hasRows}}
        <table>
        <thead><tr><th scope="col">Name and ID</th><th scope="col">Members</th></tr></thead>
        <tbody>
        {{#rows}}
        <tr><td><a href="/edit/{{list}}/{{path}}">{{name}}</a> <span class="number">{{id}}</span></td><td>{{details}}</td></tr>
        {{/rows}}
        </tbody>
        </table>
        {{/hasRows}}
        {{^hasRows}}<p class="hint">No entries.</p>{{/hasRows}}
        {{#more}}<p class="hint">{{.}} more entries match; search for them.</p>{{/more}}
        """

    private static let form = """
        {{#notice}}<p role="status">{{.}}</p>{{/notice}}
        <p><a href="{{back}}">Back to the list</a></p>
        <form method="post" action="/console/edit" class="entry">
        <input type="hidden" name="csrf" value="{{csrf}}"><input type="hidden" name="list" value="{{list}}">
        <input type="hidden" name="id" value="{{id}}">
        <div aria-live="assertive" id="problem">
        {{#problem}}<p class="problem" role="alert">{{text}}</p>{{/problem}}
        </div>
        {{#fields}}
        {{#line}}
        <label for="{{name}}">{{label}}</label><input id="{{name}}" name="{{name}}" type="{{type}}" value="{{value}}" \
        autocomplete="off" spellcheck="false" aria-describedby="problem {{name}}.hint"{{#fixed}} readonly{{/fixed}}{{#required}} required{{/required}}>
        {{/line}}
        {{#choice}}
        <label for="{{name}}">{{label}}</label><select id="{{name}}" name="{{name}}" aria-describedby="problem {{name}}.hint">
        {{#options}}<option value="{{value}}"{{#selected}} selected{{/selected}}>{{label}}</option>
        {{/options}}
        </select>
        {{/choice}}
        {{#flag}}
        <label class="flag"><input name="{{name}}" type="checkbox" value="true"{{#checked}} checked{{/checked}} \
        aria-describedby="problem {{name}}.hint"> {{label}}</label>
        {{/flag}}
        {{#lines}}
        <label for="{{name}}">{{label}}</label><textarea id="{{name}}" name="{{name}}" rows="{{rows}}" spellcheck="false" \
        aria-describedby="problem {{name}}.hint">{{value}}</textarea>
        {{/lines}}
        <p class="hint" id="{{name}}.hint">{{hint}}</p>
        {{/fields}}
        {{#hasOthers}}
        <details{{#problem}} open{{/problem}}{{^problem}}{{^fields}} open{{/fields}}{{/problem}}>
        <summary>Other members</summary>
        <label for="others">Other members, as JSON</label><textarea id="others" name="others" rows="8" spellcheck="false" \
        aria-describedby="problem others.hint">{{others}}</textarea>
        <p class="hint" id="others.hint">{{otherNames}}. Hidden secrets are kept.</p>
        </details>
        {{/hasOthers}}
        <div class="actions"><button>Save</button>
        {{#exists}}<button name="remove" value="true" class="secondary">Remove</button>{{/exists}}</div>
        </form>
        """

    private static let export = """
        <p>A directory file with the current users, groups, apps, policies, and settings. To start the emulator with it: \
        <code>entra-emulator --seed FILE</code>.</p>
        <form method="post" action="/console/export">
        <input type="hidden" name="csrf" value="{{csrf}}">
        <label for="format">Format</label><select id="format" name="format">
        <option value="yaml">YAML</option><option value="json">JSON</option>
        </select>
        <label class="flag"><input name="secrets" type="checkbox" value="true" aria-describedby="hint"> \
        With passwords and secrets</label>
        <p class="hint" id="hint">Otherwise, the file contains &lt;hidden&gt; in their place; fill them in before you use it.</p>
        <div class="actions"><button>Download</button></div>
        </form>
        """

    private static let signIns = """
        {{>consolesearch}}
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
        <tr><td><a href="/edit/policies/{{path}}">{{name}}</a></td><td>{{grant}}</td><td>{{users}}</td><td>{{apps}}</td><td>{{mode}}</td>\
        <td>{{held}}, {{failed}}</td></tr>
        {{/policies}}
        </tbody>
        </table>
        {{/hasPolicies}}
        {{^hasPolicies}}<p class="hint">The directory has no policies.</p>{{/hasPolicies}}
        </section>
        """

    private static let people = """
        {{#notice}}<p role="status">{{.}}</p>{{/notice}}
        {{>consolesearch}}
        <p><a href="/add/users">Add a user</a></p>
        <section aria-labelledby="people">
        <h2 id="people">People</h2>
        {{^hasPeople}}<p class="hint">No user matches.</p>{{/hasPeople}}
        {{#hasPeople}}
        <table>
        <thead><tr><th scope="col">Name</th><th scope="col">State</th><th scope="col">Change</th></tr></thead>
        <tbody>
        {{#people}}
        <tr><td><a href="/edit/users/{{id}}">{{name}}</a> <span class="number">{{user}}</span></td><td>{{state}}</td>
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
        {{/hasPeople}}
        {{#next}}<p><a href="/people?{{next}}">More people</a></p>{{/next}}
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
        {{#notice}}<p role="status">{{.}}</p>{{/notice}}
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
        {{>consolesearch}}
        {{#hasEntries}}
        <table>
        <thead><tr><th scope="col">Request</th><th scope="col">Status</th><th scope="col">Rule or remark</th>\
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
