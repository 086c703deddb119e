// Licensed under the MIT License. See LICENSE.

import Foundation
import TestSupport
import Testing

@testable import ScriptedAgent

struct HTMLPageTests {
    @Test func `a sign-in form is parsed into fields, values and buttons`() throws {
        let page = HTMLPage(
            parsing: """
                <!doctype html><html><head><title>Sign in &amp; go</title><style>p > a { color: red }</style></head>
                <body><form method=POST action='/login?a=1&amp;b=2'>
                <input type="hidden" name="flow" value="a&quot;b&#39;c&#x20AC;">
                <INPUT NAME=login autofocus value=""><input type=checkbox name=keep checked><input type=checkbox name=no>
                <button name="action" value="back">Back</button>
                <button type=submit name="action" value="next"> Next
                   page </button><button type="button" name="x" value="y">Help</button>
                </form></body></html>
                """
        )

        let form = try #require(page.forms.first)
        #expect(page.forms.count == 1)
        #expect(page.title == "Sign in & go")
        #expect(page.text == "Back Next page Help")
        #expect(form.action == "/login?a=1&b=2")
        #expect(form.method == .post)
        #expect(
            form.fields == [
                .init(name: "flow", value: "a\"b'c€", isHidden: true),
                .init(name: "login", value: ""),
                .init(name: "keep", value: "on"),
            ]
        )
        #expect(form.buttons.map(\.value) == ["back", "next"])
        #expect(form.buttons.map(\.label) == ["Back", "Next page"])
    }

    @Test func `a select sends its selected option, or else its first`() {
        let page = HTMLPage(
            parsing: """
                <form><select name=a><option value=1>One<option value=2 selected>Two</select>
                <select name=b><option>First  one</option><option>Second</option></select>
                <select name=c></select><select name=d disabled><option>x</select></form>
                """
        )

        #expect(page.forms.first?.fields == [.init(name: "a", value: "2"), .init(name: "b", value: "First one")])
    }

    @Test func `a textarea keeps its text, including text that looks like tags`() {
        let page = HTMLPage(parsing: "<form><textarea name=t>\n a <b>&lt;</b>\n</textarea></form>")

        #expect(page.forms.first?.fields == [.init(name: "t", value: " a <b><</b>\n")])
    }

    @Test func `scripts, comments and styles are neither text nor forms`() {
        let page = HTMLPage(
            parsing: """
                <script>document.write("<form><input name=login></form>")</script><!-- <form> > -- <input name=passwd> -->
                <style>a::before { content: "<p>" }</style>Hello<noscript>Press</noscript>
                """
        )

        #expect(page.forms.isEmpty)
        #expect(page.text == "Hello Press")
    }

    @Test(arguments: [
        ("a &lt; b", "a < b"), ("&unknown; &amp", "&unknown; &amp"),
        ("&#xD800;&#0;&#1114112;", "\u{FFFD}\u{FFFD}\u{FFFD}"),
        ("&#99999999999;", "&#99999999999;"), ("&&amp;;", "&&;"), ("&#;&#x;", "&#;&#x;"),
    ])
    func `character references are decoded or left unchanged`(written: String, expected: String) {
        #expect(written.decodingHTMLEntities == expected)
    }

    @Test(arguments: [
        "<", "</", "<!", "<!-", "<!--", "<!-->", "<!--->", "<?", "<a", "<a ", "<a b", "<a b=", "<a b=\"", "<a b='c",
        "<a/",
        "</>", "<>", "< a>", "<a =b>", "<a ==>", "<form", "<form><input", "<textarea", "<textarea>",
        "<textarea></textare",
        "<script><", "<select><option", "<form><button><form></button></form></form>", "</form></button></select>",
        "<a\u{0}>",
    ])
    func `a page truncated anywhere is still a page`(html: String) {
        let page = HTMLPage(parsing: html)

        #expect(page.forms.count <= 1)
    }

    @Test func `arbitrary pages are parsed to their end`() {
        var generator = SplitMix(state: 42)
        let pieces = [
            "<form ", "<input ", "name=", "\"", "'", ">", "</", "form", "button", "<!--", "-->", "&#", ";", "&amp;",
            "=",
            "<textarea>", "<select>", "<option ", "selected", "<script>", "</script>", "é", "\u{0}", " ", "/", "<",
            "title>",
        ]
        for _ in 0..<3000 {
            let length = Int.random(in: 0..<40, using: &generator)
            let html = (0..<length).compactMap { _ in pieces.randomElement(using: &generator) }.joined()
            let page = HTMLPage(parsing: html)
            #expect(page.text.utf8.count <= html.utf8.count * 3)
        }
    }

    @Test func `a page with a megabyte of opening tags is parsed in linear time`() {
        let html = String(repeating: "<a b=\"<!--<script>&#x", count: 50_000)

        let page = HTMLPage(parsing: html)

        #expect(page.forms.isEmpty)
    }
}

