// Licensed under the MIT License. See LICENSE.

/// The console's pages as Mustache templates: one that asks for the control token, and the console.
enum ConsoleTemplates {
    /// Template by name.
    static let all: [String: String] = ["consoletop": top, "consolekey": key, "console": console]

    private static let top = """
        {{>head}}
        <main class="card{{#wide}} wide{{/wide}}">
        <p class="brand" aria-hidden="true"><span></span>Console</p>
        <h1>{{title}}</h1>

        """

    private static let key = """
        {{>consoletop}}
        <form method="post" action="/session">
        <div aria-live="assertive" id="problem">
        {{#refused}}<p class="problem" role="alert">That is not the control token.</p>{{/refused}}
        </div>
        <label for="token">Control token</label>
        <input id="token" name="token" type="password" autocomplete="off" aria-describedby="problem hint" required \
        autofocus>
        <p class="hint" id="hint">It is printed when the emulator starts.</p>
        <div class="actions"><button>Open the console</button></div>
        </form>
        {{>bottom}}
        """

    private static let console = """
        {{>consoletop}}
        {{#notice}}<p role="status">{{notice}}</p>{{/notice}}
        <p><a href="/">Show what has happened since</a></p>

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
        <p>It is <strong>{{now}}</strong> here.</p>
        <form method="post" action="/console/clock">
        <input type="hidden" name="csrf" value="{{csrf}}">
        <div class="row">
        <button name="seconds" value="660" class="secondary">Eleven minutes later</button>
        <button name="seconds" value="5400" class="secondary">An hour and a half later</button>
        <button name="seconds" value="7862400" class="secondary">91 days later</button>
        </div>
        </form>
        </section>

        <section aria-labelledby="faults">
        <h2 id="faults">Faults</h2>
        {{#hasFaults}}
        <table>
        <thead><tr><th scope="col">Path ends in</th><th scope="col">What happens</th><th scope="col">Times</th></tr>\
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
        <div><label for="effect">What happens</label><select id="effect" name="effect">
        {{#effects}}<option value="{{value}}">{{label}}</option>
        {{/effects}}
        </select></div>
        <div><label for="count">Times</label><input id="count" name="count" type="number" min="1" max="1000" \
        value="1" required></div>
        <button>Add</button>
        </div>
        </form>
        </section>

        <section aria-labelledby="answers">
        <h2 id="answers">Answers by name</h2>
        <form method="post" action="/console/answers">
        <input type="hidden" name="csrf" value="{{csrf}}">
        <div class="row">
        <div><label for="endpoint">Endpoint</label><select id="endpoint" name="endpoint">
        {{#endpoints}}<option>{{.}}</option>
        {{/endpoints}}
        </select></div>
        <div><label for="answer">Next answer</label><select id="answer" name="answer">
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
        {{^hasEntries}}<p class="hint">Nothing was asked yet.</p>{{/hasEntries}}
        </section>

        <section aria-labelledby="reset">
        <h2 id="reset">Start again</h2>
        <form method="post" action="/console/reset">
        <input type="hidden" name="csrf" value="{{csrf}}">
        <p class="hint">Forgets people who signed up, consents, sessions, tokens, codes, faults, journal and clock.</p>
        <div class="actions"><button class="secondary">Return to the seed</button></div>
        </form>
        </section>
        {{>bottom}}
        """
}
