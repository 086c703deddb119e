// Licensed under the MIT License. See LICENSE.

/// The branches of a request: those of the customer override those of the application, which override the emulator's.
struct FlowBranches: Sendable {
    private let layers: [NativeAuthV2Settings]

    /// Creates the branches from settings, the most specific first. Unset members have their defaults.
    init(_ choices: NativeAuthV2Settings?...) {
        layers = choices.compactMap(\.self)
    }

    /// The selected branch; `nil` if none is selected.
    subscript<Value>(member: KeyPath<NativeAuthV2Settings, Value?>) -> Value? {
        layers.lazy.compactMap { $0[keyPath: member] }.first
    }

    var isEnabled: Bool { self[\.isEnabled] ?? true }
    var entryStatus: NativeAuthV2Settings.Status { self[\.entryStatus] ?? .unauthorized }
    var entryNames: NativeAuthV2Settings.EntryNames { self[\.entryNames] ?? .snake }
    var linkStyle: NativeAuthV2Settings.LinkStyle { self[\.linkStyle] ?? .relative }
    var tokenName: NativeAuthV2Settings.TokenName { self[\.tokenName] ?? .camel }
    var interactionStatus: NativeAuthV2Settings.Status { self[\.interactionStatus] ?? .ok }
    var hidesUnknownUsers: Bool { self[\.hidesUnknownUsers] ?? false }
    var passwordChallengeLink: Bool { self[\.passwordChallengeLink] ?? false }
    var secondFactorPosition: NativeAuthV2Settings.SecondFactorPosition { self[\.secondFactorPosition] ?? .afterFirst }
    var riskCheck: NativeAuthV2Settings.RiskCheck { self[\.riskCheck] ?? .off }
    var registrationWords: NativeAuthV2Settings.RegistrationWords { self[\.registrationWords] ?? .init() }
    var existingAccountAtSignUp: NativeAuthV2Settings.ExistingAccount { self[\.existingAccountAtSignUp] ?? .error }
    var asksAgain: Bool { self[\.asksAgain] ?? false }
    var announcesPollInterval: Bool { self[\.announcesPollInterval] ?? false }
    var fallback: NativeAuthV2Settings.Fallback { self[\.fallback] ?? .off }
    var fallbackStep: NativeAuthV2Settings.FallbackStep { self[\.fallbackStep] ?? .start }
    var continueLink: Bool { self[\.continueLink] ?? true }
    var errorForm: NativeAuthV2Settings.ErrorForm { self[\.errorForm] ?? .object }
    var correlationName: NativeAuthV2Settings.CorrelationName { self[\.correlationName] ?? .camel }
    var numbersAsText: Bool { self[\.numbersAsText] ?? false }
    var unknownMembers: Bool { self[\.unknownMembers] ?? false }
    var extraMethods: Bool { self[\.extraMethods] ?? false }
}