struct FormEncodingTests {
    @Test(arguments: [("a b", "a+b"), ("é&=+", "%C3%A9%26%3D%2B"), ("A-z_0.9*~", "A-z_0.9*%7E"), ("\n", "%0A")])
    func `text is encoded as a browser encodes it`(text: String, expected: String) {
        #expect(text.formEncoded == expected)
    }
}

struct CookieJarTests {
    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test func `a cookie is sent to its host and path only`() throws {
        var jar = CookieJar()
        jar.store("a=1; Path=/x; Secure; HttpOnly", from: try url("https://one.example/y"))

        #expect(jar.header(for: try url("https://one.example/x/z")) == "a=1")
        #expect(jar.header(for: try url("https://one.example/x")) == "a=1")
        #expect(jar.header(for: try url("https://one.example/xz")) == nil)
        #expect(jar.header(for: try url("https://two.example/x")) == nil)
        #expect(jar.header(for: try url("http://one.example/x")) == nil)
    }

    @Test(arguments: [
        "__Host-s=1; Path=/", "__Host-s=1; Secure; Path=/a", "__Host-s=1; Secure",
        "__Host-s=1; Secure; Path=/; Domain=one.example", "__Secure-s=1; Path=/",
    ])
    func `a cookie that violates the rules of its prefix is dropped`(header: String) throws {
        var jar = CookieJar()
        jar.store(header, from: try url("https://one.example/a/b"))

        #expect(jar.header(for: try url("https://one.example/a/b")) == nil)
    }

    @Test func `a host-bound cookie that follows the rules is kept`() throws {
        var jar = CookieJar()
        jar.store("__Host-s=1; Secure; HttpOnly; SameSite=None; path=/", from: try url("https://localhost:8443/a"))

        #expect(jar.header(for: try url("https://localhost:8443/b")) == "__Host-s=1")
    }

    @Test(arguments: ["localhost:8080", "127.0.0.1", "[::1]", "one.example", "localhost.one.example"])
    func `over plain http, a secure cookie is kept only on this machine`(host: String) throws {
        let page = "http://\(host)/"
        let header = host.hasSuffix("one.example") ? nil : "__Host-a=1"
        var jar = CookieJar()
        jar.store("__Host-a=1; Secure; Path=/", from: try url(page))

        #expect(jar.header(for: try url(page)) == header)
        #expect(jar.header(for: try url(page.replacing("http:", with: "https:"))) == header)
    }

    @Test func `cookies expire, and an expired one removes the cookie with its name`() throws {
        let page = try url("https://one.example/")
        let start = Date(timeIntervalSince1970: 1_000_000_000)
        var jar = CookieJar()
        jar.store("a=1; Max-Age=60", from: page, now: start)
        jar.store("b=2; Expires=Sun, 09 Sep 2001 01:46:50 GMT", from: page, now: start)

        #expect(jar.header(for: page, now: start) == "a=1; b=2")
        #expect(jar.header(for: page, now: start.addingTimeInterval(30)) == "a=1")
        jar.store("a=; Max-Age=0", from: page, now: start)
        #expect(jar.header(for: page, now: start) == "b=2")
    }

    @Test(arguments: ["", ";", "=", "=x", "novalue", ";;;=;", "a"])
    func `a header without a name is ignored`(header: String) throws {
        var jar = CookieJar()
        jar.store(header, from: try url("https://one.example/"))

        #expect(jar.header(for: try url("https://one.example/")) == nil)
    }
}

