// Licensed under the MIT License. See LICENSE.

/// The style sheet: a centered card, the full window on a phone, and dark mode if the user prefers it.
enum Stylesheet {
    static let text = """
        :root {
          color-scheme: light dark;
          --page: #eef1f6; --card: #ffffff; --ink: #1b1f27; --quiet: #556070; --line: #8a94a3;
          --accent: #3b3fb6; --on-accent: #ffffff; --hover: #2e3192; --bad: #a4161a; --tint: #f3f4fa;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --page: #12141a; --card: #1d2029; --ink: #eef0f5; --quiet: #a9b2c1; --line: #717b8c;
            --accent: #a9b0ff; --on-accent: #14163f; --hover: #c5caff; --bad: #ff9a94; --tint: #272b37;
          }
        }
        * { box-sizing: border-box; }
        html { font: 100%/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
        body {
          margin: 0; min-height: 100vh; display: flex; flex-direction: column; align-items: center;
          justify-content: center; gap: 1rem; padding: 1.5rem 1rem; background: var(--page); color: var(--ink);
        }
        .card {
          width: 100%; max-width: 28rem; padding: 2.25rem; background: var(--card); border-radius: .75rem;
          box-shadow: 0 1px 2px rgb(0 0 0 / .12), 0 8px 28px rgb(0 0 0 / .12); overflow-wrap: anywhere;
        }
        .brand { display: flex; align-items: center; gap: .5rem; margin: 0 0 1rem; color: var(--quiet); }
        .brand span { width: 1rem; height: 1rem; border-radius: 50%; border: .25rem solid var(--accent); }
        h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.25; font-weight: 600; }
        p { margin: 0 0 1rem; } a { color: var(--accent); }
        label { display: block; margin: .75rem 0 .25rem; font-weight: 600; }
        input:not([type=hidden], [type=submit]) {
          width: 100%; min-height: 2.75rem; padding: .5rem .75rem; font: inherit; color: inherit;
          background: var(--card); border: 1px solid var(--line); border-radius: .375rem;
        }
        .actions { display: flex; flex-direction: row-reverse; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem; }
        button, [type=submit] {
          min-height: 2.75rem; min-width: 6rem; padding: .5rem 1.25rem; font: inherit; font-weight: 600;
          cursor: pointer; color: var(--on-accent); background: var(--accent); border: 1px solid transparent;
          border-radius: .375rem;
        }
        button:hover, [type=submit]:hover { background: var(--hover); }
        button.secondary { color: var(--ink); background: transparent; border-color: var(--line); }
        button.secondary:hover, button.account:hover { background: var(--tint); }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
        ul { list-style: none; margin: 0; padding: 0; }
        .accounts li { border-bottom: 1px solid var(--tint); }
        button.account {
          display: flex; gap: .75rem; align-items: center; width: 100%; padding: .75rem .5rem; text-align: left;
          font-weight: 400; color: var(--ink); background: transparent;
        }
        .avatar {
          flex: none; display: grid; place-items: center; width: 2.5rem; height: 2.5rem; border-radius: 50%;
          color: var(--on-accent); background: var(--accent); font-weight: 600;
        }
        h2.people { margin: 2rem 0 .25rem; }
        .permissions li { padding: .5rem 0 .5rem 1.5rem; position: relative; }
        .permissions li::before { content: "✓"; position: absolute; left: 0; color: var(--accent); }
        .identity { color: var(--quiet); margin-bottom: .25rem; }
        .number, .hint, dt { color: var(--quiet); font-size: .875rem; }
        .number { display: inline-block; } input + .hint, .permissions + .hint { margin-top: .75rem; }
        .problem { color: var(--bad); }
        dl { margin: 0 0 1rem; } dd { margin: 0 0 .5rem; font-family: ui-monospace, monospace; font-size: .875rem; }
        code { font-family: ui-monospace, monospace; font-size: .875rem; }
        footer { color: var(--quiet); font-size: .8125rem; text-align: center; }
        .visually-hidden:not([type=hidden]) {
          position: absolute; width: 1px; min-height: 1px; height: 1px; padding: 0; border: 0; overflow: hidden;
          clip-path: inset(50%);
        }
        .card.wide { max-width: 64rem; } .wide nav { margin-bottom: 1rem; }
        .wide section { margin-top: 2rem; } h2 { margin: 0 0 .5rem; font-size: 1.125rem; }
        .wide table { width: 100%; margin-bottom: .75rem; border-collapse: collapse; font-size: .875rem; }
        .wide th { text-align: left; color: var(--quiet); } .wide td, .wide th { padding: .375rem .75rem .375rem 0; }
        .wide td { border-top: 1px solid var(--tint); vertical-align: top; } .wide .code { font-size: 1.25rem; }
        .wide td.whole, .wide th { white-space: nowrap; }
        .wide .row { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; margin-bottom: .75rem; }
        .wide .row > div { flex: 1 1 10rem; } .wide .row label { margin-top: 0; }
        textarea { resize: vertical; font-family: ui-monospace, monospace; font-size: .875rem; }
        label.flag { display: flex; gap: .5rem; align-items: center; min-height: 2.75rem; }
        input[type=checkbox]:not([type=hidden], [type=submit]) { width: 1.25rem; min-height: 1.25rem; accent-color: var(--accent); }
        .entry .hint { margin: .25rem 0 0; } summary { margin-top: 1rem; cursor: pointer; font-weight: 600; }
        select, textarea {
          width: 100%; min-height: 2.75rem; padding: .5rem .75rem; font: inherit; color: inherit;
          background: var(--card); border: 1px solid var(--line); border-radius: .375rem;
        }
        @media (max-width: 48rem) {
          .wide nav { line-height: 2; }
          .wide thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
          .wide td { display: block; border: 0; padding: 0; }
          .wide tr { display: block; padding: .5rem 0; border-top: 1px solid var(--tint); }
        }
        @media (max-width: 32rem) {
          body { padding: 0; justify-content: flex-start; background: var(--card); }
          .card { max-width: none; padding: 1.5rem 1.25rem; border-radius: 0; box-shadow: none; }
          .actions > * { flex: 1 1 100%; } footer { padding: 0 1.25rem 1.5rem; text-wrap: balance; }
        }

        """
}
