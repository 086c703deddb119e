// Licensed under the MIT License. See LICENSE.

/// A job of a GitHub workflow, described by the parameters of its token request.
///
/// The claims are documented on GitHub's page "OpenID Connect reference".
struct WorkflowJob: Sendable {
    let subject: String
    let owner: String
    let claims: [String: String]

    /// Reads the parameters `repository`, `ref`, `environment`, `event_name`, `sha`, `workflow`, `actor`, `run_id`, and
    /// `subject`; each has a default.
    init(_ parameters: FormValues) {
        let repository = parameters["repository"] ?? "contoso/app"
        let reference = parameters["ref"] ?? "refs/heads/main"
        let environment = parameters["environment"]
        let event = parameters["event_name"] ?? "push"
        let workflow = parameters["workflow"] ?? "ci"
        let actor = parameters["actor"] ?? "octocat"
        owner = String(repository.prefix { $0 != "/" })
        let filter =
            if let environment {
                "environment:\(environment)"
            } else if event == "pull_request" {
                "pull_request"
            } else {
                "ref:\(reference)"
            }
        subject = parameters["subject"] ?? "repo:\(repository):\(filter)"
        let file = "\(repository)/.github/workflows/\(workflow).yml@\(reference)"
        let commit = parameters["sha"] ?? "0123456789abcdef0123456789abcdef01234567"
        var claims = [
            "repository": repository, "repository_owner": owner, "repository_id": "74", "repository_owner_id": "65",
            "repository_visibility": "private", "ref": reference,
            "ref_type": reference.hasPrefix("refs/tags/") ? "tag" : "branch", "ref_protected": "false", "sha": commit,
            "workflow": workflow, "workflow_ref": file, "workflow_sha": commit, "job_workflow_ref": file,
            "job_workflow_sha": commit, "event_name": event, "actor": actor, "actor_id": "12",
            "run_id": parameters["run_id"] ?? "1", "run_number": "1", "run_attempt": "1",
            "runner_environment": "github-hosted", "head_ref": "", "base_ref": "",
        ]
        claims["environment"] = environment
        self.claims = claims
    }
}
