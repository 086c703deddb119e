// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore

/// The result of a visit: the parameters of the redirect, or an error.
typealias VisitEnd = Result<[String: String], AgentError>

extension OneShot<VisitEnd> {
    /// Waits for the end of the visit. The visit also ends when its time is over or the calling task is canceled.
    func value(within timeout: Duration, time: any TimeSource) async throws(AgentError) -> [String: String] {
        let end = await withTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    try await time.sleep(for: timeout)
                } catch {
                    return  // The visit ended in time.
                }
                self.settle(.failure(.noRedirect(after: timeout)))
            }
            let end = await self.value(ifCancelled: .failure(.canceledByProgram))
            group.cancelAll()
            return end
        }
        return try end.get()
    }
}

extension AgentError {
    static func noRedirect(after timeout: Duration) -> AgentError {
        let style = Duration.UnitsFormatStyle.units(allowed: [.minutes, .seconds], width: .wide)
        // The text is English in every locale.
        let time = timeout.formatted(style.locale(Locale(identifier: "en_US_POSIX")))
        return AgentError(
            .timedOut,
            message:
                "The browser returned no response within \(time). A closed tab cannot be detected, so this counts as "
                + "cancellation. Try again."
        )
    }

    static let canceledByProgram = AgentError(.canceled, message: "The sign-in was canceled by the program.")
}
