// Licensed under the MIT License. See LICENSE.

import MSALBase
package import NIOCore
package import NIOPosix

/// Resolves a name to the addresses of this machine's loopback interface, without a name server.
private struct LoopbackResolver: Resolver, Sendable {
    let loop: any EventLoop

    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        loop.makeCompletedFuture { [try SocketAddress(ipAddress: "127.0.0.1", port: port)] }
    }

    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        loop.makeCompletedFuture { [try SocketAddress(ipAddress: "::1", port: port)] }
    }

    func cancelQueries() {}
}

extension ClientBootstrap {
    /// A bootstrap that asks no name server for a host whose name is one of the loopback interface.
    ///
    /// - Parameters:
    ///   - host: The host of the connection.
    ///   - loop: The event loop of the connection.
    /// - Returns: This bootstrap for every other host.
    package func resolving(_ host: String, on loop: any EventLoop) -> ClientBootstrap {
        LoopbackAddress.isName(host) ? resolver(LoopbackResolver(loop: loop)) : self
    }
}
