// Licensed under the MIT License. See LICENSE.

import Testing

@testable import MSALCLI

/// Desktop Entry Specification, "The Exec key" and "Possible value types".
struct ExecLineTests {
    @Test(arguments: [
        ("/usr/bin/app", "/usr/bin/app"), ("/tmp/a;b", #""/tmp/a;b""#), ("/my files/app", #""/my files/app""#),
        ("/a'b", #""/a'b""#), ("/a~b", #""/a~b""#), ("/a*?#(b)<c>|d&e", #""/a*?#(b)<c>|d&e""#), ("", #""""#),
        // According to the specification, a literal dollar sign in quotes is written with two backslashes, a backslash
        // with four.
        ("/a$b", #""/a\\$b""#), (#"/a\b"#, #""/a\\\\b""#), (#"/a"b"#, #""/a\\"b""#), ("/a`b", #""/a\\`b""#),
        ("/100%", "/100%%"), ("/ä", "/ä"),
    ])
    func `an argument with a reserved character is quoted, and no other`(_ word: String, _ written: String) {
        #expect(ExecLine.line([word]) == written)
        #expect(ExecLine.words(written).map { $0.replacing("%%", with: "%") } == [word])
    }

    @Test func `arguments stay separate`() {
        let words = ["/my files/app", "redirect", "", "a b"]

        #expect(ExecLine.line(words) == #""/my files/app" redirect "" "a b""#)
        #expect(ExecLine.words(ExecLine.line(words) + " %u") == words + ["%u"])
    }
}
