// Licensed under the MIT License. See LICENSE.

extension Fuzz {
    private static let hosts = [
        "login.example", "127.0.0.1", "127.0.0.1.", "169.254.169.254", "10.0.0.1", "[::1]", "[2001:db8::1]",
        "[fe80::1%25eth0]",
        "[::ffff:127.0.0.1]", "localhost", "xn--bcher-kva.example", "0x7f000001", "2130706433",
    ]
    private static let ports = [
        "", ":", ":0", ":1", ":443", ":65535", ":65536", ":70000", ":00443", ":4294967739", ":99999999999999999999",
        ":-1",
        ":+443", ":4 4", ":%34",
    ]

    /// Addresses of servers, many of which have an invalid port.
    package static var addresses: Fuzz {
        Fuzz(
            corpus: hosts.flatMap { host in ports.map { Array("https://\(host)\($0)/path?a=b#c".utf8) } },
            words: ["65536", ":", "[", "]", "@", "%00", "://", "http", "user:password@", "\\", "?", "#"] + hosts + ports
        )
    }
}
