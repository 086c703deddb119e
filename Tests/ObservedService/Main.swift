// Licensed under the MIT License. See LICENSE.

import CoreMetrics
import Foundation
import Hummingbird
import InMemoryTracing
import Tracing

/// A service whose metrics and spans are observed from outside, for `Tests/Peers/observation.py`. It bootstraps the metrics
/// system and the tracer of the process, as in `docs/services/Observation.md`, and passes neither to the library.
@main struct Main {
    static func main() async {
        do {
            let settings = try Settings(ProcessInfo.processInfo.environment)
            let metrics = TextMetrics()
            MetricsSystem.bootstrap(metrics)
            let tracer = InMemoryTracer()
            InstrumentationSystem.bootstrap(tracer)
            let service = try ObservedService(settings, metrics: metrics, tracer: tracer)
            let application = Application(
                router: service.router(),
                configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: settings.port))
            )
            try await application.runService()
        } catch {
            try? FileHandle.standardError.write(contentsOf: Data("\(error.localizedDescription)\n".utf8))
            // The exit status shows the failure, too, if the message cannot be read.
            exit(1)
        }
    }
}
