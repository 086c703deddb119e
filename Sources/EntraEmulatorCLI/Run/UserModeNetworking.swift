// Licensed under the MIT License. See LICENSE.

#if os(Linux)
    import Foundation
    import MSALBase

    /// The network of the machine, for a program in a separate network namespace. slirp4netns or pasta forwards its
    /// connections, as for a rootless container.
    ///
    /// slirp4netns or pasta has to run outside, but this process goes inside. So it first starts a shell outside, which
    /// waits for a line on a socket, starts the program, and reports when the network is up. It exits when the other
    /// end is closed.
    enum UserModeNetworking {
        /// The address inside that represents the machine's own name server.
        static let nameServer = "10.0.2.3"

        private static let missing = Namespaces.Unavailable(
            errorDescription:
                "--network requires slirp4netns, or pasta of the package passt, but neither is on the PATH"
        )

        /// The shell commands for each program. `$1` is its path, `$2` the ID of a process inside. The standard input
        /// and descriptor 3 are the socket. The options keep the loopback interface outside unreachable. The address
        /// inside is set explicitly, because pasta would use that of the machine, so that the machine's own servers
        /// would be unreachable.
        private static let carriers = [
            "slirp4netns": """
            reason=$(exec "$1" --configure --mtu=65520 --disable-host-loopback --ready-fd=3 --exit-fd=0 "$2" tap0 2>&1 >/dev/null)
            printf %s "$reason" >&3
            """,
            "pasta": """
            file=$(mktemp) || exit
            reason=$("$1" --config-net --no-map-gw --address 10.0.2.15 --netmask 24 --gateway 10.0.2.2 \\
                --dns-forward \(nameServer) -t none -u none -T none -U none \\
                --pid "$file" "$2" 2>&1 3>&-) || {
                rm "$file"
                printf %s "$reason" >&3
                exit
            }
            printf 1 >&3
            cat > /dev/null
            kill "$(cat "$file")"
            rm "$file"
            """,
        ]

        /// Starts the shell.
        ///
        /// - Returns: The descriptor of the socket, which the next program of this process inherits.
        /// - Throws: If neither program is installed.
        static func prepare(_ environment: [String: String]) throws(Namespaces.Unavailable) -> Int32 {
            let found = ["slirp4netns", "pasta"].lazy.compactMap { name in
                ChildProcess.executable(name, in: environment).map { (name, $0) }
            }
            .first
            guard let (name, path) = found, let lines = carriers[name] else { throw missing }
            var ends: [Int32] = [-1, -1]
            guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
                throw failure(String(cString: strerror(errno)))
            }
            defer { close(ends[1]) }
            let nowhere = open("/dev/null", O_RDWR | O_CLOEXEC)
            defer { close(nowhere) }
            do throws(ChildProcess.Failure) {
                _ = try ChildProcess(
                    "/bin/sh",
                    arguments: ["-c", "exec 3>&1; read -r line || exit\n\(lines)", "sh", path, String(getpid())],
                    environment: environment,
                    streams: ChildProcess.Streams(input: ends[1], output: ends[1], errors: nowhere)
                )
            } catch {
                throw failure(error.description)
            }
            guard fcntl(ends[0], F_SETFD, 0) == 0 else { throw failure(String(cString: strerror(errno))) }
            return ends[0]
        }

        /// Lets the program outside connect the network namespace of this process.
        ///
        /// - Throws: The program's own message, if it cannot connect.
        static func join(by socket: Int32) throws(Namespaces.Unavailable) {
            // The program that this command runs must not keep it open.
            guard fcntl(socket, F_SETFD, FD_CLOEXEC) == 0, write(socket, "\n", 1) == 1 else {
                throw failure(String(cString: strerror(errno)))
            }
            var bytes = [UInt8](repeating: 0, count: 4_096)
            var words = ""
            while words.isEmpty || words.first != "1" {
                let count = read(socket, &bytes, bytes.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                words += String(decoding: bytes.prefix(count), as: UTF8.self)
            }
            guard words.first != "1" else { return }
            let lines = words.split(whereSeparator: \.isNewline)
            // Skip the lines of both programs that do not contain the reason.
            let reason = lines.last { !$0.hasPrefix("child failed") && !$0.hasSuffix("to syslog") }
            throw failure(reason.map(String.init) ?? "no reason was reported")
        }

        private static func failure(_ reason: String) -> Namespaces.Unavailable {
            Namespaces.Unavailable(errorDescription: "--network cannot connect the program: \(reason)")
        }
    }
#else
    // Other systems have no namespaces, and `Namespaces` says so there.
#endif
