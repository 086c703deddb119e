// Licensed under the MIT License. See LICENSE.

#if os(Linux)
    import CommandOutput
    import EntraEmulator
    import Foundation

    /// The files of the machine that are replaced for a program: the addresses of Microsoft's host names, and the
    /// trusted authorities.
    ///
    /// Each is covered by another file in the mount namespace of this process. The files themselves are not changed.
    struct ServiceMounts {
        /// A file that cannot be covered.
        struct Failure: LocalizedError {
            let errorDescription: String?
        }

        /// The folder for the files that cover others.
        let folder: URL

        /// The files of authorities of Linux distributions, in PEM.
        private static let authorityFiles = [
            "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
            "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/cert.pem",
        ]

        /// The files of authorities for Java.
        private static let javaFiles = ["/etc/ssl/certs/java/cacerts", "/etc/pki/java/cacerts"]

        /// Programs that resolve host names, even if the hosts file contains them: the sockets of nscd and
        /// systemd-resolved.
        private static let nameServices = ["/run/nscd", "/var/run/nscd", "/run/systemd/resolve"]

        /// Resolves host names to this machine.
        ///
        /// - Parameters:
        ///   - names: The host names.
        ///   - nameServer: The server for all other names; `nil` if there is none.
        /// - Throws: `Failure` if the hosts file cannot be covered.
        func cover(names: [String], nameServer: String?) throws(Failure) {
            let own = (try? String(contentsOfFile: "/etc/hosts", encoding: .utf8)) ?? ""
            // If a name is repeated, the first line is used. If a name has no IPv6 address here, programs would query a
            // name server for it.
            let addresses = nameServer == nil ? ["127.0.0.1"] : ["127.0.0.1", "::1"]
            let lines = names.flatMap { name in addresses.map { "\($0) \(name)" } }
            let all = lines + ["127.0.0.1 localhost", "::1 localhost", own]
            try cover("/etc/hosts", with: try write(all.joined(separator: "\n") + "\n", to: "hosts"))
            let services = folder.appending(path: "names")
            try? FileManager.default.createDirectory(at: services, withIntermediateDirectories: false)
            if let nameServer {
                // /etc/resolv.conf may be a link into the folder of systemd-resolved.
                let settings = try ["resolv.conf", "stub-resolv.conf"].map { name throws(Failure) in
                    try write("nameserver \(nameServer)\n", to: "names/\(name)")
                }
                if let place = Self.realPath("/etc/resolv.conf") { try cover(place, with: settings[0]) }
            }
            for place in Set(Self.nameServices.compactMap(Self.realPath)) { try cover(place, with: services) }
        }

        /// Makes the system trust an additional authority.
        ///
        /// - Parameters:
        ///   - trust: The authority, and a file with it and the system's.
        ///   - javaHome: The folder of the user's own Java, if there is one.
        /// - Returns: The path of a file with all authorities, for programs that read it from a variable.
        /// - Throws: `Failure` if a file cannot be covered.
        func cover(authorities trust: TrustFiles, javaHome: String?) throws(Failure) -> String {
            for place in Set(Self.authorityFiles.compactMap(Self.realPath)) { try cover(place, with: trust.bundle) }
            let javaFiles = Self.javaFiles + (javaHome.map { ["\($0)/lib/security/cacerts"] } ?? [])
            let places = Set(javaFiles.compactMap(Self.realPath))
            if !places.isEmpty {
                let pem = (try? String(contentsOf: trust.bundle, encoding: .utf8)) ?? ""
                let store = try write(JavaKeyStore.file(authorities: pem, time: Date()), to: "cacerts")
                for place in places { try cover(place, with: store) }
            }
            return trust.bundle.path(percentEncoded: false)
        }

        /// Hides sockets.
        func hide(_ paths: [String]) throws(Failure) {
            // Two names may belong to the same socket. If it were covered twice, the covering file could not be
            // deleted.
            let places = Set(paths.compactMap(Self.realPath))
            guard !places.isEmpty else { return }
            let nothing = try write("", to: "nothing")
            for place in places { try cover(place, with: nothing) }
        }

        private func write(_ text: String, to name: String) throws(Failure) -> URL {
            try write(Data(text.utf8), to: name)
        }

        private func write(_ data: Data, to name: String) throws(Failure) -> URL {
            let file = folder.appending(path: name)
            do {
                try data.write(to: file)
            } catch {
                throw Failure(errorDescription: error.sentence)
            }
            return file
        }

        private func cover(_ place: String, with file: URL) throws(Failure) {
            guard mount(file.path(percentEncoded: false), place, nil, UInt(MS_BIND), nil) == 0 else {
                let reason = String(cString: strerror(errno))
                throw Failure(errorDescription: "cannot cover \(place) for the program: \(reason)")
            }
        }

        /// The path without links; `nil` if it does not exist.
        private static func realPath(_ path: String) -> String? {
            guard let real = realpath(path, nil) else { return nil }
            defer { free(real) }
            return String(cString: real)
        }
    }
#else
    // Other systems have no namespaces, and `ServiceMachine` says so there.
#endif
