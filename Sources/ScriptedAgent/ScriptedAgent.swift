// Licensed under the MIT License. See LICENSE.

public import struct Foundation.URL

/// A headless browser that opens an address, follows redirects, keeps cookies, and fills in forms.
///
/// It knows the names of form fields and buttons, but nothing about the programs on either side. It does not run
/// scripts.
public struct ScriptedAgent: Sendable {
    /// A machine that responds instead of the one that a host name resolves to.
    public struct HostAddress: Sendable {
        /// An IP address.
        public let address: String
        /// A TCP port.
        public let port: Int

        /// Creates an address from a machine and a port.
        public init(address: String, port: Int) {
            self.address = address
            self.port = port
        }
    }

    /// The maximum number of requests in a run, including redirects.
    static let stepLimit = 20
    /// The maximum number of bytes in a page.
    static let pageLimit = 1 << 20
    /// The maximum number of bytes in an address, which may contain a code or a token.
    static let addressLimit = 16_384
    /// The time limit of a run.
    static let timeLimit = Duration.seconds(30)

    private let script: Script
    private let certificateAuthorityFile: URL?
    private let hostAddresses: [String: HostAddress]
    private let cookies: SharedCookies?
    private let stopsAt: @Sendable (URL) -> Bool
    private let onRequest: @Sendable (URL) -> Void

    /// Creates a browser without opening any address.
    ///
    /// - Parameters:
    ///   - script: The user's decisions.
    ///   - certificateAuthorityFile: PEM certificates to trust in addition to the system's.
    ///   - hostAddresses: Machines that respond for host names. The certificate is still verified against the name.
    public init(script: Script, certificateAuthorityFile: URL?, hostAddresses: [String: HostAddress]? = nil) {
        self.init(
            script: script,
            certificateAuthorityFile: certificateAuthorityFile,
            hostAddresses: hostAddresses ?? [:],
            cookies: nil
        )
    }

    /// Creates a browser whose runs share state.
    ///
    /// - Parameters:
    ///   - script: The user's decisions.
    ///   - certificateAuthorityFile: PEM certificates to trust in addition to the system's.
    ///   - hostAddresses: Machines that respond for host names.
    ///   - cookies: The cookies of all runs; `nil` starts each run without cookies.
    ///   - stopsAt: Whether the run ends before this address is requested.
    ///   - onRequest: Called with each address before it is requested. It may contain a code: do not log it.
    package init(
        script: Script,
        certificateAuthorityFile: URL?,
        hostAddresses: [String: HostAddress],
        cookies: SharedCookies?,
        stopsAt: @escaping @Sendable (URL) -> Bool = { _ in false },
        onRequest: @escaping @Sendable (URL) -> Void = { _ in }
    ) {
        self.script = script
        self.certificateAuthorityFile = certificateAuthorityFile
        self.hostAddresses = hostAddresses
        self.cookies = cookies
        self.stopsAt = stopsAt
        self.onRequest = onRequest
    }

    /// Opens an address and fills in its pages until a page has no form that the script handles.
    ///
    /// - Throws: `ScriptedAgentError`, which describes where the run stopped; `CancellationError` if the task was
    ///   canceled.
    public func run(_ url: URL) async throws -> Outcome { try await run(PageRequest(url: url)) }

    /// The same for a request that may be a form.
    package func run(_ request: PageRequest) async throws -> Outcome {
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            group.addTask { try await browse(from: request) }
            group.addTask {
                try await Task.sleep(for: Self.timeLimit)
                throw ScriptedAgentError.timedOut(Self.timeLimit)
            }
            defer { group.cancelAll() }
            guard let outcome = try await group.next() else { throw CancellationError() }
            return outcome
        }
    }

    private func browse(from request: PageRequest) async throws -> Outcome {
        let connection = try PageConnection(
            certificateAuthorityFile: certificateAuthorityFile,
            hostAddresses: hostAddresses,
            pageLimit: Self.pageLimit
        )
        do {
            let outcome = try await answerPages(from: request, over: connection)
            try await connection.close()
            return outcome
        } catch {
            // The first error explains the run.
            try? await connection.close()
            throw error
        }
    }

    private func answerPages(from first: PageRequest, over connection: PageConnection) async throws -> Outcome {
        let cookies = cookies ?? SharedCookies()
        var actor = ScriptActor(script: script)
        var request = first
        for step in 1...Self.stepLimit {
            guard !stopsAt(request.url) else {
                return Outcome(url: request.url, ending: .stopped(form: request.form), steps: step - 1)
            }
            guard let scheme = request.url.scheme?.lowercased() else {
                throw ScriptedAgentError.unsupportedAddress(request.url.absoluteString)
            }
            guard ["http", "https"].contains(scheme) else {
                guard step > 1 else { throw ScriptedAgentError.unsupportedAddress("\(scheme):") }
                return Outcome(url: request.url, ending: .appScheme, steps: step - 1)
            }

            onRequest(request.url)
            let reply = try await connection.load(request, cookies: cookies)
            if let redirected = request.redirected(by: reply) {
                request = redirected
                continue
            }
            let page = HTMLPage(parsing: reply.text)
            guard let submission = try actor.answer(page, at: request.url) else {
                let ending = Outcome.Ending.page(status: reply.status, title: page.title, text: page.text)
                return Outcome(url: request.url, ending: ending, steps: step)
            }
            request = submission
        }
        throw ScriptedAgentError.tooManySteps(Self.stepLimit)
    }
}

/// The result of a run.
public struct Outcome: Sendable, Equatable {
    /// How a run ended.
    public enum Ending: Sendable, Equatable {
        /// A page without a form that the script can fill in.
        case page(status: Int, title: String, text: String)
        /// A redirect to the scheme of an app, which was not followed.
        case appScheme
        /// An address at which the run was told to stop, and which was not requested. `form` is the encoded form that
        /// would have been sent, if it was one; it may contain an authorization code.
        case stopped(form: String?)
    }

    /// The address of the last page, or of the app's redirect. It may contain an authorization code: do not log it.
    public let url: URL

    /// The page or redirect at that address.
    public let ending: Ending

    /// The number of requests that were sent.
    public let steps: Int
}