struct RedirectTests {
    private func redirected(_ status: Int, to location: String?, form: String?) throws -> PageRequest? {
        let request = PageRequest(url: try #require(URL(string: "https://one.example/a/b?q=1")), form: form)
        return request.redirected(by: PageResponse(status: status, location: location))
    }

    @Test(arguments: [301, 302, 303])
    func `a redirected form becomes a plain request`(status: Int) throws {
        let next = try redirected(status, to: "../c?d=1", form: "x=1")

        #expect(next == PageRequest(url: try #require(URL(string: "https://one.example/c?d=1"))))
    }

    @Test(arguments: [307, 308])
    func `a form is sent again if the server requires it`(status: Int) throws {
        let next = try redirected(status, to: "https://two.example/", form: "x=1")

        #expect(next?.form == "x=1")
        #expect(next?.url.host() == "two.example")
    }

    @Test func `other responses do not redirect`() throws {
        #expect(try redirected(200, to: "/c", form: nil) == nil)
        #expect(try redirected(302, to: nil, form: nil) == nil)
    }
}

struct ScriptActorTests {
    private let script = Script(userName: "megan@contoso.example", password: "pass&word")

    private func answer(
        _ body: String,
        with script: Script,
        at address: String = "https://localhost:8443/a/b"
    ) throws -> PageRequest? {
        var actor = ScriptActor(script: script)
        return try actor.answer(HTMLPage(parsing: body), at: try #require(URL(string: address)))
    }

    @Test func `name and password are typed and the button that continues is pressed`() throws {
        let body = """
            <form method=post action=go><input type=hidden name=flow value=7><input name=login><input name=passwd type=password>
            <button name=action value=back>Back</button><button name=action value=signin>Sign in</button></form>
            """

        let request = try #require(try answer(body, with: script))

        #expect(request.url.absoluteString == "https://localhost:8443/a/go")
        #expect(request.form == "flow=7&login=megan%40contoso.example&passwd=pass%26word&action=signin")
        #expect(request.origin == "https://localhost:8443")
    }

    @Test func `a field that is requested twice means that its text was rejected`() throws {
        var actor = ScriptActor(script: script)
        let page = HTMLPage(parsing: "<p>Wrong password</p><form method=post><input name=passwd></form>")
        let url = try #require(URL(string: "https://localhost/"))
        _ = try actor.answer(page, at: url)

        #expect(throws: ScriptedAgentError.refused(field: "passwd", pageText: "Wrong password")) {
            try actor.answer(page, at: url)
        }
    }

    @Test(arguments: [(Script.Consent.accept, "accept"), (.cancel, "cancel")])
    func `consent is granted or declined as the script says`(consent: Script.Consent, pressed: String) throws {
        var script = script
        script.consent = consent
        let body = """
            <form method=post><button name=action value=cancel>No</button><button name=action value=accept>Yes</button></form>
            """

        #expect(try answer(body, with: script)?.form == "action=\(pressed)")
    }

    @Test(arguments: [(true, "yes"), (false, "no")])
    func `the prompt to stay signed in is answered as the script says`(stays: Bool, pressed: String) throws {
        var script = script
        script.staySignedIn = stays
        let body = "<form method=post><button name=action value=no>No<button name=action value=yes>Yes</form>"

        #expect(try answer(body, with: script)?.form == "action=\(pressed)")
    }

    @Test func `the tile with the user's name is picked, or another account otherwise`() throws {
        let body = """
            <form method=post><button name=account value=0>Alex alex@contoso.example</button>
            <button name=account value=1>Megan <b>Megan@contoso.example</b></button>
            <button name=action value=other>Use another account</button></form>
            """
        var stranger = script
        stranger.userName = "dana@personal.example"

        #expect(try answer(body, with: script)?.form == "account=1")
        #expect(try answer(body, with: stranger)?.form == "action=other")
    }

    @Test func `canceling presses the cancel button, and an error says if there is none`() throws {
        var script = script
        script.cancelAt = .userName
        let body = "<form method=post><input name=login><button name=action value=cancel>x</button></form>"

        #expect(try answer(body, with: script)?.form == "login=&action=cancel")
        #expect(throws: ScriptedAgentError.self) { try answer("<form><input name=login></form>", with: script) }
    }

    @Test func `a response in hidden fields is posted on, without an origin when it leaves https`() throws {
        let body = """
            <form method=post action="http://localhost:5001/"><input type=hidden name=code value="a+b">
            <input type=hidden name=state value=s><noscript><button>Continue</button></noscript></form>
            """

        let request = try #require(try answer(body, with: script))

        #expect(request.url.absoluteString == "http://localhost:5001/")
        #expect(request.form == "code=a%2Bb&state=s")
        #expect(request.origin == "null")
    }

