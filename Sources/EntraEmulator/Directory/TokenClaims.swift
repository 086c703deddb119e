// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

extension EmulatorDirectory {
    /// Claims that a test sets in tokens: of the next sign-in, or of all tokens of a user, an application, or an API.
    public struct TokenClaims: Sendable, Codable, Equatable {
        /// A type of token.
        public enum TokenType: String, Sendable, Codable, CaseIterable, FileValue {
            /// The ID tokens.
            case idToken
            /// The access tokens.
            case accessToken
        }

        /// The ID, a GUID.
        public var id: String
        /// The user principal name or the object ID; `nil` means all users, and tokens without a user.
        public var user: String?
        /// The client ID of the application that the tokens are issued to; `nil` means all.
        public var application: String?
        /// The API, by any of its names, whose access tokens have the claims; `nil` means all, and ID tokens.
        public var api: String?
        /// The type of token; `nil` means both.
        public var token: TokenType?
        /// The claims to add or replace; `.none` removes one.
        public var claims: [String: TestToken.Claim]
        /// Whether the setting ends with the next matching sign-in, whose tokens have the claims as long as it lasts.
        public var isOnce = false
        /// Whether the claims may be those that no policy of the service can change, such as `iss`, `aud`, and `exp`.
        public var isForced = false

        /// Creates a setting for all tokens.
        public init(_ claims: [String: TestToken.Claim], user: String? = nil) {
            id = UUID().text
            self.claims = claims
            self.user = user
        }

        /// Decodes a setting; only the claims are required. If the ID is omitted, it is derived from the other members.
        public init(from decoder: any Decoder) throws { try self.init(members: decoder) }
    }
}

extension EmulatorDirectory.TokenClaims: FileEntry {
    static let form = EntryForm(
        "token claims",
        summary: "Claims of tokens, for a test.",
        blank: EmulatorDirectory.TokenClaims([:])
    ) { members in
        members.derived("id", at: \.id, as: .text(.guid)) { setting in
            let scope = [setting.user, setting.application, setting.api, setting.token?.rawValue].map { $0 ?? "" }
            return UUID.derived(from: "token claims", scope.joined(separator: " "), "\(setting.claims.keys.sorted())")
                .text
        }
        .summary("A GUID. By default, it is derived from the other members.")
        members.optional("user", at: \.user).label("User").summary("The user, by name or object ID. Defaults to all.")
        members.optional("application", at: \.application).label("Application")
            .summary("The client ID of the application that gets the tokens. Defaults to all.")
        members.optional("api", at: \.api).label("API")
            .summary("The API whose access tokens have the claims. Defaults to all APIs, and ID tokens.")
        members.optional("token", at: \.token).label("Type of token").summary("The type of token. Defaults to both.")
        members.required("claims", at: \.claims).label("Claims (JSON)")
            .summary("The claims to add or replace; null removes one.")
        members.optional("once", at: \.isOnce).label("Only the next sign-in")
            .summary("Whether only the tokens of the next matching sign-in have the claims.")
        members.optional("force", at: \.isForced).label("Allow restricted claims")
            .summary("Whether to allow the claims of Microsoft's restricted set, such as iss, aud, and exp.")
    }

    /// The maximum number of claims in a setting, so that tokens fit into a header.
    static let mostClaims = 100

    /// Whether the setting applies to tokens.
    ///
    /// `names`: The names and IDs of the user, in lower case; `nil` for a token of an application.
    /// `api`: The API of an access token; `nil` for an ID token.
    func applies(to names: [String]?, clientID: String, api: API?) -> Bool {
        if let user, names?.contains(user.lowercased()) != true { return false }
        if let application, application.lowercased() != clientID.lowercased() { return false }
        if let name = self.api, api?.isNamed(name) != true { return false }
        return token.map { $0 == (api == nil ? .idToken : .accessToken) } ?? true
    }
}

/// The claims that no policy can change (Microsoft identity platform, "Claims customization using a policy", restricted
/// claim set of a JWT).
enum RestrictedClaims {
    static func contains(_ name: String) -> Bool {
        names.contains(name) || name.hasPrefix("xms_") || name.hasPrefix("extn.")
    }

    private static let names = Set(
        """
        . _claim_names _claim_sources aai access_token account_type acct acr acrs actor actortoken ageGroup aio altsecid \
        amr app_chain app_displayname app_res appctx appctxsender appid appidacr assertion at_hash aud auth_data auth_time \
        authorization_code azp azpacr bk_claim bk_enclave bk_pub brk_client_id brk_redirect_uri c_hash ca_enf \
        ca_policy_result capolids capolids_latebind cc cert_token_use child_client_id child_redirect_uri client_id \
        client_ip cloud_graph_host_name cloud_instance_host_name cloud_instance_name CloudAssignedMdmId cnf code controls \
        controls_auds credential_keys csr csr_type ctry deviceid dns_names domain_dns_name domain_netbios_name e_exp email \
        endpoint enfpolids exp expires_on fido_auth_data fido_ver fwd fwd_appidacr grant_type graph group_sids groups \
        hasgroups hash_alg haswids home_oid home_puid home_tid iat identityprovider idp idtyp in_corp instance \
        inviteTicket ipaddr isbrowserhostedapp iss isViral jwk key_id key_type login_hint mam_compliance_url \
        mam_enrollment_url mam_terms_of_use_url mdm_compliance_url mdm_enrollment_url mdm_terms_of_use_url msgraph_host \
        msproxy nameid nbf netbios_name nickname nonce oid on_prem_id onprem_sam_account_name onprem_sid openid2_id \
        origin_header password platf polids pop_jwk preferred_username previous_refresh_token primary_sid prov_data puid \
        pwd_exp pwd_url rdp_bt redirect_uri refresh_token refresh_token_issued_on refreshtoken request_nonce resource rh \
        role roles rp_id rt_type scope scp secaud sid signature signin_state source_anchor src1 src2 sub target_deviceid \
        tbid tbidv2 tenant_ctry tenant_display_name tenant_id tenant_region_scope tenant_region_sub_scope thumbnail_photo \
        tid tokenAutologonEnabled trustedfordelegation ttr unique_name upn user_agent user_setting_sync_url username uti \
        ver verified_primary_email verified_secondary_email vnet vsm_binding_key wamcompat_client_info wamcompat_id_token \
        wamcompat_scopes wids win_ver x5c_ca xcb2b_rclient xcb2b_rcloud xcb2b_rtenant ztdid
        """
        .split(separator: " ").map(String.init)
    )
}
