// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// Decides on the next step of a flow, and completes the flow.
struct FlowProgress: Sendable {
    let store: EmulatorStore
    let directory: ServedDirectory
    let policies: AccessPolicies
    let failures: FailedSignIns
    let steps: FlowSteps

    /// Requests what is still missing, or completes the flow.
    func next(_ request: FlowCall) async throws -> Response {
        var request = request
        if let attributes = openAttributes(of: request) {
            request.flow.attributeRounds += 1
            var answer = FlowResponse(action: .collectAttributes, links: [(.submitAttributes, .submitAttributes)])
            answer.members["attributes"] = .array(attributes.map(\.flowJSON))
            return try steps.answer(answer, to: request, at: .attributesAsked)
        }
        if request.makesAccount, request.flow.newAccount == nil {
            request.flow.newAccount = User(
                signingUpAs: request.flow.userName,
                draft: request.flow.draft,
                tenant: request.tenant
            )
        }
        guard let account = request.account else { throw EntraError.unknownUser }
        guard account.isEnabled else { throw EntraError.disabledUser }
        if isSecondFactorDue(in: request), let answer = try demand(of: account, in: request) { return answer }
        if request.flow.purpose == .resetPassword, !request.flow.hasPolled {
            return try steps.answer(
                FlowResponse(action: .update, links: [(.update, .update)]),
                to: request,
                at: .newPasswordAsked
            )
        }
        return try await finish(request, account: account)
    }

    // MARK: The browser

    /// Redirects the app to the browser, if the branches require that at this step. That ends the flow.
    func fallback(of request: FlowCall, at step: NativeAuthV2Settings.FallbackStep) throws -> Response? {
        let branches = request.branches
        guard branches.fallback != .off, branches.fallbackStep == step else { return nil }
        return try redirectToBrowser(request, as: branches.fallback)
    }

    /// Redirects the app to the browser.
    func redirectToBrowser(_ request: FlowCall, as fallback: NativeAuthV2Settings.Fallback) throws -> Response {
        try steps.end(request)
        guard let refusal = FlowProblem(fallback) else { return .json(["state": "webFallbackRequired"]) }
        // `error` has the format of the branches. Each other fallback has only one format.
        let form: NativeAuthV2Settings.ErrorForm =
            switch fallback {
            case .suberror: .flat
            case .inner: .object
            case .off, .state, .error: request.branches.errorForm
            }
        return try refusal.response(to: request.exchange, form: form, correlationName: request.branches.correlationName)
    }

    // MARK: Attributes

    /// The attributes that are still missing; `nil` if there are none.
    private func openAttributes(of request: FlowCall) -> [RequestedAttribute]? {
        let rounds = request.branches.asksAgain ? 2 : 1
        guard request.flow.attributeRounds < rounds else { return nil }
        let attributes = requestedAttributes(of: request)
        return attributes.isEmpty ? nil : attributes
    }

    /// The attributes that the flow requests: in a sign-up the application's, otherwise those of the customer's
    /// branches.
    func requestedAttributes(of request: FlowCall) -> [RequestedAttribute] {
        if request.makesAccount {
            let rules = request.branches[\.attributesRequested] ?? request.policy.attributes
            let wantsPassword = request.policy.signUpCredential == .password
            return rules.map { .rule($0) } + (wantsPassword ? [.password] : [])
        }
        guard request.flow.purpose != .resetPassword, let profile = request.user?.customer else { return [] }
        return (profile.v2?.attributesRequested ?? []).filter { profile.attributes[$0.name] == nil }.map { .rule($0) }
    }

    // MARK: Second factor

    private func isSecondFactorDue(in request: FlowCall) -> Bool {
        switch request.branches.secondFactorPosition {
        case .afterFirst: true
        case .atResume: false
        case .inPoll: request.flow.purpose != .resetPassword || request.flow.hasPolled
        }
    }

    /// Offers second factors, or methods to register, if one is required.
    ///
    /// `isResumed`: Whether the app has requested the authorization code.
    func demand(of account: User, in request: FlowCall, isResumed: Bool = false) throws -> Response? {
        guard !request.flow.hasSecondFactor else { return nil }
        let types = request.branches[\.secondFactors]
        if let types, !types.isEmpty {
            let methods = FlowMethod.methods(of: types, for: account, named: account.userPrincipalName)
            return try offerSecondFactors(methods, in: request, isResumed: isResumed)
        }
        let profile = account.customer ?? CustomerProfile()
        let isNeeded = try types == nil && isSecondFactorMissing(of: account, in: request)
        let usual = isNeeded ? request.policy.registrationChannels.map(\.rawValue) : []
        let registered = profile.strongMethods.map { FlowMethod($0) }
        let registrable = request.branches[\.registration] ?? usual
        guard isNeeded || !registrable.isEmpty else { return nil }
        if !registered.isEmpty { return try offerSecondFactors(registered, in: request, isResumed: isResumed) }
        guard !registrable.isEmpty else { return nil }
        return try offerRegistration(of: registrable, to: account, in: request, isResumed: isResumed)
    }

