// Licensed under the MIT License. See LICENSE.

import Hummingbird
import NIOCore

/// Hummingbird's context of a request, with the channel for the port that was called.
struct EmulatorContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}
