// Licensed under the MIT License. See LICENSE.

import CGtk
import Foundation

/// Serves the main dispatch queue, and with it the main actor, from GLib's main loop.
///
/// GTK runs GLib's loop on the main thread, and that loop does not know the queue. libdispatch has an event descriptor
/// that is readable while blocks wait, and a function that runs them. Foundation's run loop uses both, so they will remain,
/// but no header declares them.
@MainActor
final class MainLoop {
    /// Looks up a symbol of libdispatch, and returns its address.
    typealias Lookup = (_ name: String) -> UnsafeMutableRawPointer?

    private typealias GetHandle = @convention(c) () -> CInt
    private typealias RunBlocks = @convention(c) (UnsafeMutableRawPointer?) -> Void

    /// Whether the queue wakes the loop. Otherwise the loop checks for blocks a hundred times a second.
    let hasDescriptor: Bool
    private var source: guint
    private static var runBlocks: RunBlocks?

    /// Starts to serve the queue. Call ``stop()`` before anything else serves it, such as `dispatchMain()`.
    init(lookup: Lookup = { dlsym(nil, $0) }) {
        guard let handle = lookup("_dispatch_get_main_queue_handle_4CF"),
            let blocks = lookup("_dispatch_main_queue_callback_4CF")
        else {
            complain("The main queue has no descriptor here: the window checks for blocks every 10 ms.")
            hasDescriptor = false
            let look: GSourceFunc = { _ in
                // Foundation's run loop serves the queue, too.
                _ = RunLoop.main.run(mode: .default, before: .distantPast)
                return 1  // Continue.
            }
            source = g_timeout_add(10, look, nil)
            return
        }
        hasDescriptor = true
        Self.runBlocks = unsafeBitCast(blocks, to: RunBlocks.self)
        let descriptor = unsafeBitCast(handle, to: GetHandle.self)()
        let serve: GUnixFDSourceFunc = { descriptor, _, _ in
            // The number of wakes that the descriptor counts. Reading it resets it to zero.
            var wakes: UInt64 = 0
            _ = read(descriptor, &wakes, MemoryLayout.size(ofValue: wakes))
            MainActor.assumeIsolated { MainLoop.runBlocks?(nil) }
            return 1
        }
        source = g_unix_fd_add(descriptor, G_IO_IN, serve, nil)
    }

    /// Stops serving the queue.
    func stop() {
        guard source != 0 else { return }
        g_source_remove(source)
        source = 0
    }
}

/// Writes a message to standard error.
func complain(_ sentence: String) {
    FileHandle.standardError.write(Data("\(sentence)\n".utf8))
}
