// Licensed under the MIT License. See LICENSE.

extension Instruments {
    /// Counts a token that an API received. `rejection` is `nil` for one that was accepted. `isRemembered` tells whether the
    /// signature was verified earlier.
    package func countValidation(_ rejection: MSALTokenRejection.Code?, isRemembered: Bool) {
        #if Metrics
            guard let meters else { return }
            guard let rejection else { return meters.countAccepted(isRemembered: isRemembered) }
            let labels = Meters.labels(ofValidation: rejection.rawValue, isRemembered: isRemembered)
            meters.count(Meters.validations, labels: labels)
        #endif
    }
}