    @Test func `an unknown page is not submitted`() throws {
        #expect(try answer("<form><input name=q><button>Search</button></form>", with: script) == nil)
        #expect(try answer("<p>You can close this window.</p>", with: script) == nil)
    }

    @Test func `a password is never shown`() {
        #expect("\(script)".contains("pass&word") == false)
        #expect(String(reflecting: script).contains("pass&word") == false)
        var dumped = ""
        dump(script, to: &dumped)
        #expect(dumped.contains("pass&word") == false)
    }
}

struct ScriptedAgentAddressTests {
    private let agent = ScriptedAgent(script: Script(userName: "a", password: "b"), certificateAuthorityFile: nil)

    @Test(arguments: [
        ("http://localhost:3000/", true), ("http://app.localhost/a", true), ("http://[::1]/", true),
        ("http://127.0.0.1/", true), ("http://localhost.example/", false), ("http://applocalhost/", false),
    ])
    func `names below localhost belong to this machine, too`(_ address: String, isLoopback: Bool) throws {
        #expect(try #require(URL(string: address)).isLoopback == isLoopback)
    }

    @Test func `plain http outside this machine is rejected before anything is sent`() async throws {
        let url = try #require(URL(string: "http://one.example/a?code=secret"))

        let error = await #expect(throws: ScriptedAgentError.self) { try await agent.run(url) }

        #expect(error == .insecureAddress(url))
        #expect(error?.description.contains("secret") == false)
    }

    @Test(arguments: [
        "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n", "HTTP/1.0 100 Continue\r\n\r\n",
        "HTTP/1.1 103 Early Hints\r\nConnection: close\r\n\r\n",
    ])
    func `interim responses before a page are skipped`(_ interim: String) async throws {
        let page = "<title>Tasks</title>"
        let port = try RawPort(
            answering: interim + "HTTP/1.1 200 OK\r\nContent-Length: \(page.utf8.count)\r\n\r\n\(page)"
        )
        let url = try #require(URL(string: "http://127.0.0.1:\(port.number)/"))

        let outcome = try await agent.run(url)

        #expect(outcome.ending == .page(status: 200, title: "Tasks", text: ""))
    }

    @Test(arguments: ["/dev/zero", "/", "/none"])
    func `a certificate file that is endless or invalid is rejected at once`(path: String) async throws {
        let agent = ScriptedAgent(
            script: Script(userName: "a", password: "b"),
            certificateAuthorityFile: URL(fileURLWithPath: path)
        )

        let error = await #expect(throws: ScriptedAgentError.self) {
            try await agent.run(URL(string: "https://localhost/")!)
        }

        #expect(error?.description.hasPrefix("the certificate authority file \(path) is invalid: ") == true)
    }

    @Test(arguments: [
        "msauth.com.contoso.app://auth", "https:///path", "relative", "https://127.0.0.1:65536/", "http://[::1]:70000/",
        "https://localhost:0/", "https://localhost:99999999999999999999/", "https://user:password@localhost/",
        "https://localhost/\(String(repeating: "a", count: 16_384))",
    ])
    func `an address that no browser opens is rejected`(address: String) async throws {
        let url = try #require(URL(string: address))

        let error = await #expect(throws: ScriptedAgentError.self) { try await agent.run(url) }

        let isUnsupported = if case .unsupportedAddress = error { true } else { false }
        #expect(isUnsupported, "\(String(describing: error))")
        #expect(error?.description.contains("password") == false)
    }
}

/// `scripts/demo`, which signs in at the real service if a client ID is set.
struct DemoOptionTests {
    @Test(arguments: [
        "https://127.0.0.1:65536/common", "https://[::1]:70000/common", "https://localhost:0/common",
        "https://login.example:99999999999999999999/common", "https://user@login.example/common",
        "http://login.example/common", "https:///common",
    ])
    func `an authority that cannot be a server is rejected in one line`(_ authority: String) throws {
        let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "Demo")
        let words = ["--client-id", "11112222-bbbb-3333-cccc-4444dddd5555", "--authority", authority]

        let end = try StartedProgram(program.path(), words, environment: [:]).end()

        #expect(end.status == 1, "\(end.text)")
        #expect(end.text.contains("not \(authority)."), "\(end.text)")
    }
}

/// A small seeded generator, so that a failure can be reproduced. Sebastiano Vigna's SplitMix64.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
