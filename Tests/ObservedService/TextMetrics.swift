// Licensed under the MIT License. See LICENSE.

import CoreMetrics
import MSALServer
import Synchronization

/// A metrics system that writes its values in the text format of Prometheus. Timers and recorders become histograms, with the
/// names that swift-prometheus gives them and the bounds of the library.
final class TextMetrics: MetricsFactory {
    private struct Name: Hashable {
        let metric: String
        let labels: String
    }

    private let series = Mutex<[Name: any TextSeries]>([:])

    /// All series, those of each metric below a line that says its type.
    var text: String {
        let metrics = Dictionary(grouping: series.withLock { $0 }, by: \.key.metric)
        var lines: [String] = []
        for (metric, members) in metrics.sorted(by: { $0.key < $1.key }) {
            lines += Set(members.map { "# TYPE \(metric) \($0.value.type)" })
            for (name, series) in members.sorted(by: { $0.key.labels < $1.key.labels }) {
                lines += series.lines(metric, labels: name.labels)
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        known(label, dimensions, orElse: TextNumber(type: "counter"))
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        known(label, dimensions, orElse: TextNumber(type: "gauge"))
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        known(label, dimensions, orElse: TextHistogram(bounds: MSALHistogramBounds.values[label] ?? []))
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        let bounds = MSALHistogramBounds.durations[label] ?? []
        return known(label, dimensions, orElse: TextHistogram(bounds: bounds.map { $0 / .seconds(1) }))
    }

    // A series of Prometheus stays until the process ends.
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}

    /// The series of this name, or the new one, which is then known.
    private func known<Series: TextSeries>(
        _ metric: String,
        _ labels: [(String, String)],
        orElse new: Series
    ) -> Series {
        let name = Name(metric: metric, labels: labels.map { "\($0.0)=\"\($0.1)\"" }.joined(separator: ","))
        return series.withLock { series in
            guard let known = series[name] else {
                series[name] = new
                return new
            }
            guard let known = known as? Series else { preconditionFailure("\(metric) is a metric of two kinds.") }
            return known
        }
    }
}

/// The values of a metric with certain labels.
private protocol TextSeries: Sendable {
    /// What Prometheus calls the kind of metric.
    var type: String { get }
    func lines(_ metric: String, labels: String) -> [String]
}

extension TextSeries {
    fileprivate func line(_ metric: String, _ labels: String, _ value: Double) -> String {
        labels.isEmpty ? "\(metric) \(value)" : "\(metric){\(labels)} \(value)"
    }
}

/// A counter or a gauge.
private final class TextNumber: TextSeries, CounterHandler, MeterHandler {
    let type: String
    private let value = Mutex(0.0)

    init(type: String) { self.type = type }

    func lines(_ metric: String, labels: String) -> [String] { [line(metric, labels, value.withLock { $0 })] }

    func increment(by amount: Int64) { increment(by: Double(amount)) }
    func increment(by amount: Double) { value.withLock { $0 += amount } }
    func decrement(by amount: Double) { value.withLock { $0 -= amount } }
    func set(_ new: Int64) { set(Double(new)) }
    func set(_ new: Double) { value.withLock { $0 = new } }
    func reset() { set(0.0) }
}

/// How many values were at most as large as each bound, and their sum.
private final class TextHistogram: TextSeries, RecorderHandler, TimerHandler {
    let type = "histogram"
    private let bounds: [Double]
    private let values = Mutex<(counts: [Int], sum: Double)>(([], 0))

    init(bounds: [Double]) {
        self.bounds = bounds + [.infinity]
        values.withLock { $0.counts = self.bounds.map { _ in 0 } }
    }

    func lines(_ metric: String, labels: String) -> [String] {
        let (counts, sum) = values.withLock { $0 }
        let separator = labels.isEmpty ? "" : ","
        let buckets = zip(bounds, counts).map { bound, count in
            let end = bound.isFinite ? "\(bound)" : "+Inf"
            return line("\(metric)_bucket", "\(labels)\(separator)le=\"\(end)\"", Double(count))
        }
        return buckets + [
            line("\(metric)_sum", labels, sum), line("\(metric)_count", labels, Double(counts.last ?? 0)),
        ]
    }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        values.withLock { values in
            for (place, bound) in bounds.enumerated() where value <= bound { values.counts[place] += 1 }
            values.sum += value
        }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
}
