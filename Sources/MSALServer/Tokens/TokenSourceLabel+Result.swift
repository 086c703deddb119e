// Licensed under the MIT License. See LICENSE.

extension TokenSourceLabel {
    /// The origin of a token that was not in the memory when the call began.
    init(_ outcome: Result<MSALTokenResult, MSALTokenError>) {
        switch outcome {
        case .success(let result):
            switch result.source {
            case .cache: self = .l2
            case .service: self = .service
            case .cacheExtended: self = .extended
            }
        case .failure: self = .error
        }
    }
}

extension RequestReason {
    init(_ reason: MSALTokenResult.Reason?) {
        switch reason {
        case .noCachedToken: self = .noToken
        case .expired: self = .expired
        case .forcedRefresh: self = .forced
        case .claims: self = .claims
        case nil: self = .none
        }
    }
}
