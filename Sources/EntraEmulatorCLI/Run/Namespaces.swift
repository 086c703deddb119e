// Licensed under the MIT License. See LICENSE.

#if os(Linux)
    import Foundation
    import MSALBase

    /// The user, mount, and network namespaces in which a program uses the emulator as the service (namespaces(7)).
    ///
    /// The kernel does not allow a process with several threads to enter a new user namespace, and this process has
    /// several. So it replaces itself with `unshare` of util-linux, which starts this program again inside.
    enum Namespaces {
        /// The reason why namespaces are unavailable, in one line, and the alternative.
        struct Unavailable: LocalizedError {
            let errorDescription: String?
        }

        private static let words = ["--user", "--map-current-user", "--keep-caps", "--net", "--mount"]

        /// Replaces this process with one inside new namespaces. Returns only if it throws.
        ///
        /// - Parameters:
        ///   - environment: The environment of this process, for finding programs.
        ///   - withNetwork: Whether the program can use the network of the machine.
        ///   - arguments: Creates the arguments of this program inside, from the hidden options that it needs there.
        /// - Throws: ``Unavailable`` if this machine does not allow such namespaces, or has no `unshare`.
        static func enter(
            _ environment: [String: String],
            withNetwork: Bool,
            arguments: (_ options: [String]) -> [String]
        ) throws(Unavailable) {
            let outside = try current()
            guard let unshare = ChildProcess.executable("unshare", in: environment),
                let program = Bundle.main.executablePath, ChildProcess.executable("setpriv", in: environment) != nil
            else {
                throw Unavailable(
                    errorDescription:
                        "--as-service requires unshare and setpriv of the package util-linux, which are not "
                        + "on the PATH"
                )
            }
            try probe(unshare, environment: environment)
            let network = withNetwork ? ["--network-socket", String(try UserModeNetworking.prepare(environment))] : []
            // Swift's threads block signals, and the next program would inherit that.
            var none = sigset_t()
            sigemptyset(&none)
            pthread_sigmask(SIG_SETMASK, &none, nil)
            let texts = [unshare] + words + ["--", program] + arguments(["--outside", outside] + network)
            let pointers = texts.map { strdup($0) } + [nil]
            execv(unshare, pointers)
            let reason = String(cString: strerror(errno))
            throw Unavailable(errorDescription: "cannot start \(unshare): \(reason)")
        }

        /// Checks that this process is inside. Mounts outside would affect the whole machine.
        ///
        /// - Throws: ``Unavailable`` if it is not.
        static func check(against outside: String) throws(Unavailable) {
            let parts = outside.split(separator: " ")
            let now = try current().split(separator: " ")
            guard parts.count == now.count, zip(parts, now).allSatisfy({ $0 != $1 }) else {
                throw Unavailable(errorDescription: "this process is not in separate namespaces; use --as-service")
            }
        }

        /// The namespaces of this process, one word for each.
        private static func current() throws(Unavailable) -> String {
            let names = ["user", "mnt", "net"].compactMap { name in
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/\(name)")
            }
            guard names.count == 3 else {
                throw Unavailable(errorDescription: "--as-service requires /proc, which is not mounted here")
            }
            return names.joined(separator: " ")
        }

        /// Tries the namespaces. Some machines let a process create them, but then allow nothing inside.
        private static func probe(_ unshare: String, environment: [String: String]) throws(Unavailable) {
            let nowhere = open("/dev/null", O_RDWR | O_CLOEXEC)
            defer { close(nowhere) }
            do throws(ChildProcess.Failure) {
                let child = try ChildProcess(
                    unshare,
                    arguments: words + ["--", "true"],
                    environment: environment,
                    group: .callers,
                    streams: .init(input: nowhere, output: nowhere, errors: nowhere)
                )
                guard child.wait() != 0 else { return }
            } catch {
                throw Unavailable(errorDescription: error.description)
            }
            throw Unavailable(
                errorDescription:
                    "this machine does not allow user namespaces: \(reason). Use entra-emulator run without --as-service"
            )
        }

        /// The setting that forbids namespaces.
        private static var reason: String {
            if number(at: "/proc/sys/kernel/apparmor_restrict_unprivileged_userns").map({ $0 != 0 }) == true {
                return "kernel.apparmor_restrict_unprivileged_userns is not 0"
            }
            if number(at: "/proc/sys/kernel/unprivileged_userns_clone") == 0 {
                return "kernel.unprivileged_userns_clone is 0"
            }
            if number(at: "/proc/sys/user/max_user_namespaces") == 0 { return "user.max_user_namespaces is 0" }
            return
                "in a container, the seccomp profile must allow them, and unshare of util-linux 2.36 or newer is required"
        }

        private static func number(at path: String) -> Int? {
            KernelFile.text(at: path).flatMap { Int($0.trimmed) }
        }
    }
#else
    import Foundation

    /// Other systems have no namespaces.
    enum Namespaces {
        struct Unavailable: LocalizedError {
            let errorDescription: String?

            init() {
                errorDescription = "--as-service requires Linux namespaces; remove it to use the settings of run"
            }
        }

        static func enter(
            _ environment: [String: String],
            withNetwork: Bool,
            arguments: (_ options: [String]) -> [String]
        ) throws(Unavailable) {
            throw Unavailable()
        }
    }
#endif
