// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import MSALBase

/// The endpoints of native authentication V2.
struct FlowEndpoints: Sendable {
    let directory: ServedDirectory
    let store: EmulatorStore
    let steps: FlowSteps
    let entry: FlowEntry
    let start: FlowStart
    let firstFactor: FlowFirstFactor
    let attributes: FlowAttributes
    let reset: FlowReset
    let secondFactor: FlowSecondFactor
    let registration: FlowRegistration

    /// Responds to a request. The branches determine the format of errors. Errors of the entry point always have the
    /// OAuth format.
    ///
    /// - Throws: `EntraError`, rendered in the OAuth format.
    func respond(
        to exchange: Exchange,
        body: Data,
        at address: FlowAddress,
        tenant segment: TenantSegment
    ) async throws -> Response {
        guard case .tenant(let tenant) = try directory.selector(for: segment) else {
            throw EntraError.unknownTenant(segment.tenant)
        }
        let place = FlowTenant(tenant: tenant, segment: segment)
        switch address {
        case .authorizeChallenge:
            guard let token = exchange.form.last("continuation_token") else {
                return try entry.begin(exchange, at: place)
            }
            let presented = Presented(flow: nil, token: token)
            return try await respond(to: exchange, presenting: presented, at: place) { request in
                try await entry.resume(request)
            }
        case .step(let step, let flow):
            guard steps.flows.isKnown(flow) else { throw EntraError.notFound }
            let presented = Presented(flow: flow, body: body, exchange: exchange)
            return try await respond(to: exchange, presenting: presented, at: place) { request in
                try await respond(to: request, at: step)
            }
        }
    }

    /// The scripts that may read a response: those of the tenant's origins.
    ///
    /// Inferred: Microsoft documents only that an origin has to be configured for a verified custom domain.
    func readers(of exchange: Exchange, tenant segment: TenantSegment) -> CrossOriginReaders {
        guard let origin = exchange.headers[.origin],
            let tenant = directory.tenant(named: segment.tenant),
            tenant.nativeAuthenticationOrigins.contains(where: { $0.lowercased() == origin.lowercased() })
        else { return .none }
        return CrossOriginReaders(preflight: origin, origin: origin)
    }

    // MARK: Steps

    private func respond(to request: FlowCall, at address: FlowStepAddress) async throws -> Response {
        switch (address, request.step) {
        case (.signIn, .entered): return try await start.signIn(request)
        case (.signUp, .entered): return try await start.signUp(request)
        case (.resetPassword, .entered): return try await start.resetPassword(request)
        case (.challenge(let type, let id), .firstFactorOffered), (.challenge(let type, let id), .codeSent),
            (.challenge(let type, let id), .passwordAsked):
            return try firstFactor.challenge(request, type: type, id: id)
        case (.verify(let type, let id), .firstFactorOffered), (.verify(let type, let id), .codeSent),
            (.verify(let type, let id), .passwordAsked):
            return try await firstFactor.verify(request, type: type, id: id)
        case (.submitAttributes, .attributesAsked): return try await attributes.submit(request)
        case (.update, .newPasswordAsked): return try await reset.update(request)
        case (.poll, .newPasswordSubmitted): return try await reset.pollUpdate(request)
        case (.challenge(let type, let id), .secondFactorOffered), (.challenge(let type, let id), .secondFactorSent):
            return try secondFactor.challenge(request, type: type, id: id)
        case (.riskVerify, .secondFactorAtRisk): return try secondFactor.riskVerify(request)
        case (.verify(let type, let id), .secondFactorSent):
            return try await secondFactor.verify(request, type: type, id: id)
        case (.enroll(let type), .registrationOffered): return try await registration.enroll(request, type: type)
        case (.riskVerify, .registrationAtRisk): return try registration.riskVerify(request)
        case (.resend(let type), .registrationSent): return try registration.resend(request, type: type)
        case (.activate(let type), .registrationSent):
            return try await registration.activate(request, type: type, member: "code")
        case (.verify(let type, _), .registrationSent):
            return try await registration.activate(request, type: type, member: "otp")
        default: throw steps.invalidContinuation
        }
    }

    // MARK: Reading

    /// The parts of a request that identify its flow. None of them is validated yet.
    private struct Presented {
        /// The flow in the address. `nil` allows any flow.
        let flow: String?
        let token: String?
        /// The members of a JSON body; `nil` for any other body.
        let members: [String: JSONValue]?

        init(flow: String?, token: String) {
            self.flow = flow
            self.token = token
            members = [:]
        }

        init(flow: String, body: Data, exchange: Exchange) {
            self.flow = flow
            let isJSON = exchange.headers[.contentType]?.lowercased().hasPrefix("application/json") == true
            // All invalid bodies get the same response.
            let value = isJSON ? JSONValue(parsing: body) : nil
            if case .object(let members) = value { self.members = members } else { members = nil }
            token = members?["continuationToken"]?.string
        }
    }

    /// Runs a step. Once the application and the customer are known, their branches determine the format of errors.
    private func respond(
        to exchange: Exchange,
        presenting presented: Presented,
        at place: FlowTenant,
        run: (FlowCall) async throws -> Response
    ) async throws -> Response {
        var branches = FlowBranches(steps.settings.v2)
        let refusal: FlowProblem
        do {
            let request = try await request(exchange, presenting: presented, at: place)
            branches = request.branches
            return try await run(request)
        } catch let error as FlowProblem {
            refusal = error
        } catch let error as EntraError {
            refusal = FlowProblem(error)
        }
        return try refusal.response(to: exchange, form: branches.errorForm, correlationName: branches.correlationName)
    }

    private func request(
        _ exchange: Exchange,
        presenting presented: Presented,
        at place: FlowTenant
    ) async throws -> FlowCall {
        guard let members = presented.members else { throw EntraError.malformed }
        let continuation = try steps.find(presented.token, in: place.tenant, flow: presented.flow, at: exchange.now)
        let clientID = continuation.flow.clientID
        guard let client = directory.application(clientID), let policy = client.native else {
            throw EntraError.nativeDisabled(clientID)
        }
        var request = FlowCall(
            exchange: exchange,
            members: members,
            continuation: continuation,
            place: place,
            client: client,
            policy: policy,
            settings: steps.settings
        )
        if let id = request.flow.userID, let user = try await store.user(id: id) { request.adopt(user) }
        return request
    }
}