    /// The decision of the access policies for the request of a flow.
    func decision(on account: User, in request: FlowCall) -> AccessDecision {
        var wanted = AccessRequest(
            request.exchange,
            of: account,
            in: request.tenant,
            client: request.client,
            audience: request.flow.scopes.audience,
            contexts: RequestedClaims.authenticationContexts(ifAnyIn: request.flow.claims)
        )
        wanted.signInID = request.flow.id
        return policies.decide(
            wanted,
            proof: AccessProof(authenticatedAt: request.now, hasSecondFactor: request.flow.hasSecondFactor)
        )
    }

    /// - Throws: The error of a policy that no second factor satisfies.
    private func isSecondFactorMissing(of account: User, in request: FlowCall) throws(EntraError) -> Bool {
        guard case .missing(let need) = decision(on: account, in: request) else { return false }
        switch need.kind {
        case .secondFactor, .registration: return true
        case .blocked, .assignment: throw need.error
        case .managedDevice, .recentSignIn, .newPassword, .termsOfUse: return false
        }
    }

    private func offerSecondFactors(_ methods: [FlowMethod], in request: FlowCall, isResumed: Bool) throws -> Response {
        var request = request
        request.flow.offered = methods
        request.flow.riskChecks = 0
        let answer = FlowResponse.choose(.challenge, factor: "multiFactor", from: methods) { method in
            [(.challenge, .challenge(type: method.type, id: method.id))]
        }
        return try steps.answer(answer, to: request, at: .secondFactorOffered, isResumed: isResumed)
    }

    private func offerRegistration(
        of types: [String],
        to account: User,
        in request: FlowCall,
        isResumed: Bool
    ) throws -> Response {
        var request = request
        request.flow.offered = FlowMethod.methods(of: types, for: nil, named: account.userPrincipalName)
        request.flow.riskChecks = 0
        let isEnrolled = request.branches.registrationWords.offer == .enroll
        let answer = FlowResponse.choose(isEnrolled ? .enroll : .register, from: request.flow.offered) { method in
            [(isEnrolled ? .enroll : .register, .enroll(type: method.type))]
        }
        return try steps.answer(answer, to: request, at: .registrationOffered, isResumed: isResumed)
    }

    // MARK: Completion

    /// Stores the changes of the flow. A flow that is abandoned earlier leaves no changes.
    private func finish(_ request: FlowCall, account: User) async throws -> Response {
        var request = request
        var account = account
        let flow = request.flow
        if request.makesAccount, try await store.user(named: flow.userName) != nil { throw EntraError.customerExists }
        if let method = flow.newMethod { account.customer?.strongMethods.append(method) }
        if request.user != nil { account.customer?.attributes.merge(flow.draft.attributes) { _, new in new } }
        if let password = flow.newPassword { account.replacePassword(with: password, at: request.now) }
        request.flow.userID = account.id
        request.flow.newAccount = nil
        request.flow.newMethod = nil
        request.flow.newPassword = nil
        request.flow.draft = .init()
        // Advance first: of two requests with the same token, only one changes the account.
        let response = try steps.answer(.done, to: request, at: .finished)
        if account != request.user { try await store.save(account) }
        if flow.newPassword != nil { failures.forget(account.id) }
        return response
    }
}

/// A value that a flow requests from a customer.
enum RequestedAttribute: Sendable {
    case rule(AttributeRule)
    case password

    /// The element of `attributes`.
    var flowJSON: JSONValue {
        switch self {
        case .password:
            return [
                "attributeId": "password", "inputType": "password", "required": true, "canChange": true,
                "hidden": false,
                "label": "Password", "confirmationInput": true,
            ]
        case .rule(let rule):
            var members: [String: JSONValue] = [
                "attributeId": .string(rule.name), "inputType": .string(rule.inputType),
                "required": .bool(rule.isRequired), "canChange": true, "hidden": false, "label": .string(rule.name),
            ]
            members["regex"] = rule.expression.map { .string($0) }
            return .object(members)
        }
    }
}

extension AttributeRule {
    /// The type of the input field that an app shows for it.
    fileprivate var inputType: String {
        switch kind {
        case .string: options.isEmpty ? "text" : "checkboxMultiSelect"
        case .integer: "text"
        case .boolean: "boolean"
        case .date: "date"
        }
    }
}
