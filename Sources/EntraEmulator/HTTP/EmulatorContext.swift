// Licensed under the MIT License. See LICENSE.

import Hummingbird
import NIOCore

/// Hummingbird's request context, with the channel of the port that received the request.
struct EmulatorContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}
