// Licensed under the MIT License. See LICENSE.
//
// Written by scripts/graph-permissions. Source: github.com/microsoftgraph/microsoft-graph-devx-content,
// permissions/permissions-descriptions.json and permissions/new/permissions.json, revision
// 6cbd6bbd665a877560fdefbad74f3bdb5b57af88. That repository is Copyright (c) 2020 Microsoft Graph, MIT License.

extension GraphPermissions {
    /// The delegated permissions in ``data``.
    static let countOfScopes = 598
    /// The permissions of applications in ``data``.
    static let countOfRoles = 534
    /// A line for each permission: its id as a delegated permission, its id as a permission of applications (`-` where it is
    /// none), who may consent to the delegated one, and its name. Then the segments of paths, and the requests. The names
    /// behind `scopes` and `roles` are the permissions of which each of the requests above them needs one; those behind
    /// `both` serve users and applications.
    static let data = """
        permission 1b6ff35f-31df-4332-8571-d31ea5a4893f b86848a7-d5b1-41eb-a9b4-54a4e6306e97 admin APIConnectors.Read.All
        permission c67b52c5-7c69-48b6-9d48-7b3af3ded914 1dfe531a-24a6-4f1b-80f4-7a0dc5a0a171 admin APIConnectors.ReadWrite.All
        permission ebfcd32b-babb-40f4-a14b-42706e83bd28 d07a8cc0-3d51-4b77-b3b0-32704d1f69fa admin AccessReview.Read.All
        permission e4aa47b9-9a69-4109-82ed-36ec70d85ff1 ef5f7d5c-338f-44b0-86c3-351f46c8bb5f admin AccessReview.ReadWrite.All
        permission 5af8c3f5-baca-439a-97b0-ea58a435e269 18228521-a591-40f1-b215-5fad4488c117 admin AccessReview.ReadWrite.Membership
        permission 9084c10f-a2d6-4713-8732-348def50fe02 8c0aed2c-0c61-433d-b63c-6370ddc73248 user Acronym.Read.All
        permission 3361d15d-be43-4de6-b441-3c746d05163d 134fd756-38ce-4afd-ba33-e9623dbe66c2 admin AdministrativeUnit.Read.All
        permission 7b8a2d34-6b3f-4542-a343-54651608ad81 5eb59dd3-1da2-4329-8733-9dabdc435916 admin AdministrativeUnit.ReadWrite.All
        permission af2819c9-df71-4dd3-ade7-4d7c9dc653b7 2f3e6f8c-093b-4c57-a58b-ba5ce494a169 admin Agreement.Read.All
        permission ef4b5d93-3104-4664-9053-a5c49ab44218 c9090d00-6101-42f0-a729-c41074260d47 admin Agreement.ReadWrite.All
        permission 0b7643bb-5336-476f-80b5-18fbfbc91806 - admin AgreementAcceptance.Read
        permission a66a5341-e66e-4897-9d52-c2df58c2bfb9 d8e4ec18-f6c0-4620-8122-c8b1f2bf400e admin AgreementAcceptance.Read.All
        permission 859cceb9-2ec2-4e48-bcd7-b8490b5248a5 - user AiEnterpriseInteraction.Read
        permission - 839c90ab-5771-41ee-aef8-a562e8487c1e admin AiEnterpriseInteraction.Read.All
        permission e03cf23f-8056-446a-8994-7d93dfc8b50e - user Analytics.Read
        permission 88e58d74-d3df-44f3-ad47-e89edf4472e4 e12dae10-5a57-4817-b79d-dfbec5348930 user AppCatalog.Read.All
        permission 1ca167d5-1655-44a1-8adf-1414072e1ef9 dc149144-f292-421e-b185-5953f2e98d7f admin AppCatalog.ReadWrite.All
        permission 3db89e36-7fa6-4012-b281-85f3d9d9fd2e - user AppCatalog.Submit
        permission af281d3a-030d-4122-886e-146fb30a0413 - admin AppCertTrustConfiguration.Read.All
        permission 4bae2ed4-473e-4841-a493-9829cfd51d48 - admin AppCertTrustConfiguration.ReadWrite.All
        permission 84bccea3-f856-4a8a-967b-dbe0a3d53a64 06b708a9-e830-4db3-a914-8e69da51d44f admin AppRoleAssignment.ReadWrite.All
        permission ffa91d43-2ad8-45cc-b592-09caddeb24bb 3be0012a-cc4e-426b-895b-f9c836bf6381 admin Application-RemoteDesktopConfig.ReadWrite.All
        permission c79f8feb-a9db-4090-85f9-90d820caa0eb 9a5d68dd-52b0-4cc2-bd40-abcf44ac3a30 admin Application.Read.All
        permission bdfbf15f-ee85-4955-8675-146e8e5296b5 1bfefb4e-e0b5-418b-a88f-73c46d2cc8e9 admin Application.ReadWrite.All
        permission - 18a4783c-866b-4cc7-a460-3d5e5662c884 admin Application.ReadWrite.OwnedBy
        permission b0df437d-d341-4df0-aa3e-89ca81a1207f - user ApprovalSolution.Read
        permission - 9f265de7-8d5e-4e9a-a805-5e8bbc49656f admin ApprovalSolution.Read.All
        permission 6768d3af-4562-48ff-82d2-c5e19eb21b9c - user ApprovalSolution.ReadWrite
        permission - 45583558-1113-4d06-8969-e79a28edc9ad admin ApprovalSolution.ReadWrite.All
        permission 89d944f2-2011-44ad-830c-aa9bf5ef2319 - user ApprovalSolutionResponse.ReadWrite
        permission 104a7a4b-ca76-4677-b7e7-2f4bc482f381 93283d0a-6322-4fa8-966b-8c121624760d admin AttackSimulation.Read.All
        permission 27608d7c-2c66-4cad-a657-951d575f5a60 e125258e-8c8a-42a8-8f55-ab502afa52f3 user AttackSimulation.ReadWrite.All
        permission e4c9e354-4dc5-45b8-9e7c-e1393b0b1a20 b0afded3-3588-46d8-8b3d-9842eff778da admin AuditLog.Read.All
        permission ba78b16f-1e01-41b6-89ca-73e0a32b304c 20e6f8e4-ffac-4cf7-82f7-70ddb7564318 admin AuditLogsQuery-CRM.Read.All
        permission ee3409fe-617f-43cf-bd1e-fc8b38049e69 0bc85aed-7b0b-437a-bac8-3b29a1b84c99 admin AuditLogsQuery-Endpoint.Read.All
        permission 5ff2f415-e0f1-4d11-bfd0-6d87c0f667fd 7276d950-48fc-4269-8348-f22f2bb296d0 admin AuditLogsQuery-Entra.Read.All
        permission 6c8c71d2-c7e1-45b0-ac6d-1d2724fba6ae 6b0d2622-d34e-4470-935b-b96550e5ca8d admin AuditLogsQuery-Exchange.Read.All
        permission 4a72c235-a50d-4870-b598-fd88fd1fa074 8a169a81-841c-45fd-ad43-96aede8801a0 admin AuditLogsQuery-OneDrive.Read.All
        permission 30630b65-ed12-4a81-9130-e3a964109fae 91c64a47-a524-4fce-9bf3-3d569a344ecf admin AuditLogsQuery-SharePoint.Read.All
        permission 1d9e7ac3-0eca-442c-82f9-e92625af6e6d 5e1e9171-754d-478c-812c-f1755a9a4c2d admin AuditLogsQuery.Read.All
        permission 57b030f1-8c35-469c-b0d9-e4a077debe70 381f742f-e1f8-4309-b4ab-e3d91ae4c5c1 admin AuthenticationContext.Read.All
        permission ba6d575a-1344-4516-b777-1404f5593057 a88eef72-fed0-4bf7-a2a9-f19df33f8b83 admin AuthenticationContext.ReadWrite.All
        permission 444ed4b6-0554-4dc6-8e9c-3f9a34ee3ff6 5fbb5982-3230-4882-93c0-2167523ce0c2 admin BackupRestore-Configuration.Read.All
        permission a0244d16-171c-4496-8ffb-7b9b6954d339 18133149-5489-40ac-80f0-4b6fa85f6cdc admin BackupRestore-Configuration.ReadWrite.All
        permission af598c63-4292-4437-b925-e996354d3854 6fe20a79-0e15-45a1-b019-834c125993a0 admin BackupRestore-Control.Read.All
        permission 96d46335-d92d-41b8-bc9f-273a692381ea fb240865-88f8-4a1d-923f-98dbc7920860 admin BackupRestore-Control.ReadWrite.All
        permission b4e98de1-4600-4e90-b5e1-7c1dfef04e5c ecae8511-f2d7-4be4-bdbf-91f244d45986 admin BackupRestore-Monitor.Read.All
        permission 94b36f78-434f-4904-8c08-421d9a9c1dc2 87853aa5-0372-4710-b34b-cef27bb7156e admin BackupRestore-Restore.Read.All
        permission 9f89e109-94b9-4c9b-b4fc-98cdaa54f574 bebd0841-a3d8-4313-a51d-731112c8ee41 admin BackupRestore-Restore.ReadWrite.All
        permission 2b24830f-f435-446f-ab5a-b1e70d9a2eb5 f6135c51-c766-4be1-9638-ed90c2ed2443 admin BackupRestore-Search.Read.All
        permission 2bf6d319-dfca-4c22-9879-f88dcfaee6be 9e8be751-7eee-4c09-bcfd-d64f6b087fd8 admin BillingConfiguration.ReadWrite.All
        permission b27a61ec-b99c-4d6a-b126-c4375d08ae30 57f1cf28-c0c4-4ec3-9a30-19a2eaaf2f6e admin BitlockerKey.Read.All
        permission 5a107bfc-4f00-4e1a-b67e-66451267bc68 f690d423-6b29-4d04-98c6-694c42282419 admin BitlockerKey.ReadBasic.All
        permission 7f36b48e-542f-4d3b-9bcb-8406f0ab9fdb 6b22000a-1228-42ec-88db-b8c00399aecb user Bookings.Manage.All
        permission 33b1df99-4b29-4548-9339-7a7b83eaeebc 6e98f277-b046-4193-a4f2-6bf6a78cd491 user Bookings.Read.All
        permission 948eb538-f19d-4ec5-9ccc-f059e1ea4c72 0c4b2d20-7919-468d-8668-c54b09d4dee8 user Bookings.ReadWrite.All
        permission 02a5a114-36a6-46ff-a102-954d89d9ab02 9769393e-5a9f-4302-9e3d-7e018ecb64a7 user BookingsAppointment.ReadWrite.All
        permission 98b17b35-f3b1-4849-a85f-9f13733002f0 be95e614-8ef3-49eb-8464-1c9503433b86 user Bookmark.Read.All
        permission fb9be2b7-a7fc-4182-aec1-eda4597c43d5 c5ee1f21-fc7f-4937-9af0-c91648ff9597 user BrowserSiteLists.Read.All
        permission 83b34c85-95bf-497b-a04e-b58eca9d49d0 8349ca94-3061-44d5-9bfb-33774ea5e4f9 user BrowserSiteLists.ReadWrite.All
        permission d16480b2-e469-4118-846b-d3d177327bee - admin BusinessScenarioConfig.Read.All
        permission c47e7b6e-d6f1-4be9-9ffd-1e00f3e32892 acc0fc4d-2cd6-4194-8700-1768d8423d86 admin BusinessScenarioConfig.Read.OwnedBy
        permission 755e785b-b658-446f-bb22-5a46abd029ea - admin BusinessScenarioConfig.ReadWrite.All
        permission b3b7fcff-b4d4-4230-bf6f-90bd91285395 bbea195a-4c47-4a4f-bff2-cba399e11698 admin BusinessScenarioConfig.ReadWrite.OwnedBy
        permission 25b265c4-5d34-4e44-952d-b567f6d3b96d 6c0257fd-cffe-415b-8239-2d0d70fdaa9c admin BusinessScenarioData.Read.OwnedBy
        permission 19932d57-2952-4c60-8634-3655c79fc527 f2d21f22-5d80-499e-91cc-0a8a4ce16f54 admin BusinessScenarioData.ReadWrite.OwnedBy
        permission 465a38f9-76ea-45b9-9f34-9e8b0d4b0b42 798ee544-9d2d-430c-a058-570e29e34338 user Calendars.Read
        permission 2b9c4092-424d-4249-948d-b43879977640 - user Calendars.Read.Shared
        permission 662d75ba-a364-42ad-adee-f5f880ea4878 - admin Calendars.ReadBasic
        permission - 8ba4a692-bc31-4128-9094-475872af8a53 admin Calendars.ReadBasic.All
        permission 1ec239c2-d7c9-4623-a91a-a9775856bb36 ef54d2bf-783f-4e0f-bca1-3210c0444d99 user Calendars.ReadWrite
        permission 12466101-c9b8-439a-8589-dd09ee67e8e9 - user Calendars.ReadWrite.Shared
        permission - f0a35f91-2aa6-4a99-9d5a-5b6bcb66204e admin CallEvents-Emergency.Read.All
        permission 43431c03-960e-400f-87c6-8f910321dca3 - admin CallEvents.Read
        permission - 1abb026f-7572-49f6-9ddd-ad61cbba181e admin CallEvents.Read.All
        permission - a2611786-80b3-417e-adaa-707d4261a5f0 admin CallRecord-PstnCalls.Read.All
        permission - 45bbb07e-7321-4fd7-a8f6-3ff27e6a81c8 admin CallRecords.Read.All
        permission - a7a681dc-756e-4909-b988-f160edc6655f admin Calls.AccessMedia.All
        permission - 284383ee-7f6e-4e40-a2a8-e85dcb029101 admin Calls.Initiate.All
        permission - 4c277553-8a09-487b-8023-29ee378d8324 admin Calls.InitiateGroupCall.All
        permission - f6b49018-60ab-4f81-83bd-22caeabfed2d admin Calls.JoinGroupCall.All
        permission - fd7ccf6b-3d28-418b-9701-cd10f5cd2fd4 admin Calls.JoinGroupCallAsGuest.All
        permission 4628dff5-c33e-4fde-b17a-b64e7acb1bed 418dae40-2b65-4819-900c-519a04e4d278 user ChangeManagement.Read.All
        permission 101147cf-4178-4455-9d58-02b5c164e759 f3a65bd4-b703-46df-8f7e-0174fea562aa admin Channel.Create
        permission cc83893a-e232-4723-b5af-bd0b01bcfe65 6a118a39-1227-45d4-af0c-ea7b40d210bc admin Channel.Delete.All
        permission 9d8982ae-4365-4f57-95e9-d6032a4c0b87 59a6b24b-4225-4393-8165-ebaec5f55d7a user Channel.ReadBasic.All
        permission 2eadaff8-0bce-4198-a6b9-2cfc35a30075 3b55498e-47ec-484f-8136-9013221c06a9 admin ChannelMember.Read.All
        permission 0c3e411a-ce45-4cd1-8f30-f99a3efa7b11 35930dcf-aceb-4bd1-b99a-8ffed403c974 admin ChannelMember.ReadWrite.All
        permission 2b61aa8a-6d36-4b2f-ac7b-f29867937c53 - user ChannelMessage.Edit
        permission 767156cb-16ae-4d10-8f8b-41b657c8c8c8 7b2449af-6ccd-4f4d-9f78-e550c193f0d1 admin ChannelMessage.Read.All
        permission 5922d31f-46c8-4404-9eaf-2117e390a8a4 - admin ChannelMessage.ReadWrite
        permission ebf0f66e-9fb1-49e4-a278-222f76911cf4 - user ChannelMessage.Send
        permission - 4d02b0cc-d90b-441f-8d82-4fb55c34d6bb admin ChannelMessage.UpdatePolicyViolation.All
        permission 233e0cf1-dd62-48bc-b65b-b38fe87fcf8e c97b873f-f59f-49aa-8a0e-52b32d762124 admin ChannelSettings.Read.All
        permission d649fb7c-72b4-4eec-b2b4-b15acf79e378 243cded2-bd16-4fd6-a953-ff8177894c3d admin ChannelSettings.ReadWrite.All
        permission 38826093-1258-4dea-98f0-00003be2b8d0 d9c48af6-9ad9-47ad-82c3-63757137b9af user Chat.Create
        permission bb64e6fc-6b6d-4752-aea0-dd922dbba588 9c7abde0-eacd-4319-bf9e-35994b1a1717 admin Chat.ManageDeletion.All
        permission f501c180-9344-439a-bca0-6cbf209fd270 - user Chat.Read
        permission - 6b7d71aa-70aa-4810-a8d9-5d9fb2830017 admin Chat.Read.All
        permission - 1c1b4c8e-3cc7-4c58-8470-9b92c9d5848b admin Chat.Read.WhereInstalled
        permission 9547fcb5-d03f-419d-9948-5928bbf71b0f - user Chat.ReadBasic
        permission - b2e060da-3baf-4687-9611-f4ebc0f0cbde admin Chat.ReadBasic.All
        permission - 818ba5bd-5b3e-4fe0-bbe6-aa4686669073 admin Chat.ReadBasic.WhereInstalled
        permission 9ff7295e-131b-4d94-90e1-69fde507ac11 - user Chat.ReadWrite
        permission 7e9a077b-3711-42b9-b7cb-5fa5f3f7fea7 294ce7c9-31ba-490a-ad7d-97a7d075e4ed user Chat.ReadWrite.All
        permission - ad73ce80-f3cd-40ce-b325-df12c33df713 admin Chat.ReadWrite.WhereInstalled
        permission - 7e847308-e030-4183-9899-5235d7270f58 admin Chat.UpdatePolicyViolation.All
        permission c5a9e2b1-faf6-41d4-8875-d381aa549b24 - admin ChatMember.Read
        permission - a3410be2-8e48-4f32-8454-c29a7465209d admin ChatMember.Read.All
        permission - 93e7c9e4-54c5-4a41-b796-f2a5adaacda7 admin ChatMember.Read.WhereInstalled
        permission dea13482-7ea6-488f-8b98-eb5bbecf033d - admin ChatMember.ReadWrite
        permission - 57257249-34ce-4810-a8a2-a03adf0c5693 admin ChatMember.ReadWrite.All
        permission - e32c2cd9-0124-4e44-88fc-772cd98afbdb admin ChatMember.ReadWrite.WhereInstalled
        permission cdcdac3a-fd45-410d-83ef-554db620e5c7 - user ChatMessage.Read
        permission - b9bb2381-47a4-46cd-aafb-00cb12f68504 admin ChatMessage.Read.All
        permission 116b7235-7cc6-461e-b163-8e55691d839e - user ChatMessage.Send
        permission ad46d60e-1027-4b75-af88-7c14ccf43a19 64a59178-dad3-4673-89db-84fdcd622fec user CloudApp-Discovery.Read.All
        permission 5252ec4e-fd40-4d92-8c68-89dd1d3c6110 a9e09520-8ed4-4cde-838e-4fdea192c227 user CloudPC.Read.All
        permission 9d77138f-f0e2-47ba-ab33-cd246c8b79d1 3b4349e1-8cf5-45a3-95b7-69d1751d3e6a admin CloudPC.ReadWrite.All
        permission 12ae2e92-14b5-47b2-babb-4e890bbedc0a 407f0cce-3212-441f-9f55-3bc91342cf86 admin Community.Read.All
        permission 9e69467d-e0e2-402b-a926-3d796990197f 35d59e32-eab5-4553-9345-abb62b4c703c admin Community.ReadWrite.All
        permission c645bb69-adc4-4242-b620-02e635f03bf6 - admin ConfigurationMonitoring.Read.All
        permission 54505ce9-e719-41f7-a7cc-dbe114e1d811 - admin ConfigurationMonitoring.ReadWrite.All
        permission f2143d35-9b4b-480d-951c-d083e69eeb2c - admin ConsentRequest.Create
        permission 5942b2f6-5a7b-40af-aa37-4b6ea5447506 - user ConsentRequest.Read
        permission f3bfad56-966e-4590-a536-82ecf548ac1e 1260ad83-98fb-4785-abbb-d6cc1806fd41 admin ConsentRequest.Read.All
        permission e694a3a1-7878-46d8-8c29-3d195f6589f4 - admin ConsentRequest.ReadApprove.All
        permission 497d9dfa-3bd1-481a-baab-90895e54568c 9f1b81a7-0223-4428-bfa4-0bcb5535f27d admin ConsentRequest.ReadWrite.All
        permission ae180d45-006f-488a-a18a-18b00852edc6 1a997f7e-17c6-44c3-adc4-996e0712c777 admin Contacts-OnPremisesSyncBehavior.ReadWrite.All
        permission ff74d97f-43af-4b68-9f2a-b77ee6968c5d 089fe4d0-434a-44c5-8827-41ba8a0b17f5 user Contacts.Read
        permission 242b9d9e-ed24-4d09-9a52-f43769beb9d4 - user Contacts.Read.Shared
        permission d56682ec-c09e-4743-aaf4-1a3aac4caa21 6918b873-d17a-4dc1-b314-35f528134491 user Contacts.ReadWrite
        permission afb6c84b-06be-49af-80bb-8f3f77004eab - user Contacts.ReadWrite.Shared
        permission aeb2982d-632d-4155-b533-18756ab6fdd8 - admin CopilotSettings-LimitedMode.Read
        permission 4704e5b2-0ada-4aa0-b18c-00ad7525bc06 - admin CopilotSettings-LimitedMode.ReadWrite
        permission 81594d25-e88e-49cf-ac8c-fecbff49f994 cac88765-0581-4025-9725-5ebc13f729ee admin CrossTenantInformation.ReadBasic.All
        permission cb1ba48f-d22b-4325-a07f-74135a62ee41 - admin CrossTenantUserProfileSharing.Read
        permission 759dcd16-3c90-463c-937e-abf89f991c18 8b919d44-6192-4f3d-8a3b-f86f8069ae3c admin CrossTenantUserProfileSharing.Read.All
        permission eed0129d-dc60-4f30-8641-daf337a39ffd - admin CrossTenantUserProfileSharing.ReadWrite
        permission 64dfa325-cbf8-48e3-938d-51224a0cac01 306785c5-c09b-4ba0-a4ee-023f3da165cb admin CrossTenantUserProfileSharing.ReadWrite.All
        permission b2052569-c98c-4f36-a5fb-43e5c111e6d0 88bb2658-5d9e-454f-aacd-a3933e079526 admin CustomAuthenticationExtension.Read.All
        permission 8dfcf82f-15d0-43b3-bc78-a958a13a5792 c2667967-7050-4e7e-b059-4cbbb3811d03 admin CustomAuthenticationExtension.ReadWrite.All
        permission - 214e810f-fda8-4fd7-a475-29461495eb00 admin CustomAuthenticationExtension.Receive.Payload
        permission b13ff42e-f321-4d7d-a462-141c46a1b832 673a007a-9e0f-4c97-b066-3c0164486909 admin CustomDetection.Read.All
        permission c34088fb-0649-4714-af0b-bcbfec155897 e0fd9c8d-a12e-4cc9-9827-20c8c3cd6fb8 admin CustomDetection.ReadWrite.All
        permission b46ffa80-fe3d-4822-9a1a-c200932d54d0 3b37c5a4-1226-493d-bec3-5d6c6b866f3f admin CustomSecAttributeAssignment.Read.All
        permission ca46335e-8453-47cd-a001-8459884efeae de89b5e4-5b8f-48eb-8925-29c2b33bd8bd admin CustomSecAttributeAssignment.ReadWrite.All
        permission 1fcdeaab-b519-44dd-bffc-ed1fd15a24e0 2a4f026d-e829-4e84-bdbf-d981a2703059 admin CustomSecAttributeAuditLogs.Read.All
        permission ce026878-a0ff-4745-a728-d4fedd086c07 b185aa14-d8d2-42c1-a685-0f5596613624 admin CustomSecAttributeDefinition.Read.All
        permission 8b0160d4-5743-482b-bb27-efc0a485ca4a 12338004-21f4-4896-bf5e-b75dfaf1016d admin CustomSecAttributeDefinition.ReadWrite.All
        permission 9ddd870d-077c-49e7-b3e3-6b3012a8a880 9fd1f8bf-a443-4df6-bc2a-5d00c5ec7828 admin CustomSecAttributeProvisioning.Read.All
        permission 1140d9e4-6776-433e-a9e4-b9831adbb2e0 1db69e9c-8d0a-498d-a5df-11fd0b68ceab admin CustomSecAttributeProvisioning.ReadWrite.All
        permission de6ea87d-10bd-467c-8682-d525a0c61b89 ab8a5872-7c88-47a6-8141-7becce939190 admin CustomTags.Read.All
        permission 2f1bbe0a-f34b-4efb-9edb-8db8dcb50eca 2f503208-e509-4e39-974c-8cc16e5785c9 admin CustomTags.ReadWrite.All
        permission 0c0064ea-477b-4130-82a5-4c2cc4ff68aa f6e9e124-4586-492f-adc0-c6f96e4823fd admin DelegatedAdminRelationship.Read.All
        permission 885f682f-a990-4bad-a642-36736a74b0c7 cc13eba4-8cd8-44c6-b4d4-f93237adce58 admin DelegatedAdminRelationship.ReadWrite.All
        permission a197cdc4-a8e8-4d49-9d35-4ca7c83887b4 81b4724a-58aa-41c1-8a55-84ef97466587 admin DelegatedPermissionGrant.Read.All
        permission 41ce6ca6-6826-4807-84f1-1c82854f7ee5 8e8e4742-1d95-4f68-9d56-6ee75648c72a admin DelegatedPermissionGrant.ReadWrite.All
        permission bac3b9c2-b516-4ef4-bd3b-c2ef73d8d804 - user Device.Command
        permission edc92e89-a987-48a9-911a-a7b1967dd7b1 - admin Device.CreateFromOwnedTemplate
        permission 11d4cd79-5ba5-460f-803f-e22c8ab85ccd - user Device.Read
        permission 951183d1-1a61-466f-a6d1-1fde911bfd95 7438b122-aefc-4978-80ed-43db9fcc7715 admin Device.Read.All
        permission - 1138cb37-bd11-4084-a2b7-9f71582aeddb admin Device.ReadWrite.All
        permission 280b3b69-0437-44b1-bc20-3b2fca1ee3e9 884b599e-4d48-43a5-ba94-15c414d00588 admin DeviceLocalCredential.Read.All
        permission 9917900e-410b-4d15-846e-42a357488545 db51be59-e728-414b-b800-e0f010df1a79 admin DeviceLocalCredential.ReadBasic.All
        permission 4edf5f54-4666-44af-9de9-0144fb4b6e8c 7a6ee1e7-141e-4cec-ae74-d9db155731ff admin DeviceManagementApps.Read.All
        permission 7b3f05d5-f68c-4b8d-8c59-a2ecd12f24af 78145de6-330d-4800-a6ce-494ff2d33d07 admin DeviceManagementApps.ReadWrite.All
        permission ac5c8443-d999-471f-9247-ce92cf5c5560 315b6e8c-d92a-4691-919d-00ce76d1344a admin DeviceManagementCloudCA.Read.All
        permission 93028c58-65aa-48db-a706-1fe4ada325ec f15eb2ba-ef8a-4f70-991d-da5d045154e2 admin DeviceManagementCloudCA.ReadWrite.All
        permission f1493658-876a-4c87-8fa7-edb559b3476a dc377aa6-52d8-4e23-b271-2a7ae04cedf3 admin DeviceManagementConfiguration.Read.All
        permission 0883f392-0a7a-443d-8c76-16a6d39c7b63 9241abd9-d0e6-425a-bd4f-47ba86e767a4 admin DeviceManagementConfiguration.ReadWrite.All
        permission 3404d2bf-2b13-457e-a330-c24615765193 5b07b0dd-2377-4e44-a38d-703f09a0dc3c admin DeviceManagementManagedDevices.PrivilegedOperations.All
        permission 314874da-47d6-4978-88dc-cf0d37f0bb82 2f51be20-0bb4-4fed-bf7b-db946066c75e admin DeviceManagementManagedDevices.Read.All
        permission 44642bfe-8385-4adc-8fc6-fe3cb2c375c3 243333ab-4d21-40cb-a475-36241daa0842 admin DeviceManagementManagedDevices.ReadWrite.All
        permission 49f0cc30-024c-4dfd-ab3e-82e137ee5431 58ca0d9a-1575-47e1-a3cb-007ef2e4583b admin DeviceManagementRBAC.Read.All
        permission 0c5e8a55-87a6-4556-93ab-adc52c4d862d e330c4f0-4170-414e-a55a-2f022ec2b57b admin DeviceManagementRBAC.ReadWrite.All
        permission 8696daa5-bce5-4b2e-83f9-51b6defc4e1e 06a5fe6d-c49d-46a7-b082-56b1b14103c7 admin DeviceManagementServiceConfig.Read.All
        permission 662ed50a-ac44-4eef-ad86-62eed9be2a29 5ac13192-7ace-4fcf-b828-1a26f28068ee admin DeviceManagementServiceConfig.ReadWrite.All
        permission 2bcae0b0-aa93-48e4-a9e4-855482dffdcd dd9febb5-0c6d-419f-b256-3afe12c6adeb admin DeviceTemplate.Read.All
        permission 2d372e98-f1ae-406c-a157-2ea83f6f5e4a 9fadb66e-6421-4744-aede-4ab6fb98a884 admin DeviceTemplate.ReadWrite.All
        permission 0e263e50-5827-48a4-b97c-d940288653c7 - admin Directory.AccessAsUser.All
        permission 06da0dbc-49e2-44d2-8312-53f166ab848a 7ab1d382-f21e-4acd-a863-ba3e13f7da61 admin Directory.Read.All
        permission c5366453-9fb0-48a5-a156-24f0c49a4b84 19dbc75e-c2e2-444c-a770-ec69d8559fc7 admin Directory.ReadWrite.All
        permission 34d3bd24-f6a6-468c-b67c-0c365c1d6410 ae73097b-cb2a-4447-b064-5d80f6093921 admin DirectoryRecommendations.Read.All
        permission f37235e8-90a0-4189-93e2-e55b53867ccd 0e9eea12-4f01-45f6-9b8d-3ea4c8144158 admin DirectoryRecommendations.ReadWrite.All
        permission 2f9ee017-59c1-4f1d-9472-bd5529a7b311 dbb9058a-0e50-45d7-ae91-66909b5d4664 admin Domain.Read.All
        permission 0b5d694c-a244-4bde-86e6-eb5cd07730fe 7e05723c-0bb0-42da-be95-ae9f08a6e53c admin Domain.ReadWrite.All
        permission ff91d191-45a0-43fd-b837-bd682c4a0b0f - user EAS.AccessAsUser.All
        permission 9769c687-087d-48ac-9cb3-c37dde652038 - user EWS.AccessAsUser.All
        permission 8523895c-6081-45bf-8a5d-f062a2f12c9f - admin EduAdministration.Read
        permission - 7c9db06a-ec2d-4e7b-a592-5a1e30992566 admin EduAdministration.Read.All
        permission 63589852-04e3-46b4-bae9-15d5b1050748 - admin EduAdministration.ReadWrite
        permission - 9bc431c3-b8bc-4a8d-a219-40f10f92eff6 admin EduAdministration.ReadWrite.All
        permission 091460c9-9c4a-49b2-81ef-1f3d852acce2 - admin EduAssignments.Read
        permission - 4c37e1b6-35a1-43bf-926a-6f30f2cdf585 admin EduAssignments.Read.All
        permission c0b0103b-c053-4b2e-9973-9f3a544ec9b8 - admin EduAssignments.ReadBasic
        permission - 6e0a958b-b7fc-4348-b7c4-a6ab9fd3dd0e admin EduAssignments.ReadBasic.All
        permission 2f233e90-164b-4501-8bce-31af2559a2d3 - admin EduAssignments.ReadWrite
        permission - 0d22204b-6cad-4dd0-8362-3e3f2ae699d9 admin EduAssignments.ReadWrite.All
        permission 2ef770a1-622a-47c4-93ee-28d6adbed3a0 - admin EduAssignments.ReadWriteBasic
        permission - f431cc63-a2de-48c4-8054-a34bc093af84 admin EduAssignments.ReadWriteBasic.All
        permission 484859e8-b9e2-4e92-b910-84db35dadd29 - admin EduCurricula.Read
        permission - 6cdb464c-3a03-40f8-900b-4cb7ea1da9c0 admin EduCurricula.Read.All
        permission 4793c53b-df34-44fd-8d26-d15c517732f5 - admin EduCurricula.ReadWrite
        permission - 6a0c2318-d59d-4c7d-bf2e-5f3902dc2593 admin EduCurricula.ReadWrite.All
        permission - ad248c30-1919-40c8-b3d2-304481894e88 admin EduReports-Reading.Read.All
        permission - 040330d7-be7e-4130-b349-a6eb3a56e2f8 admin EduReports-Reading.ReadAnonymous.All
        permission - c5debf73-bdc8-473d-bf07-f4074ad05f71 admin EduReports-Reflect.Read.All
        permission - f5d05dba-7ef0-46fc-b62c-a7282555f428 admin EduReports-Reflect.ReadAnonymous.All
        permission a4389601-22d9-4096-ac18-36a927199112 - admin EduRoster.Read
        permission - e0ac9e1b-cb65-4fc5-87c5-1a8bc181f648 admin EduRoster.Read.All
        permission 5d186531-d1bf-4f07-8cea-7c42119e1bd9 - admin EduRoster.ReadBasic
        permission - 0d412a8c-a06c-439f-b3ec-8abcf54d2f96 admin EduRoster.ReadBasic.All
        permission 359e19a6-e3fa-4d7f-bcab-d28ec592b51e - admin EduRoster.ReadWrite
        permission - d1808e82-ce13-47af-ae0d-f9b254e6d58a admin EduRoster.ReadWrite.All
        permission 5449aa12-1393-4ea2-a7c7-d0e06c1a56b2 c74fd47d-ed3c-45c3-9a9e-b8676de685d2 admin EntitlementManagement.Read.All
        permission ae7a573d-81d7-432b-ad44-4ed5c9d89038 9acd699f-1e81-4958-b001-93b1d2506e19 admin EntitlementManagement.ReadWrite.All
        permission e9fdcbbb-8807-410f-b9ec-8d5468c7c2ac - user EntitlementMgmt-SubjectAccess.ReadWrite
        permission e3dbb094-f3f9-4625-bf6a-32e96856f34c c16f30f0-3121-4976-bafe-66cb042f4f80 admin EntraBackup.Read.All
        permission 1266f280-49c3-4d32-91a5-bf4db4fbff48 - admin EntraBackup.ReadWrite.Preview
        permission 6daf3aaf-bb77-4397-9dd6-e6d8b75727c2 - admin EntraBackup.ReadWrite.Recovery
        permission f7dd3bed-5eec-48da-bc73-1c0ef50bc9a1 b7f6385c-6ce6-4639-a480-e23c42ed9784 admin EventListener.Read.All
        permission d11625a6-fe21-4fc6-8d3d-063eba5525ad 0edf5e9e-4ce8-468a-8432-d08631d18c43 admin EventListener.ReadWrite.All
        permission a38267a5-26b6-4d76-9493-935b7599116b 1914711b-a1cb-4793-b019-c2ce0ed21b8c admin ExternalConnection.Read.All
        permission bbbbd9b3-3566-4931-ac37-2b2180d9e334 34c37bc0-2b40-4d5e-85e1-2365cd256d79 admin ExternalConnection.ReadWrite.All
        permission 4082ad95-c812-4f02-be92-780c4c4f1830 f431331c-49a6-499f-be1c-62af19c34a9d admin ExternalConnection.ReadWrite.OwnedBy
        permission 922f9392-b1b7-483c-a4be-0089be7704fb 7a7cffad-37d2-4f48-afa4-c6ab129adcc2 admin ExternalItem.Read.All
        permission b02c54f8-eb48-4c50-a9f0-a149e5a2012f 38c3d6ee-69ee-422f-b954-e17819665354 admin ExternalItem.ReadWrite.All
        permission 4367b9d7-cee7-4995-853c-a0bdfe95c1f9 8116ae0f-55c2-452d-9944-d18420f5b2c8 admin ExternalItem.ReadWrite.OwnedBy
        permission 47167bec-55a7-4caf-9ecc-8d4566e3cfb1 1987d7a0-d602-4262-ab90-cfdd43b37545 admin ExternalUserProfile.Read.All
        permission c6068dc7-a791-46a4-a811-b8228e6649ab 761327c9-d819-4c08-9a5f-874cd2826608 admin ExternalUserProfile.ReadWrite.All
        permission 3a1e4806-a744-4c70-80fc-223bf8582c46 - user Family.Read
        permission - 65891b00-2fd9-4e33-be27-04a53132e3df admin FileIngestion.Ingest
        permission - 766c601b-c009-4438-8290-c8b05fa00c4b admin FileIngestionHybridOnboarding.Manage
        permission 527b6d64-cdf5-4b8b-b336-4aa0b8ca2ce5 - admin FileStorageContainer.Manage.All
        permission 085ca537-6565-41c2-aca7-db852babc212 40dc41bc-0f7e-42ff-89bd-d9516947e474 admin FileStorageContainer.Selected
        permission 10465720-29dd-4523-a11a-6a75c743c9d9 - user Files.Read
        permission df85f4d6-205c-4ac5-a5ea-6bf408dba283 01d4889c-1287-42c6-ac1f-5d1e02578ef6 user Files.Read.All
        permission 5447fe39-cb82-4c1a-b977-520e67e724eb - user Files.Read.Selected
        permission 5c28f0bf-8a70-41f1-8ab2-9032436ddb65 - user Files.ReadWrite
        permission 863451e7-0667-486c-a5d6-d135439485f0 75359482-378d-4052-8f01-80520e7db3cd user Files.ReadWrite.All
        permission 8019c312-3263-48e6-825e-2b833497195b b47b160b-1054-4efd-9ca0-e2f614696086 user Files.ReadWrite.AppFolder
        permission 17dde5bd-8c17-420f-a486-969730c1b827 - user Files.ReadWrite.Selected
        permission ef2779dc-ef1b-4211-8310-8a0ac2450081 bd61925e-3bf4-4d62-bc0b-06b06c96d95c user Files.SelectedOperations.Selected
        permission f534bf13-55d4-45a9-8f3c-c92fe64d6131 - user Financials.ReadWrite.All
        permission 092211d9-ca1a-427b-813e-b79c7653fe71 - admin Goals-Export.Read.All
        permission 2edeb9fd-4228-480c-a26d-2ed52011cf3d - admin Goals-Export.ReadWrite.All
        permission c92fbbc2-50e0-4842-93ef-385c3293ea3d 4f0a8235-6f6f-4ec7-9500-34b452a4a0c3 admin Group-Conversation.Read.All
        permission 302bcbb5-855a-4e49-ae20-94a331b0281e 6679c91b-820a-4900-ab47-e97b197a89c4 admin Group-Conversation.ReadWrite.All
        permission 37e00479-5776-4659-aecf-4841ec5d590a 2d9bd318-b883-40be-9df7-63ec4fcdc424 admin Group-OnPremisesSyncBehavior.ReadWrite.All
        permission - bf7b1a76-6e77-406b-b258-bf5c7720e98f admin Group.Create
        permission 5f8c59db-677d-491f-a6b8-5f174b11ec1d 5b567255-7703-4780-807c-7be8301ae99b admin Group.Read.All
        permission 4e46008b-f24c-477d-8fff-7bb4ec7aafe0 62a82d76-70ea-41e2-9197-370581804d09 admin Group.ReadWrite.All
        permission bc024368-1153-4739-b217-4326f2e966d0 98830695-27a2-44f7-8c18-0c3ebc9698f6 admin GroupMember.Read.All
        permission f81125ac-d3b7-4573-a3b2-7099cc39df9e dbaae8cf-10b5-4b86-a4a1-f871c94c6695 admin GroupMember.ReadWrite.All
        permission 74b4ff32-4917-4536-a66d-38a4861e6220 5183ed5d-b7f8-4e9a-915e-dafb46b9cb62 admin HealthMonitoringAlert.Read.All
        permission b7c60f27-2195-4d5f-96a7-6b98bdfd9664 ac29eb50-f2f9-4518-a117-4bef18e84c7d admin HealthMonitoringAlert.ReadWrite.All
        permission fb873030-8626-47e6-96ff-8a5bff3b725f bb424d73-e898-4c97-9d42-688c32810003 admin HealthMonitoringAlertConfig.Read.All
        permission b3e5ebc6-1c23-4337-8286-3f27165addb4 432e76f0-8af6-4315-a853-66ab9538f480 admin HealthMonitoringAlertConfig.ReadWrite.All
        permission 652390e4-393a-48de-9484-05f9b1212954 - user IMAP.AccessAsUser.All
        permission 43781733-b5a7-4d1b-98f4-e8edff23e1a9 e321f0bb-e7f7-481e-bb28-e3b0b32d4bd0 admin IdentityProvider.Read.All
        permission f13ce604-1677-429f-90bd-8a10b9f01325 90db2b9a-d928-4d33-a4dd-8442ae3d41e4 admin IdentityProvider.ReadWrite.All
        permission 8f6a01e7-0391-4ee5-aa22-a3af122cef27 6e472fd1-ad78-48da-a0f0-97ab2c6b769e admin IdentityRiskEvent.Read.All
        permission 9e4862a5-b68f-479e-848a-4e07e25c9916 db06fb33-1953-4b7b-a2ac-f1e2c854f7ae admin IdentityRiskEvent.ReadWrite.All
        permission ea5c4ab0-5a73-4f35-8272-5d5337884e5d 607c7344-0eed-41e5-823a-9695ebe1b7b0 admin IdentityRiskyServicePrincipal.Read.All
        permission bb6f654c-d7fd-4ae3-85c3-fc380934f515 cb8d6980-6bcb-4507-afec-ed6de3a2d798 admin IdentityRiskyServicePrincipal.ReadWrite.All
        permission d04bb851-cb7c-4146-97c7-ca3e71baf56c dc5007c0-2d7d-4c42-879c-2dab87571379 admin IdentityRiskyUser.Read.All
        permission e0a7cdbb-08b0-4697-8264-0069786e9674 656f6061-f9fe-4807-9708-6a2e0934df76 admin IdentityRiskyUser.ReadWrite.All
        permission 2903d63d-4611-4d43-99ce-a33f3f52e343 1b0c317f-dd31-4305-9932-259a8b6e8099 admin IdentityUserFlow.Read.All
        permission 281892cc-4dbf-4e3a-b6cc-b21029bb4e82 65319a09-a2be-469d-8782-f6b07debf789 admin IdentityUserFlow.ReadWrite.All
        permission d19c0de5-7ecb-4aba-b090-da35ebcd5425 7ab52c2f-a2ee-4d98-9ebc-725e3934aae2 admin IndustryData-DataConnector.Read.All
        permission 5ce933ac-3997-4280-aed0-cc072e5c062a eda0971c-482e-4345-b28f-69c309cb8a34 admin IndustryData-DataConnector.ReadWrite.All
        permission fc47391d-ab2c-410f-9059-5600f7af660d 9334c44b-a7c6-4350-8036-6bf8e02b4c1f admin IndustryData-DataConnector.Upload
        permission cb0774da-a605-42af-959c-32f438fb38f4 305f6ba2-049a-4b1b-88bb-fe7e08758a00 admin IndustryData-InboundFlow.Read.All
        permission 97044676-2cec-40ee-bd70-38df444c9e70 e688c61f-d4c6-4d64-a197-3bcf6ba1d6ad admin IndustryData-InboundFlow.ReadWrite.All
        permission 4741a003-8952-4be4-9217-33a0ac327122 61d0354c-5d88-483c-b974-a37ec3395a2c admin IndustryData-OutboundFlow.Read.All
        permission aeb68e0b-e562-4a1f-b6dd-3484ad0cbb4b 24a65b4a-e501-47e2-8849-d679517887f0 admin IndustryData-OutboundFlow.ReadWrite.All
        permission a3f96ffe-cb84-40a8-ac85-582d7ef97c2a 6ee891c3-74a4-4148-8463-0c834375dfaf admin IndustryData-ReferenceDefinition.Read.All
        permission a757d430-be6d-430f-af57-28aabe79d247 bda16293-63d3-45b7-b16b-833841d27d56 admin IndustryData-ReferenceDefinition.ReadWrite.All
        permission 92685235-50c4-4702-b2c8-36043db6fa79 f6f5d10b-3024-4d1d-b674-aae4df4a1a73 admin IndustryData-Run.Read.All
        permission 49b7016c-89ae-41e7-bd6f-b7170c5490bf bc167a60-39fe-4865-8b44-78400fc6ed03 admin IndustryData-SourceSystem.Read.All
        permission 9599f005-05d6-4ea7-b1b1-4929768af5d0 7d866958-e06e-4dd6-91c6-a086b3f5cfeb admin IndustryData-SourceSystem.ReadWrite.All
        permission c9d51f28-8ccd-42b2-a836-fd8fe9ebf2ae 7c55c952-b095-4c23-a522-022bce4cc1e3 admin IndustryData-TimePeriod.Read.All
        permission b6d56528-3032-4f9d-830f-5a24a25e6661 7afa7744-a782-4a32-b8c2-e3db637e8de7 admin IndustryData-TimePeriod.ReadWrite.All
        permission 60382b96-1f5e-46ea-a544-0407e489e588 4f5ac95f-62fd-472c-b60f-125d24ca0bc5 user IndustryData.ReadBasic.All
        permission 12f4bffb-b598-413c-984b-db99728f8b54 - admin InformationProtectionConfig.Read
        permission - 14f49b9f-4bf2-4d24-b80e-b27ec58409bd admin InformationProtectionConfig.Read.All
        permission - cbe6c7e4-09aa-4b8d-b3c3-2dbb59af4b54 admin InformationProtectionContent.Sign.All
        permission - 287bd98c-e865-4e8c-bade-1a85523195b9 admin InformationProtectionContent.Write.All
        permission 4ad84827-5578-4e18-ad7a-86530b12f884 - user InformationProtectionPolicy.Read
        permission - 19da66cb-0fb0-4390-b071-ebc76a349482 admin InformationProtectionPolicy.Read.All
        permission 7d249730-51a3-4180-8ec1-214f144f1bff 34cbd96c-d824-4755-90d3-1008ef47efc1 admin Insights-UserMetric.Read.All
        permission ac08cdae-e845-41db-adf9-5899a0ec9ef6 - user LearningAssignedCourse.Read
        permission - 535e6066-2894-49ef-ab33-e2c6d064bb81 admin LearningAssignedCourse.Read.All
        permission - 236c1cbd-1187-427f-b0f5-b1852454973b admin LearningAssignedCourse.ReadWrite.All
        permission ea4c1fd9-6a9f-4432-8e5d-86e06cc0da77 8740813e-d8aa-4204-860e-2a0f8f84dbc8 admin LearningContent.Read.All
        permission 53cec1c4-a65f-4981-9dc1-ad75dbf1c077 444d6fcb-b738-41e5-b103-ac4f2a2628a3 admin LearningContent.ReadWrite.All
        permission dd8ce36f-9245-45ea-a99e-8ac398c22861 - admin LearningProvider.Read
        permission 40c2eb57-abaf-49f5-9331-e90fd01f7130 - admin LearningProvider.ReadWrite
        permission f6403ef7-4a96-47be-a190-69ba274c3f11 - user LearningSelfInitiatedCourse.Read
        permission - 467524fc-ed22-4356-a910-af61191e3503 admin LearningSelfInitiatedCourse.Read.All
        permission - 7654ed61-8965-4025-846a-0856ec02b5b0 admin LearningSelfInitiatedCourse.ReadWrite.All
        permission f55016cc-149c-447e-8f21-7cf3ec1d6350 5facf0c1-8979-4e95-abcf-ff3d079771c0 user LicenseAssignment.ReadWrite.All
        permission 9bcb9916-765a-42af-bf77-02282e26b01a 7c67316a-232a-4b84-be22-cea2c0906404 admin LifecycleWorkflows.Read.All
        permission 84b9d731-7db8-4454-8c90-fd9e95350179 5c505cf4-8424-4b8e-aa14-ee06e3bb23e3 admin LifecycleWorkflows.ReadWrite.All
        permission d6d361b3-211a-4191-9fa7-15f72de4aac4 de4e4161-a10a-4dfd-809c-e328d89aefeb admin ListItems.SelectedOperations.Selected
        permission 033b51ee-d6fa-4add-b627-ee680c7212b5 23c5a9bd-d900-4ecf-be26-a0689755d9e5 admin Lists.SelectedOperations.Selected
        permission 570282fd-fa5c-430d-a7fd-fc8dc98a9dca 810c84a8-4a9e-49e6-bf7d-12d183f40d01 user Mail.Read
        permission 7b9103a5-4610-446b-9670-80643382c1fa - user Mail.Read.Shared
        permission a4b8392a-d8d1-4954-a029-8e668a39a170 6be147d2-ea4f-4b5a-a3fa-3eab6f3c140a user Mail.ReadBasic
        permission - 693c5e45-0940-467d-9b8a-1022fb9d42ef admin Mail.ReadBasic.All
        permission b11fa0e7-fdb7-4dc9-b1f1-59facd463480 - user Mail.ReadBasic.Shared
        permission 024d486e-b451-40bb-833d-3e66d98c5c73 e2a3a72e-5f79-4c64-b1b1-878b674786c9 user Mail.ReadWrite
        permission 5df07973-7d5d-46ed-9847-1271055cbd51 - user Mail.ReadWrite.Shared
        permission e383f46e-2787-4529-855e-0e479a3ffac0 b633e1c5-b582-4048-a93e-9f11b44c7e96 user Mail.Send
        permission a367ab51-6b49-43bf-a716-a1fb06d2a174 - user Mail.Send.Shared
        permission 52dc2051-4958-4636-8f2a-281d39c6981c - user MailboxFolder.Read
        permission - 99280d24-a782-4793-93cc-0888549957f6 admin MailboxFolder.Read.All
        permission 077fde41-7e0b-4c5b-bcd1-e9d743a30c80 - user MailboxFolder.ReadWrite
        permission - fef87b92-8391-4589-9da7-eb93dab7dc8a admin MailboxFolder.ReadWrite.All
        permission df96e8a0-f4e1-4ecf-8d83-a429f822cbd6 - user MailboxItem.ImportExport
        permission - 76577085-e73d-4f1d-b26a-85fb33892327 admin MailboxItem.ImportExport.All
        permission 82305458-296d-4edd-8b0b-74dd74c34526 - user MailboxItem.Read
        permission - 7d9f353d-a7bd-4fbb-822a-26d5dd39a3ce admin MailboxItem.Read.All
        permission 87f447af-9fa4-4c32-9dfa-4a57a73d18ce 40f97065-369a-49f4-947c-6a255697ae91 user MailboxSettings.Read
        permission 818c620a-27a9-40bd-a6a5-d96f7d610b4b 6931bccd-447a-43d1-b442-00a195474933 user MailboxSettings.ReadWrite
        permission dc34164e-6c4a-41a0-be89-3ae2fbad7cd3 - admin ManagedTenants.Read.All
        permission b31fa710-c9b3-4d9e-8f5e-8036eecddab9 - admin ManagedTenants.ReadWrite.All
        permission f6a3db3e-f7e8-4ed2-a414-557c8c9830be 658aa5d8-239f-45c4-aa12-864f4fc7e490 admin Member.Read.Hidden
        permission 526aa72a-5878-49fe-bf4e-357973af9b06 4f994bc0-31bb-44bb-b480-7a7c1be8c02e admin MultiTenantOrganization.Read.All
        permission 225db56b-15b2-4daa-acb3-0eec2bbe4849 f9c2b2a7-3895-4b2e-80f6-c924b456e50b user MultiTenantOrganization.ReadBasic.All
        permission 77af1528-84f3-4023-8d90-d219cd433108 920def01-ca61-4d2d-b3df-105b46046a70 admin MultiTenantOrganization.ReadWrite.All
        permission 51ae584e-e736-4718-897b-10af70f8e3cc 6daaff82-2880-496d-9d80-57e8e31195e2 admin MutualTlsOauthConfiguration.Read.All
        permission a51115bc-f64f-498f-bcee-00dcd28f4a03 78bbf8cf-07d8-45ba-b0eb-1a7b48efbcf1 admin MutualTlsOauthConfiguration.ReadWrite.All
        permission b0c61509-cfc3-42bd-9bd4-66d81785fee4 40049381-3cc1-42af-94ec-5ce755db4b0d admin NetworkAccess-Reports.Read.All
        permission 2f7013e0-ab4e-447f-a5e1-5d419950692d e30060de-caa5-4331-99d3-6ac6c966a9a4 admin NetworkAccess.Read.All
        permission ae2df9c5-f18d-4ec4-a51b-bdeb807f177b b10642fc-a6cf-4c46-87f9-e1f96c2a18aa admin NetworkAccess.ReadWrite.All
        permission 4051c7fc-b429-4804-8d80-8f1f8c24a6f7 39ae4a24-1ef0-49e8-9d63-2a66f5c39edd user NetworkAccessBranch.Read.All
        permission b8a36cc2-b810-461a-baa4-a7281e50bd5c 8137102d-ec16-4191-aaf8-7aeda8026183 admin NetworkAccessBranch.ReadWrite.All
        permission ba22922b-752c-446f-89d7-a2d92398fceb 8a3d36bf-cb46-4bcc-bec9-8d92829dab84 user NetworkAccessPolicy.Read.All
        permission b1fbad0f-ef6e-42ed-8676-bca7fa3e7291 f0c341be-8348-4989-8e43-660324294538 admin NetworkAccessPolicy.ReadWrite.All
        permission 9d822255-d64d-4b7a-afdb-833b9a97ed02 - user Notes.Create
        permission 371361e4-b9e2-4a3f-8315-2a301a3b0a3d - user Notes.Read
        permission dfabfca6-ee36-4db2-8208-7a28381419b3 3aeca27b-ee3a-4c2b-8ded-80376e2134a4 user Notes.Read.All
        permission 615e26af-c38a-4150-ae3e-c3b0d4cb1d6a - user Notes.ReadWrite
        permission 64ac0503-b4fa-45d9-b544-71a463f05da0 0c458cef-11f3-48c2-a568-c66751c238c0 user Notes.ReadWrite.All
        permission ed68249d-017c-4df5-9113-e684c7f8760b - user Notes.ReadWrite.CreatedByApp
        permission 89497502-6e42-46a2-8cb2-427fd3df970a - user Notifications.ReadWrite.CreatedByApp
        permission f6609722-4100-44eb-b747-e6ca0536989d bb70e231-92dc-4729-aff5-697b3f04be95 admin OnPremDirectorySynchronization.Read.All
        permission c2d95988-7604-4ba1-aaed-38a5f82a51c7 c22a92cc-79bf-4bb1-8b6c-e0a05d3d80ce admin OnPremDirectorySynchronization.ReadWrite.All
        permission 8c4d5184-71c2-4bf8-bb9d-bc3378c9ad42 0b57845e-aa49-4e6f-8109-ce654fffa618 admin OnPremisesPublishingProfiles.ReadWrite.All
        permission 166741d6-eeb8-46fe-91f4-817d2af7bc88 c0cf7895-985f-42d4-a693-b618f36674ad admin OnlineMeetingAiInsight.Read.All
        permission - 01892c31-3b66-4bcf-b5f5-bf0a03d5ed9f admin OnlineMeetingAiInsight.Read.Chat
        permission 110e5abb-a10c-4b59-8b55-9b4daa4ef743 df01ed3b-eb61-4eca-9965-6b3d789751b2 user OnlineMeetingArtifact.Read.All
        permission 190c2bb6-1fdd-4fec-9aa2-7d571b5e1fe3 a4a08342-c95d-476b-b943-97e100569c8d admin OnlineMeetingRecording.Read.All
        permission 30b87d18-ebb1-45db-97f8-82ccb1f0190c a4a80d8d-d283-4bd8-8504-555ec3870630 admin OnlineMeetingTranscript.Read.All
        permission 9be106e1-f4e3-4df5-bdff-e4bc531cbe43 - user OnlineMeetings.Read
        permission - c1684f21-1984-47fa-9d61-2dc8c296bb70 admin OnlineMeetings.Read.All
        permission a65f2972-a4f8-4f5e-afd7-69ccb046d5dc - user OnlineMeetings.ReadWrite
        permission - b8bb2037-6e08-44ac-a4ea-4674e010e2a4 admin OnlineMeetings.ReadWrite.All
        permission 08432d1b-5911-483c-86df-7980af5cdee0 e1a88a34-94c4-4418-be12-c87b00e26bea admin OrgContact.Read.All
        permission 1e9b7a7e-4d64-44ff-acf5-2e9651c1519f 56c84fa9-ea1f-4a15-90f2-90ef41ece2c9 admin OrgSettings-AppsAndServices.Read.All
        permission c167b0e7-47c0-48e8-9eee-9892f58018fa 4a8e4191-c1c8-45f8-b801-f9a1a5ee6ad3 admin OrgSettings-AppsAndServices.ReadWrite.All
        permission 9862d930-5aec-4a98-8d4f-7277a8db9bcb c18ae2dc-d9f3-4495-a93f-18980a0e159f admin OrgSettings-DynamicsVoice.Read.All
        permission 4cea26fb-6967-4234-82c4-c044414743f8 c3f1cc32-8bbd-4ab6-bd33-f270e0d9e041 admin OrgSettings-DynamicsVoice.ReadWrite.All
        permission 210051a0-1ffc-435c-ae76-02d226d05752 434d7c66-07c6-4b1f-ab21-417cf2cdaaca admin OrgSettings-Forms.Read.All
        permission 346c19ff-3fb2-4e81-87a0-bac9e33990c1 2cb92fee-97a3-4034-8702-24a6f5d0d1e9 admin OrgSettings-Forms.ReadWrite.All
        permission 8cbdb9f6-9c2e-451a-814d-ec606e5d0212 6cdf1fb1-b46f-424f-9493-07247caa22e2 admin OrgSettings-Microsoft365Install.Read.All
        permission 1ff35e91-19eb-42d8-aa2d-cc9891127ae5 83f7232f-763c-47b2-a097-e35d2cbe1da5 admin OrgSettings-Microsoft365Install.ReadWrite.All
        permission 7ff96f41-f022-45ba-acd8-ef3f03063d6b e4d9cd09-d858-4363-9410-abb96737f0cf admin OrgSettings-Todo.Read.All
        permission 087502c2-5263-433e-abe3-8f77231a0627 5febc9da-e0d0-4576-bd13-ae70b2179a39 admin OrgSettings-Todo.ReadWrite.All
        permission 4908d5b9-3fb2-4b1e-9336-1888b7937185 498476ce-e0fe-48b0-b801-37ba7e2685c6 admin Organization.Read.All
        permission 46ca0847-7e6b-426e-9775-ea810a948356 292d869f-3427-49a8-9dab-8c70152b74e9 admin Organization.ReadWrite.All
        permission 9082f138-6f02-4f3a-9f4d-5f3c2ce5c688 eb76ac34-0d62-4454-b97c-185e4250dc20 admin OrganizationalBranding.Read.All
        permission 15ce63de-b141-4c9a-a9a5-241bf27c6aaf d2ebfbc1-a5f8-424b-83a6-56ab5927a73c admin OrganizationalBranding.ReadWrite.All
        permission d7b7f2d9-0f45-4ea1-9d42-e50810c06991 - user POP.AccessAsUser.All
        permission 8804798e-5934-4e30-8ce3-ef88257cecd4 7c3e1994-38ff-4412-a99b-9369f6bb7706 admin PartnerBilling.Read.All
        permission 5567b981-0bf1-4796-9038-0648b46e116d 21ffa320-2e7f-47d3-a466-7ff04d2dd68d admin PartnerSecurity.Read.All
        permission 0cd2c1f6-94a1-4075-ab8c-0b1aff2e1ad5 04a2c935-5b4b-474a-be42-11f53111f271 admin PartnerSecurity.ReadWrite.All
        permission d88fd3fb-53d3-4c1c-8c39-787fcac2ed7a bdfb26d9-bb36-49be-9b4c-b8cbf4b05808 admin PendingExternalUserProfile.Read.All
        permission 93a1fb28-c908-4826-904e-0c74ad352b73 8363c2b8-6ff7-420b-9966-c5884c2d48bc admin PendingExternalUserProfile.ReadWrite.All
        permission ba47897c-39ec-4d83-8086-ee8256fa737d - user People.Read
        permission b89f9189-71a5-4e70-b041-9887f0bc7e4a b528084d-ad10-4598-8b93-929746b4d7d6 admin People.Read.All
        permission ec762c5f-388b-4b16-8693-ac1efbc611bc ef02f2e7-e22d-4c77-8614-8f765683b86e admin PeopleSettings.Read.All
        permission e67e6727-c080-415e-b521-e3f35d5248e9 b6890674-9dd5-4e42-bb15-5af07f541ae1 admin PeopleSettings.ReadWrite.All
        permission cb8f45a0-5c2e-4ea1-b803-84b870a7d7ec 913b9306-0ce1-42b8-9137-6a7df690a760 admin Place.Read.All
        permission 4c06a06a-098a-4063-868e-5dfee3827264 - admin Place.ReadWrite.All
        permission 4c7f93d2-6b0b-4e05-91aa-87842f0a2142 8b724a84-ceac-4fd9-897e-e31ba8f2d7a3 admin PlaceDevice.Read.All
        permission eafd6a71-e95a-4f8a-bb6e-fb84ab7fbd9e 2d510721-5c4e-43cd-bfdb-ac0f8819fb92 admin PlaceDevice.ReadWrite.All
        permission - 27fc435f-44e2-4b30-bf3c-e0ce74aed618 admin PlaceDeviceTelemetry.ReadWrite.All
        permission 572fea84-0151-49b2-9301-11cb16974376 246dd0d5-5bd0-4def-940b-0421030a5b68 admin Policy.Read.All
        permission 633e0fce-8c58-4cfb-9495-12bbd5a24f7c 37730810-e9ba-4e46-b07e-8ca78d182097 user Policy.Read.ConditionalAccess
        permission 3616a4b0-6746-49c4-a678-4c237599074d bdba4817-6ba1-4a7c-8a01-be9bc7c242dd admin Policy.Read.DeviceConfiguration
        permission d146432f-b803-4ed4-8d42-ba74193a6ede b21b72f6-4e6a-4533-9112-47eea9f97b28 admin Policy.Read.IdentityProtection
        permission 414de6ea-2d92-462f-b120-6e2a809a6d01 9e640839-a198-48fb-8b9a-013fd6f6cbcd admin Policy.Read.PermissionGrant
        permission 4f5bc9c8-ea54-4772-973a-9ca119cb0409 77c863fd-06c0-47ce-a7eb-49773e89d319 admin Policy.ReadWrite.AccessReview
        permission b27add92-efb2-4f16-84f5-8108ba77985c be74164b-cff1-491c-8741-e671cb536e13 admin Policy.ReadWrite.ApplicationConfiguration
        permission edb72de9-4252-4d03-a925-451deef99db7 25f85f3c-f66c-4205-8cd5-de92dd7f0cec admin Policy.ReadWrite.AuthenticationFlows
        permission 7e823077-d88e-468f-a337-e18f1f0e6c7c 29c18626-4985-4dcd-85c0-193eef327366 admin Policy.ReadWrite.AuthenticationMethod
        permission edd3c878-b384-41fd-95ad-e7407dd775be fb221be6-99f2-473f-bd32-01c6a0e9ca3b admin Policy.ReadWrite.Authorization
        permission ad902697-1014-4ef5-81ef-2b4301988e8c 01c0a623-fc9b-48e9-b794-0756f8e8f067 admin Policy.ReadWrite.ConditionalAccess
        permission 4d135e65-66b8-41a8-9f8b-081452c91774 999f8c63-0a38-4f1b-91fd-ed1947bdd1a9 admin Policy.ReadWrite.ConsentRequest
        permission 014b43d0-6ed4-4fc6-84dc-4b6f7bae7d85 338163d7-f101-4c92-94ba-ca46fe52447c admin Policy.ReadWrite.CrossTenantAccess
        permission 9ef7463f-1d39-406f-89ea-3483a4645e1c a6325ae7-2b73-4dbd-abed-fbeacfbf8696 admin Policy.ReadWrite.CrossTenantCapability
        permission 40b534c3-9552-4550-901b-23879c90bcf9 230fb2d5-aa21-49c1-bfa7-ae1be179d867 admin Policy.ReadWrite.DeviceConfiguration
        permission b5219784-1215-45b5-b3f1-88fe1081f9c0 03cc4f92-788e-4ede-b93f-199424d144a5 admin Policy.ReadWrite.ExternalIdentities
        permission 92a38652-f13b-4875-bc77-6e1dbb63e1b2 2044e4f1-e56c-435b-925c-44cd8f6ba89a admin Policy.ReadWrite.FeatureRollout
        permission be1be369-4540-4ac9-8928-79de99f70d8f 90bbca0b-227c-4cdc-8083-1c6cfb95bac6 admin Policy.ReadWrite.FedTokenValidation
        permission 7256e131-3efb-4323-9854-cf41c6021770 2dcf8603-09eb-4078-b1ec-d30a1a76b873 admin Policy.ReadWrite.IdentityProtection
        permission a8ead177-1889-4546-9387-f25e658e2a79 - admin Policy.ReadWrite.MobilityManagement
        permission 2672f8bb-fd5e-42e0-85e1-ec764dd2614e a402ca1c-2696-4531-972d-6e5ee4aa11ea admin Policy.ReadWrite.PermissionGrant
        permission 0b2a744c-2abf-4f1e-ad7e-17a087e2be99 1c6e93a6-28e2-4cbb-9f64-1a46a821124d admin Policy.ReadWrite.SecurityDefaults
        permission cefba324-1a70-4a6e-9c1d-fd670b7ae392 79a677f7-b79d-40d0-a36a-3e6f8688dd7a admin Policy.ReadWrite.TrustFramework
        permission 76bc735e-aecd-4a1d-8b4c-2b915deabb79 - user Presence.Read
        permission 9c7a330d-35b3-4aa1-963d-cb2b9f927841 a70e0c2d-e793-494c-94c4-118fa0a67f42 user Presence.Read.All
        permission 8d3c54a7-cf58-4773-bf81-c0cd6ad522bb - user Presence.ReadWrite
        permission - 83cded22-8297-4ff6-a7fa-e97e9545a259 admin Presence.ReadWrite.All
        permission d69c2d6d-4f72-4f99-a6b9-663e32f8cf68 - admin PrintConnector.Read.All
        permission 79ef9967-7d59-4213-9c64-4b10687637d8 - admin PrintConnector.ReadWrite.All
        permission 21f0d9c0-9f13-48b3-94e0-b6b231c7d320 - user PrintJob.Create
        permission - 58a52f47-9e36-4b17-9ebe-ce4ef7f3e6c8 admin PrintJob.Manage.All
        permission 248f5528-65c0-4c88-8326-876c7236df5e - user PrintJob.Read
        permission afdd6933-a0d8-40f7-bd1a-b5d778e8624b ac6f956c-edea-44e4-bd06-64b1b4b9aec9 admin PrintJob.Read.All
        permission 6a71a747-280f-4670-9ca0-a9cbf882b274 - user PrintJob.ReadBasic
        permission 04ce8d60-72ce-4867-85cf-6d82f36922f3 fbf67eee-e074-4ef7-b965-ab5ce1c1f689 admin PrintJob.ReadBasic.All
        permission b81dd597-8abb-4b3f-a07a-820b0316ed04 - user PrintJob.ReadWrite
        permission 036b9544-e8c5-46ef-900a-0646cc42b271 5114b07b-2898-4de7-a541-53b0004e2e13 admin PrintJob.ReadWrite.All
        permission 6f2d22f2-1cb6-412c-a17c-3336817eaa82 - user PrintJob.ReadWriteBasic
        permission 3a0db2f6-0d2a-4c19-971b-49109b19ad3d 57878358-37f4-4d3a-8c20-4816e0d457b1 admin PrintJob.ReadWriteBasic.All
        permission 490f32fd-d90f-4dd7-a601-ff6cdc1a3f6c b5991872-94cf-4652-9765-29535087c6d8 admin PrintSettings.Read.All
        permission 9ccc526a-c51c-4e5c-a1fd-74726ef50b8f - admin PrintSettings.ReadWrite.All
        permission - 456b71a7-0ee0-4588-9842-c123fcc8f664 admin PrintTaskDefinition.ReadWrite.All
        permission 90c30bed-6fd1-4279-bf39-714069619721 - admin Printer.Create
        permission 93dae4bd-43a1-4a23-9a1a-92957e1d9121 - admin Printer.FullControl.All
        permission 3a736c8a-018e-460a-b60c-863b2683e8bf 9709bb33-4549-49d4-8ed9-a8f65e45bb0f admin Printer.Read.All
        permission 89f66824-725f-4b8f-928e-e1c5258dc565 f5b3f73d-6247-44df-a74c-866173fddab0 admin Printer.ReadWrite.All
        permission ed11134d-2f3f-440d-a2e1-411efada2502 - user PrinterShare.Read.All
        permission 5fa075e9-b951-4165-947b-c63396ff0a37 - user PrinterShare.ReadBasic.All
        permission 06ceea37-85e2-40d7-bec3-91337a46038f - admin PrinterShare.ReadWrite.All
        permission b3a539c9-59cb-4ad5-825a-041ddbdc2bdb 4cdc2547-9148-4295-8d11-be0db1391d6b admin PrivilegedAccess.Read.AzureAD
        permission d329c81c-20ad-4772-abf9-3f6fdb7e5988 01e37dc9-c035-40bd-b438-b2879c4870a6 admin PrivilegedAccess.Read.AzureADGroup
        permission 1d89d70c-dcac-4248-b214-903c457af83a 5df6fe86-1be0-44eb-b916-7bd443a71236 admin PrivilegedAccess.Read.AzureResources
        permission 3c3c74f5-cdaa-4a97-b7e0-4e788bfcfb37 854d9ab1-6657-4ec8-be45-823027bcd009 admin PrivilegedAccess.ReadWrite.AzureAD
        permission 32531c59-1f32-461f-b8df-6f8a3b89f73b 2f6817f8-7b12-4f0f-bc18-eeaf60705a9e admin PrivilegedAccess.ReadWrite.AzureADGroup
        permission a84a9652-ffd3-496e-a991-22ba5529156a 6f9d5abc-2db6-400b-a267-7de22a40fb87 admin PrivilegedAccess.ReadWrite.AzureResources
        permission 02a32cc4-7ab5-4b58-879a-0586e0f7c495 cd4161cb-f098-48f8-a884-1eda9a42434c admin PrivilegedAssignmentSchedule.Read.AzureADGroup
        permission 06dbc45d-6708-4ef0-a797-f797ee68bf4b 41202f2c-f7ab-45be-b001-85c9728b9d69 admin PrivilegedAssignmentSchedule.ReadWrite.AzureADGroup
        permission ca5fe595-68ff-4dfd-907d-4509501a0e49 55d1104b-3821-413d-b3ca-e2393d333cd3 admin PrivilegedAssignmentSchedule.Remove.AzureADGroup
        permission 8f44f93d-ecef-46ae-a9bf-338508d44d6b edb419d6-7edc-42a3-9345-509bfdf5d87c admin PrivilegedEligibilitySchedule.Read.AzureADGroup
        permission ba974594-d163-484e-ba39-c330d5897667 618b6020-bca8-4de6-99f6-ef445fa4d857 admin PrivilegedEligibilitySchedule.ReadWrite.AzureADGroup
        permission c5ea9ab4-9b41-4c09-a400-53e652fb5096 55745561-7572-4314-a737-a2c2a1b0dd2e admin PrivilegedEligibilitySchedule.Remove.AzureADGroup
        permission 469cd065-729e-4dee-b1fa-d92e0fab6310 e24d31aa-e1ab-4c80-85fe-23018690335d admin ProfilePhoto.Read.All
        permission f5b24df7-511e-48bb-ae88-643f023b55e1 27baa7f6-5dfb-4ba8-b1d3-1e812c143013 admin ProfilePhoto.ReadWrite.All
        permission c492a2e1-2f8f-4caa-b076-99bbf6e40fe4 eedb7fdd-7539-4345-a38b-4839e4a84cbd admin ProgramControl.Read.All
        permission 50fd364f-9d93-4ae1-b170-300e87cccf84 60a901ed-09f7-4aa5-a16e-7dd3d6f9de36 admin ProgramControl.ReadWrite.All
        permission 04a4b2a2-3f26-4fc8-87ee-9c46e68db175 214fda0c-514a-4650-b037-b562b1a66124 admin PublicKeyInfrastructure.Read.All
        permission 3591b7f3-dba8-4bad-b667-7a64bd4f2b83 a2b63618-5350-462d-b1b3-ba6eb3684e26 admin PublicKeyInfrastructure.ReadWrite.All
        permission f73fa04f-b9a5-4df9-8843-993ce928925e ee49e170-1dd1-4030-b44c-61ad6e98f743 user QnA.Read.All
        permission 07f995eb-fc67-4522-ad66-2b8ca8ea3efd ac3a2b8e-03a3-4da9-9ce0-cbe28bf1accd admin RecordsManagement.Read.All
        permission f2833d75-a4e6-40ab-86d4-6dfe73c97605 eb158f57-df43-4751-8b21-b8932adb3d34 admin RecordsManagement.ReadWrite.All
        permission 84fac5f4-33a9-4100-aa38-a20c6d29e5e7 ee353f83-55ef-4b78-82da-555bfa2b4b95 admin ReportSettings.Read.All
        permission b955410e-7715-4a88-a940-dfd551018df3 2a60023f-3219-47ad-baa4-40e17cd02a1d admin ReportSettings.ReadWrite.All
        permission 02e97553-ed7b-43d0-ab3c-f8bace0d040c 230c1aed-a721-4c5d-9cb4-a90514e508ef admin Reports.Read.All
        permission cb530fca-534b-4e72-aa74-bca7e8bbd06f - user ResourceSpecificPermissionGrant.ReadForChat
        permission - 2ff643d8-43e4-4a9b-88c1-86cb4a4b4c2f admin ResourceSpecificPermissionGrant.ReadForChat.All
        permission eafad40c-bf7a-415a-b7f8-acdf5706b58f - user ResourceSpecificPermissionGrant.ReadForTeam
        permission - ad4600ae-d900-42cb-a9a2-2415d05593d0 admin ResourceSpecificPermissionGrant.ReadForTeam.All
        permission f1d91a8f-88e7-4774-8401-b668d5bca0c5 - admin ResourceSpecificPermissionGrant.ReadForUser
        permission - acfca4d5-f49f-40ed-9648-84068b474c73 admin ResourceSpecificPermissionGrant.ReadForUser.All
        permission e197c06f-ae7b-4398-b0a2-89f76ebca159 2a6baefd-edea-4ff6-b24e-bebcaa27a50d admin RiskPreventionProviders.Read.All
        permission 2a7babba-9623-4109-bc9c-79728cf3bb4f 7fc7225d-eb37-4c39-90f3-a33a57cf1081 admin RiskPreventionProviders.ReadWrite.All
        permission 344a729c-0285-42c6-9014-f12b9b8d6129 d5fe8ce8-684c-4c83-a52c-46e882ce4be1 admin RoleAssignmentSchedule.Read.Directory
        permission 8c026be3-8e26-4774-9372-8d5d6f21daff dd199f4a-f148-40a4-a2ec-f0069cc799ec admin RoleAssignmentSchedule.ReadWrite.Directory
        permission f71cd05c-3fdb-4568-aef2-e1cf62ee20d4 d3495511-98b7-4df3-b317-4e35c19f6129 admin RoleAssignmentSchedule.Remove.Directory
        permission eb0788c2-6d4e-4658-8c9e-c0fb8053f03d ff278e11-4a33-4d0c-83d2-d01dc58929a5 admin RoleEligibilitySchedule.Read.Directory
        permission 62ade113-f8e0-4bf9-a6ba-5acb31db32fd fee28b28-e1f3-4841-818e-2704dc62245f admin RoleEligibilitySchedule.ReadWrite.Directory
        permission 58ac4fa2-b484-4d6e-ba97-beee2a574220 79c7e69c-0d9f-4eff-97a8-49170a5a08ba admin RoleEligibilitySchedule.Remove.Directory
        permission 48fec646-b2ba-4019-8681-8eb31435aded c7fbd983-d9aa-4fa7-84b8-17382c103bc4 admin RoleManagement.Read.All
        permission 9619b88a-8a25-48a7-9571-d23be0337a79 031a549a-bb80-49b6-8032-2068448c6a3c admin RoleManagement.Read.CloudPC
        permission dd689728-6eb8-4deb-bd38-2924a935f3de 4d6e30d1-e64e-4ae7-bf9d-c706cc928cef admin RoleManagement.Read.Defender
        permission 741c54c3-0c1e-44a1-818b-3f97ab4e8c83 483bed4a-2ad3-4361-a73b-c83ccdbdc53c admin RoleManagement.Read.Directory
        permission 3bc15058-7858-4141-b24f-ae43b4e80b52 c769435f-f061-4d0b-8ff1-3d39870e5f85 admin RoleManagement.Read.Exchange
        permission 501d06f8-07b8-4f18-b5c6-c191a4af7a82 274d0592-d1b6-44bd-af1d-26d259bcb43a admin RoleManagement.ReadWrite.CloudPC
        permission d8914f8f-9f64-4bd1-b4d3-f5a701ed8457 8b7e8c0a-7e9d-4049-97ec-04b5e1bcaf05 admin RoleManagement.ReadWrite.Defender
        permission d01b97e9-cbc0-49fe-810a-750afd5527a3 9e3f62cf-ca93-4989-b6ce-bf83c28f9fe8 admin RoleManagement.ReadWrite.Directory
        permission c1499fe0-52b1-4b22-bed2-7a244e0e879f 025d3225-3f02-4882-b4c0-cd5b541a4e80 admin RoleManagement.ReadWrite.Exchange
        permission cce71173-f76d-446e-97ff-efb2d82e11b1 ef31918f-2d50-4755-8943-b8638c0a077e admin RoleManagementAlert.Read.Directory
        permission 435644c6-a5b1-40bf-8f52-fe8e5b53e19c 11059518-d6a6-4851-98ed-509268489c4a admin RoleManagementAlert.ReadWrite.Directory
        permission 7e26fdff-9cb1-4e56-bede-211fe0e420e8 69e67828-780e-47fd-b28c-7b27d14864e6 admin RoleManagementPolicy.Read.AzureADGroup
        permission 3de2cdbe-0ff5-47d5-bdee-7f45b4749ead fdc4c997-9942-4479-bfcb-75a36d1138df admin RoleManagementPolicy.Read.Directory
        permission 0da165c7-3f15-4236-b733-c0b0f6abe41d b38dcc4d-a239-4ed6-aa84-6c65b284f97c admin RoleManagementPolicy.ReadWrite.AzureADGroup
        permission 1ff1be21-34eb-448c-9ac9-ce1f506b2a68 31e08e0a-d3f7-4ca2-ac39-7343fb83e8ad admin RoleManagementPolicy.ReadWrite.Directory
        permission 258f6531-6087-4cc4-bb90-092c5fb3ed3f - user SMTP.Send
        permission - 0b21c159-dbf4-4dbb-a6f6-490e412c716e admin Schedule-WorkingTime.ReadWrite.All
        permission fccf6dd8-5706-49fa-811f-69e2e1b585d0 7b2ebf90-d836-437f-b90d-7b62722c4456 admin Schedule.Read.All
        permission 63f27281-c9d9-4f29-94dd-6942f7f1feb0 b7760610-0545-4e8a-9ec3-cce9e63db01c admin Schedule.ReadWrite.All
        permission 07919803-6073-4cd8-bc55-28077db0ee10 7239b71d-b402-4150-b13d-78ecfe8df441 admin SchedulePermissions.ReadWrite.All
        permission 7d307522-aa38-4cd0-bd60-90c6f0ac50bd ada977a5-b8b1-493b-9a91-66c206d76ecf admin SearchConfiguration.Read.All
        permission b1a7d408-cab0-47d2-a2a5-a74a3733600d 0e778b85-fefa-466d-9eec-750569d92122 admin SearchConfiguration.ReadWrite.All
        permission 1638cddf-07a4-4de2-8645-69c96cacad73 5e0edab9-c148-49d0-b423-ac253e121825 admin SecurityActions.Read.All
        permission dc38509c-b87d-4da0-bd92-6bec988bac4a f2bf083f-0179-402a-bedb-b2784de8a49b admin SecurityActions.ReadWrite.All
        permission bc257fb8-46b4-4b15-8713-01e91bfbe4ea 472e4a4d-bb4a-4026-98d1-0b0d74cb74a5 admin SecurityAlert.Read.All
        permission 471f2a7f-2a42-4d45-a2bf-594d0838070d ed4fca05-be46-441f-9803-1873825f8fdb admin SecurityAlert.ReadWrite.All
        permission 53e6783e-b127-4a35-ab3a-6a52d80a9077 b48f7ac2-044d-4281-b02f-75db744d6f5f admin SecurityAnalyzedMessage.Read.All
        permission 48eb8c83-6e58-46e7-a6d3-8805822f5940 04c55753-2244-4c25-87fc-704ab82a4f69 admin SecurityAnalyzedMessage.ReadWrite.All
        permission 64733abd-851e-478a-bffb-e47a14b18235 bf394140-e372-4bf9-a898-299cfc7564e5 admin SecurityEvents.Read.All
        permission 6aedf524-7e1c-45a7-bd76-ded8cab8d0fc d903a879-88e0-4c09-b0c9-82f6a1333f84 admin SecurityEvents.ReadWrite.All
        permission a0d0da43-a6df-4416-b63d-99c79991aae8 f8dcd971-5d83-4e1e-aa95-ef44611ad351 admin SecurityIdentitiesHealth.Read.All
        permission 53e51eec-2d9b-4990-97f3-c9aa5d5652c3 ab03ddd5-7ae4-4f2e-8af8-86654f7e0a27 admin SecurityIdentitiesHealth.ReadWrite.All
        permission 2c221239-7c5c-4b30-9355-d84663bfcd96 5f0ffea2-f474-4cf2-9834-61cda2bcea5c admin SecurityIdentitiesSensors.Read.All
        permission 087c3ad9-c2ca-4b82-9885-d5e25ce9e183 d4dcee6d-0774-412a-b06c-aeabbd99e816 admin SecurityIdentitiesSensors.ReadWrite.All
        permission c7d0a939-da1c-4aca-80fa-d0a6cd924801 3e5d0bee-973f-4736-a123-4e1ab146f3a8 admin SecurityIdentitiesUserActions.Read.All
        permission bf230e97-1957-4df6-b3f6-57f9029eacdf b4146a3a-dd4f-4af4-8d91-7cc0eef3d041 admin SecurityIdentitiesUserActions.ReadWrite.All
        permission b9abcc4f-94fc-4457-9141-d20ce80ec952 45cc0394-e837-488b-a098-1918f48d186c admin SecurityIncident.Read.All
        permission 128ca929-1a19-45e6-a3b8-435ec44a36ba 34bf0e97-1971-4929-b999-9e2442d941d7 admin SecurityIncident.ReadWrite.All
        permission 1fe7aa48-9373-4a47-8df3-168335e0f4c9 2b655018-450a-4845-81e7-d603b1ebffdb admin ServiceActivity-Exchange.Read.All
        permission d74c75b1-d5a9-479d-902d-92f8f99182c1 c766cb16-acc4-4663-ba09-6eedef5876c5 admin ServiceActivity-Microsoft365Web.Read.All
        permission 347e3c16-30f3-4ac7-9b52-fc3c053de9c9 57b4f899-b8c5-47c7-bdd3-c410c55602b7 admin ServiceActivity-OneDrive.Read.All
        permission 404d76f0-e10e-460a-92be-ef19600c54d1 4dfee10b-fa4a-41b5-b34d-ccf54cc0c394 admin ServiceActivity-Teams.Read.All
        permission 55896846-df78-47a7-aa94-8d3d4442ca7f 79c261e0-fe76-4144-aad5-bdc68fbe4037 admin ServiceHealth.Read.All
        permission eda39fa6-f8cf-4c3c-a909-432c683e4c9b 1b620472-6534-4fe6-9df2-4680e8aa28ec admin ServiceMessage.Read.All
        permission 636e1b0b-1cc2-4b1c-9aa9-4eeed9b9761b - admin ServiceMessageViewpoint.Write
        permission 9f9ce928-e038-4e3b-8faf-7b59049a8ddc 5256681e-b7f6-40c0-8447-2d9db68797a0 admin ServicePrincipalEndpoint.Read.All
        permission 7297d82c-9546-4aed-91df-3d4f0a9b3ff0 89c8469c-83ad-45f7-8ff2-6e3d4285709e admin ServicePrincipalEndpoint.ReadWrite.All
        permission 2ef70e10-5bfd-4ede-a5f6-67720500b258 83d4163d-a2d8-4d3b-9695-4ae3ca98f888 admin SharePointTenantSettings.Read.All
        permission aa07f155-3612-49b8-a147-6c590df35536 19b94e34-907c-4f43-bde9-38b1909ed408 admin SharePointTenantSettings.ReadWrite.All
        permission 50f66e47-eb56-45b7-aaa2-75057d9afe08 - user ShortNotes.Read
        permission - 0c7d31ec-31ca-4f58-b6ec-9950b6b0de69 admin ShortNotes.Read.All
        permission 328438b7-4c01-4c07-a840-e625a749bb89 - user ShortNotes.ReadWrite
        permission - 842c284c-763d-4a97-838d-79787d129bab admin ShortNotes.ReadWrite.All
        permission 5a54b8b3-347c-476d-8f8e-42d5c7424d29 a82116e5-55eb-4c41-a434-62fe8a61c773 admin Sites.FullControl.All
        permission 65e50fdc-43b7-4915-933e-e8138f11f40a 0c0bf378-bf22-4481-8f81-9e89a9b4960a user Sites.Manage.All
        permission 205e70e5-aba6-4c52-a976-6d2d46c48043 332a536c-c7ef-4017-ab91-336970924f0d user Sites.Read.All
        permission 89fe6a52-be36-487e-b7d8-d061c450a026 9492366f-7969-46a4-8d15-ed1a20078fff user Sites.ReadWrite.All
        permission f89c84ef-20d0-4b54-87e9-02e856d66d53 883ea226-0bf2-4a8f-9f9d-92c9162a727d user Sites.Selected
        permission 9b4aa4b1-aaf3-41b7-b743-698b27e77ff6 dcdfc277-41fd-4d68-ad0c-c3057235bd8e admin SpiffeTrustDomain.Read.All
        permission 8ba47079-8c47-4bfe-b2ce-13f28ef37247 17b78cfd-eeff-447d-8bab-2795af00055a admin SpiffeTrustDomain.ReadWrite.All
        permission 9c3af74c-fd0f-4db4-b17a-71939e2a9d77 ee1460f0-368b-4153-870a-4e1ca7e72c42 admin SubjectRightsRequest.Read.All
        permission 2b8fcc74-bce1-4ae3-a0e8-60c53739299d 8387eaa4-1a3c-41f5-b261-f888138e6041 admin SubjectRightsRequest.ReadWrite.All
        permission 5f88184c-80bb-4d52-9ff2-757288b2e9b7 - admin Subscription.Read.All
        permission 7aa02aeb-824f-4fbe-a3f7-611f751f5b55 5ba43d2f-fa88-4db2-bd1c-a67c5f0fb1ce admin Synchronization.Read.All
        permission 7bb27fa3-ea8f-4d67-a916-87715b6188bd 9b50c33d-700f-43b1-b2eb-87e89b703581 admin Synchronization.ReadWrite.All
        permission 1a2e7420-4e92-4d2b-94cb-fb2952e9ddf7 db31e92a-b9ea-4d87-bf6a-75a37a9ca35a admin SynchronizationData-User.Upload
        permission f45671fb-e0fe-4b4b-be20-3d3ce43f1bcb - user Tasks.Read
        permission - f10e1f91-74ed-437f-a6fd-d6ae88e26c1f admin Tasks.Read.All
        permission 88d21fd4-8e5a-4c32-b5e2-4a1c95f34f72 - user Tasks.Read.Shared
        permission 2219042f-cab5-40cc-b0d2-16b1540b4c5f - user Tasks.ReadWrite
        permission - 44e666d1-d276-445b-a5fc-8815eeb81d55 admin Tasks.ReadWrite.All
        permission c5ddf11b-c114-4886-8558-8a4e557cd52b - user Tasks.ReadWrite.Shared
        permission 7825d5d6-6049-4ce7-bdf6-3b8d53f4bcd0 23fc2474-f741-46ce-8465-674744c5c361 user Team.Create
        permission 485be79e-c497-4b35-9400-0e3fa7f2a5d4 2280dda6-0bfd-44ee-a2f4-cb867cfc4c1e user Team.ReadBasic.All
        permission 2497278c-d82d-46a2-b1ce-39d4cdde5570 660b7406-55f1-41ca-a0ed-0b035e182f3e admin TeamMember.Read.All
        permission 4a06efd2-f825-4e34-813e-82a57b03d1ee 0121dc95-1b9f-4aed-8bac-58c5ac466691 admin TeamMember.ReadWrite.All
        permission 2104a4db-3a2f-4ea0-9dba-143d457dc666 4437522e-9a86-4a41-a7da-e380edd4a97d admin TeamMember.ReadWriteNonOwnerRole.All
        permission 48638b3c-ad68-4383-8ac4-e6880ee6ca57 242607bd-1d2c-432c-82eb-bdb27baa23ab admin TeamSettings.Read.All
        permission 39d65650-9d3e-4223-80db-a335590d027e bdd80a03-d9bc-451d-b7c4-ce7c63fe3c8f admin TeamSettings.ReadWrite.All
        permission cd87405c-5792-4f15-92f7-debc0db6d1d6 - user TeamTemplates.Read
        permission - 6323133e-1f6e-46d4-9372-ac33a0870636 admin TeamTemplates.Read.All
        permission 0e755559-83fb-4b44-91d0-4cc721b9323e - user TeamsActivity.Read
        permission - 70dec828-f620-4914-aa83-a29117306807 admin TeamsActivity.Read.All
        permission 7ab1d787-bae7-4d5d-8db6-37ea32df9186 a267235f-af13-44dc-8385-c1dc93023186 user TeamsActivity.Send
        permission d1ba22c6-3f02-4c91-addb-bc3399bcca88 - admin TeamsAppInstallation.ManageSelectedForChat
        permission - 22b74aab-d9e4-46f7-9424-f24b42307227 admin TeamsAppInstallation.ManageSelectedForChat.All
        permission c67b2d7e-6b80-4218-938a-05e73058e42d - admin TeamsAppInstallation.ManageSelectedForTeam
        permission - b448d252-1f26-4227-b6ff-21ab510975a2 admin TeamsAppInstallation.ManageSelectedForTeam.All
        permission 830c2bd9-c335-4caf-bf83-c07fa8a23ef1 - admin TeamsAppInstallation.ManageSelectedForUser
        permission - e97a9235-5b3c-43c4-b37d-6786a173fae4 admin TeamsAppInstallation.ManageSelectedForUser.All
        permission - 0fdf35a5-82f8-41ff-9ded-0b761cc73512 admin TeamsAppInstallation.Read.All
        permission bf3fbf03-f35f-4e93-963e-47e4d874c37a - user TeamsAppInstallation.ReadForChat
        permission - cc7e7635-2586-41d6-adaa-a8d3bcad5ee5 admin TeamsAppInstallation.ReadForChat.All
        permission 5248dcb1-f83b-4ec3-9f4d-a4428a961a72 - admin TeamsAppInstallation.ReadForTeam
        permission - 1f615aea-6bf9-4b05-84bd-46388e138537 admin TeamsAppInstallation.ReadForTeam.All
        permission c395395c-ff9a-4dba-bc1f-8372ba9dca84 - user TeamsAppInstallation.ReadForUser
        permission - 9ce09611-f4f7-4abd-a629-a05450422a97 admin TeamsAppInstallation.ReadForUser.All
        permission 0f3420c2-c6ec-46de-ab72-fd51267087d5 - admin TeamsAppInstallation.ReadSelectedForChat
        permission - 53d40ddb-9b27-4c97-b800-985be6041990 admin TeamsAppInstallation.ReadSelectedForChat.All
        permission b55df1c0-db20-435b-aef2-afe6ed487e16 - admin TeamsAppInstallation.ReadSelectedForTeam
        permission - 93c6a289-70fd-489e-a053-6cf8f7d772f6 admin TeamsAppInstallation.ReadSelectedForTeam.All
        permission fe2e4e1d-101f-4fb2-9cb1-9d6659db45d4 - admin TeamsAppInstallation.ReadSelectedForUser
        permission - 44fb0e7c-1f9a-47f1-bb9e-7f92d48ed288 admin TeamsAppInstallation.ReadSelectedForUser.All
        permission e1408a66-8f82-451b-a2f3-3c3e38f7413f - admin TeamsAppInstallation.ReadWriteAndConsentForChat
        permission - 6e74eff9-4a21-45d6-bc03-3a20f61f8281 admin TeamsAppInstallation.ReadWriteAndConsentForChat.All
        permission 946349d5-2a9d-4535-abc0-7beeacaedd1d - admin TeamsAppInstallation.ReadWriteAndConsentForTeam
        permission - b0c13be0-8e20-4bc5-8c55-963c23a39ce9 admin TeamsAppInstallation.ReadWriteAndConsentForTeam.All
        permission 2da62c49-dfbd-40df-ba16-fef3529d391c - admin TeamsAppInstallation.ReadWriteAndConsentForUser
        permission - 32ca478f-f89e-41d0-aaf8-101deb7da510 admin TeamsAppInstallation.ReadWriteAndConsentForUser.All
        permission a0e0e18b-8fb2-458f-8130-da2d7cab9c75 - admin TeamsAppInstallation.ReadWriteAndConsentSelfForChat
        permission - ba1ba90b-2d8f-487e-9f16-80728d85bb5c admin TeamsAppInstallation.ReadWriteAndConsentSelfForChat.All
        permission 4a6bbf29-a0e1-4a4d-a7d1-cef17f772975 - admin TeamsAppInstallation.ReadWriteAndConsentSelfForTeam
        permission - 1e4be56c-312e-42b8-a2c9-009600d732c0 admin TeamsAppInstallation.ReadWriteAndConsentSelfForTeam.All
        permission 7a349935-c54d-44ab-ab66-1b460d315be7 - admin TeamsAppInstallation.ReadWriteAndConsentSelfForUser
        permission - a87076cf-6abd-4e56-8559-4dbdf41bef96 admin TeamsAppInstallation.ReadWriteAndConsentSelfForUser.All
        permission aa85bf13-d771-4d5d-a9e6-bca04ce44edf - admin TeamsAppInstallation.ReadWriteForChat
        permission - 9e19bae1-2623-4c4f-ab6e-2664615ff9a0 admin TeamsAppInstallation.ReadWriteForChat.All
        permission 2e25a044-2580-450d-8859-42eeb6e996c0 - admin TeamsAppInstallation.ReadWriteForTeam
        permission - 5dad17ba-f6cc-4954-a5a2-a0dcc95154f0 admin TeamsAppInstallation.ReadWriteForTeam.All
        permission 093f8818-d05f-49b8-95bc-9d2a73e9a43c - admin TeamsAppInstallation.ReadWriteForUser
        permission - 74ef0291-ca83-4d02-8c7e-d2391e6a444f admin TeamsAppInstallation.ReadWriteForUser.All
        permission 690aa3b6-4b71-41c2-a990-77a8c4768d2b - admin TeamsAppInstallation.ReadWriteSelectedForChat
        permission - 25bbeaad-04be-4207-83ed-a263aae76ddf admin TeamsAppInstallation.ReadWriteSelectedForChat.All
        permission 9131c833-9a49-4c54-b38f-615ecfc4fc69 - admin TeamsAppInstallation.ReadWriteSelectedForTeam
        permission - 7b5823ae-d0f2-424d-b90c-d843ffada7d9 admin TeamsAppInstallation.ReadWriteSelectedForTeam.All
        permission ea819e27-c92a-4118-b83b-4540b125d744 - admin TeamsAppInstallation.ReadWriteSelectedForUser
        permission - 650a76ec-4118-4b25-9d3a-1f98048a5ee0 admin TeamsAppInstallation.ReadWriteSelectedForUser.All
        permission 0ce33576-30e8-43b7-99e5-62f8569a4002 - admin TeamsAppInstallation.ReadWriteSelfForChat
        permission - 73a45059-f39c-4baf-9182-4954ac0e55cf admin TeamsAppInstallation.ReadWriteSelfForChat.All
        permission 0f4595f7-64b1-4e13-81bc-11a249df07a9 - admin TeamsAppInstallation.ReadWriteSelfForTeam
        permission - 9f67436c-5415-4e7f-8ac1-3014a7132630 admin TeamsAppInstallation.ReadWriteSelfForTeam.All
        permission 207e0cb1-3ce7-4922-b991-5a760c346ebc - user TeamsAppInstallation.ReadWriteSelfForUser
        permission - 908de74d-f8b2-4d6b-a9ed-2a17b3b78179 admin TeamsAppInstallation.ReadWriteSelfForUser.All
        permission 6997c35c-a586-440c-8a0b-4ffe5d118dc0 1801e8f4-cf09-4c4e-a1b5-036dfcca6c90 admin TeamsPolicyUserAssign.ReadWrite.All
        permission a9ff19c2-f369-4a95-9a25-ba9d460efc8e 49981c42-fd7b-4530-be03-e77b21aed25e admin TeamsTab.Create
        permission 59dacb05-e88d-4c13-a684-59f1afc8cc98 46890524-499a-4bb2-ad64-1476b4f3e1cf admin TeamsTab.Read.All
        permission b98bfd41-87c6-45cc-b104-e2de4f0dafb9 a96d855f-016b-47d7-b51c-1218a98d791c admin TeamsTab.ReadWrite.All
        permission ee928332-e9c2-4747-b4a0-f8c164b68de6 - admin TeamsTab.ReadWriteForChat
        permission - fd9ce730-a250-40dc-bd44-8dc8d20f39ea admin TeamsTab.ReadWriteForChat.All
        permission c975dd04-a06e-4fbb-9704-62daad77bb49 - admin TeamsTab.ReadWriteForTeam
        permission - 6163d4f4-fbf8-43da-a7b4-060fe85ed148 admin TeamsTab.ReadWriteForTeam.All
        permission c37c9b61-7762-4bff-a156-afc0005847a0 - user TeamsTab.ReadWriteForUser
        permission - 425b4b59-d5af-45c8-832f-bb0b7402348a admin TeamsTab.ReadWriteForUser.All
        permission 0c219d04-3abf-47f7-912d-5cca239e90e6 - admin TeamsTab.ReadWriteSelfForChat
        permission - 9f62e4a2-a2d6-4350-b28b-d244728c4f86 admin TeamsTab.ReadWriteSelfForChat.All
        permission f266662f-120a-4314-b26a-99b08617c7ef - admin TeamsTab.ReadWriteSelfForTeam
        permission - 91c32b81-0ef0-453f-a5c7-4ce2e562f449 admin TeamsTab.ReadWriteSelfForTeam.All
        permission 395dfec1-a0b9-465f-a783-8250a430cb8c - user TeamsTab.ReadWriteSelfForUser
        permission - 3c42dec6-49e8-4a0a-b469-36cff0d9da93 admin TeamsTab.ReadWriteSelfForUser.All
        permission 5c469ce4-dab5-4afd-b9de-14f1ba4004a7 a91eadaf-2c3c-4362-908b-fb172d208fc6 admin TeamsUserConfiguration.Read.All
        permission - dfb0dd15-61de-45b2-be36-d6a69fba3c79 admin Teamwork.Migrate.All
        permission 594f4bb6-c083-4cf9-8aa8-213823bdf351 75bcfbce-a647-4fba-ad51-b63d73b210f4 admin Teamwork.Read.All
        permission 44e060c4-bbdc-4256-a0b9-dcc0396db368 475ebe88-f071-4bd7-af2b-642952bd4986 user TeamworkAppSettings.Read.All
        permission 87c556f0-2bd9-4eed-bd74-5dd8af6eaf7e ab5b445e-8f10-45f4-9c79-dd3f8062cc4e admin TeamworkAppSettings.ReadWrite.All
        permission b659488b-9d28-4208-b2be-1c6652b3c970 0591bafd-7c1c-4c30-a2a5-2b9aacb1dfe8 admin TeamworkDevice.Read.All
        permission ddd97ecb-5c31-43db-a235-0ee20e635c40 79c02f5b-bd4f-4713-bc2c-a8a4a66e127b admin TeamworkDevice.ReadWrite.All
        permission 57587d0b-8399-45be-b207-8050cec54575 - admin TeamworkTag.Read
        permission - b74fd6c4-4bde-488e-9695-eeb100e4907f admin TeamworkTag.Read.All
        permission 539dabd7-b5b6-4117-b164-d60cd15a8671 - admin TeamworkTag.ReadWrite
        permission - a3371ca5-911d-46d6-901c-42c8c7a937d8 admin TeamworkTag.ReadWrite.All
        permission b4d26916-07e0-4daf-9096-9f6d9174aa96 - admin TeamworkUserInteraction.Read.All
        permission fda068e8-0524-485e-8d7f-b5bc29b0dae9 3f4f98e9-6faf-4e5f-814b-ed2ed8a4ec9e admin TenantGovernance-Invitation.Read.All
        permission 42b91635-3803-4af2-a2d5-e91127f9c488 - admin TenantGovernance-Invitation.ReadWrite.All
        permission ad222a15-813d-46b8-8f8d-1976a69a74f3 eb9465d8-e7c0-4301-8e51-927f34ee3134 admin TenantGovernance-PolicyTemplate.Read.All
        permission 7cd0bd21-45fe-4c8e-a549-3c95bd27d185 - admin TenantGovernance-PolicyTemplate.ReadWrite.All
        permission 9caaca93-f090-4b9a-b4bb-17de251354d4 7ced9a83-8e7c-46df-b3e0-6b45a6ecedcd admin TenantGovernance-RelatedTenant.Read.All
        permission e61db2de-de55-461e-942d-52a028ed1076 - admin TenantGovernance-RelatedTenant.ReadWrite.All
        permission 0b1c2458-4845-477b-a704-3cce8b06bf28 41c250d0-8793-44e1-a130-5fdbd5bccd0a admin TenantGovernance-Relationship.Read.All
        permission 3fbcd6a3-a9a5-4d69-8a78-acc7d7195180 - admin TenantGovernance-Relationship.ReadWrite.All
        permission a924b9f1-7af0-4982-aecf-b6e0e10b2830 294294d5-2b81-4cf1-837c-28fc22bc3290 admin TenantGovernance-Request.Read.All
        permission 3c7a434e-4e5d-413f-be82-b77ea4ba5a4d - admin TenantGovernance-Request.ReadWrite.All
        permission 4ad3e05f-2467-49d9-baa2-8e4de7bcee9b e2d1cac5-0317-4ae3-aca9-59737eb75317 admin TenantGovernance-Setting.Read.All
        permission 135f3533-12fc-4608-97ac-5c5cea64baf0 - admin TenantGovernance-Setting.ReadWrite.All
        permission 297f747b-0005-475b-8fef-c890f5152b38 ea047cc2-df29-4f3e-83a3-205de61501ca admin TermStore.Read.All
        permission 6c37c71d-f50f-4bff-8fd3-8a41da390140 f12eb8d6-28e3-46e6-b2c0-b7e4dc69fc95 admin TermStore.ReadWrite.All
        permission - f8f035bb-2cce-47fb-8bf5-7baf3ecbee48 admin ThreatAssessment.Read.All
        permission cac97e40-6730-457d-ad8d-4852fddab7ad - admin ThreatAssessment.ReadWrite.All
        permission b152eca8-ea73-4a48-8c98-1a6742673d99 dd98c7f5-2d42-42d3-a0e4-633161547251 admin ThreatHunting.Read.All
        permission 9cc427b4-2004-41c5-aa22-757b755e9796 197ee4e9-b993-4066-898f-d6aecc55125b admin ThreatIndicators.Read.All
        permission 91e7d36d-022a-490f-a748-f8e011357b42 21792b6c-c986-4ffc-85de-df9da54b52fa admin ThreatIndicators.ReadWrite.OwnedBy
        permission f266d9c0-ccb9-4fb8-a228-01ac0d8d6627 e0b77adb-e790-44a3-b0a0-257d06303687 admin ThreatIntelligence.Read.All
        permission fd5353c6-26dd-449f-a565-c4e16b9fce78 - user ThreatSubmission.Read
        permission 7083913a-4966-44b6-9886-c5822a5fd910 86632667-cd15-4845-ad89-48a88e8412e1 admin ThreatSubmission.Read.All
        permission 68a3156e-46c9-443c-b85c-921397f082b5 - user ThreatSubmission.ReadWrite
        permission 8458e264-4eb9-4922-abe9-768d58f13c7f d72bdbf4-a59b-405c-8b04-5995895819ac admin ThreatSubmission.ReadWrite.All
        permission 059e5840-5353-4c68-b1da-666a033fc5e8 926a6798-b100-4a20-a22f-a4918f13951d admin ThreatSubmissionPolicy.ReadWrite.All
        permission 79c4c76f-409a-4f98-884d-e2c09291ec26 - admin Topic.Read.All
        permission 7ad34336-f5b1-44ce-8682-31d7dfcd9ab9 fff194f1-7dce-4428-8301-1badb5518201 admin TrustFrameworkKeySet.Read.All
        permission 39244520-1e7d-4b4a-aee0-57c65826e427 4a771c9a-1cf2-4609-b88e-3d3e02d539cd admin TrustFrameworkKeySet.ReadWrite.All
        permission 73e75199-7c3e-41bb-9357-167164dbb415 - admin UnifiedGroupMember.Read.AsGuest
        permission 550e695c-7511-40f4-ac79-e8fb9c82552d 9d952b72-f741-4b40-9185-8c53076c2339 admin User-ConvertToInternal.ReadWrite.All
        permission ed8d2a04-0374-41f1-aefe-da8ac87ccc87 8556a004-db57-4d7a-8b82-97a13428e96f admin User-LifeCycleInfo.Read.All
        permission 7ee7473e-bd4b-4c9f-987c-bd58481f5fa2 925f1248-0f97-47b9-8ec8-538c54e01325 admin User-LifeCycleInfo.ReadWrite.All
        permission 6166886a-9576-433b-8544-658177bdef1d 280d0935-0796-47d1-8d26-273470a3f17a admin User-Mail.ReadWrite.All
        permission 7ff9afdd-0cdb-439d-a61c-fea3e9339e89 a94a502d-0281-4d15-8cd2-682ac9362c4c admin User-OnPremisesSyncBehavior.ReadWrite.All
        permission 56760768-b641-451f-8906-e1b8ab31bca7 cc117bb9-00cf-4eb8-b580-ea2a878fe8f7 admin User-PasswordProfile.ReadWrite.All
        permission e29d5979-5b06-4a7f-ae24-6a9348d2e1ff 86ceff06-c822-49ff-989a-d912845ffe69 admin User-Phone.ReadWrite.All
        permission 4bb440cd-2cf2-4f90-8004-aa2acd2537c5 eccc023d-eccf-4e7b-9683-8813ab36cecc admin User.DeleteRestore.All
        permission f92e74e7-2563-467f-9dd0-902688cb5863 3011c876-62b7-4ada-afa2-506cbbecc68c admin User.EnableDisableAccount.All
        permission 405a51b5-8d8d-430b-9842-8be4b0e9f324 405a51b5-8d8d-430b-9842-8be4b0e9f324 admin User.Export.All
        permission 63dd7cd9-b489-4adf-a28c-ac38b9a0f962 09850681-111b-4a89-9bed-3f2cae46d706 admin User.Invite.All
        permission 637d7bec-b31e-4deb-acc9-24275642a2c9 c529cfca-c91b-489c-af2b-d92990b66ce6 admin User.ManageIdentities.All
        permission e1fe6dd8-ba31-4d61-89e7-88639da4683d - user User.Read
        permission a154be20-db9c-4678-8ab7-66f6cc099a59 df021288-bdef-4463-88db-98f22de89214 admin User.Read.All
        permission b340eb25-3456-403f-be2f-af7a0d370277 97235f07-e226-4f63-ace3-39588e11d3a1 user User.ReadBasic.All
        permission b4e74841-8e56-480b-be8b-910348b18b4c - user User.ReadWrite
        permission 204e0828-b5ca-4ad8-b9f3-f32a958e7cc4 741f803b-c850-494e-b5df-cde7c675a1ca admin User.ReadWrite.All
        permission fc30e98b-8810-4501-81f5-c20a3196387b 77f3a031-c388-4f99-b373-dc68676a979e admin User.RevokeSessions.All
        permission 47607519-5fb1-47d9-99c7-da4b48f369b1 - user UserActivity.ReadWrite.CreatedByApp
        permission 14195339-1fe4-48a7-a0d3-a39eb9fd8958 72e00c1d-3e3d-43bb-a0b9-c435611bb1d2 admin UserAuthMethod-Passkey.Read.All
        permission 64930478-d0ea-4671-ad72-fe0d9821df09 0400e371-7db1-4338-a269-96069eb65227 admin UserAuthMethod-Passkey.ReadWrite.All
        permission 1f6b61c5-2f65-4135-9c9f-31c0f8d32b52 - admin UserAuthenticationMethod.Read
        permission aec28ec7-4d02-4e8c-b864-50163aea77eb 38d9df27-64da-44fd-b7c5-a6fbac20248f admin UserAuthenticationMethod.Read.All
        permission 48971fc1-70d7-4245-af77-0beb29b53ee2 - admin UserAuthenticationMethod.ReadWrite
        permission b7887744-6746-4312-813d-72daeaee7e2d 50483e42-d915-4231-9639-7fdb7fd190e5 admin UserAuthenticationMethod.ReadWrite.All
        permission 26e2f3e8-b2a1-47fc-9620-89bb5b042024 4e774092-a092-48d1-90bd-baad67c7eb47 user UserNotification.ReadWrite.CreatedByApp
        permission - de023814-96df-4f53-9376-1e2891ef5a18 admin UserShiftPreferences.Read.All
        permission - d1eec298-80f3-49b0-9efb-d90e224798ac admin UserShiftPreferences.ReadWrite.All
        permission 834bcc1c-762f-41b0-bb91-1cdc323ee4bf - admin UserTeamwork.Read
        permission - fbcd7ef1-df0d-4e05-bb28-93424a89c6df admin UserTeamwork.Read.All
        permission 367492fc-594d-4972-a9b5-0d58c622c91c - user UserTimelineActivity.Write.CreatedByApp
        permission 27470298-d3b8-4b9c-aad4-6334312a3eac - admin VirtualAppointment.Read
        permission - d4f67ec2-59b5-4bdc-b4af-d78f6f9c1954 admin VirtualAppointment.Read.All
        permission 2ccc2926-a528-4b17-b8bb-860eed29d64c - admin VirtualAppointment.ReadWrite
        permission - bf46a256-f47d-448f-ab78-f226fff08d40 admin VirtualAppointment.ReadWrite.All
        permission 20d02fff-a0ef-49e7-a46e-019d4a6523b7 97e45b36-1250-48e4-bd70-2df6dab7e94a admin VirtualAppointmentNotification.Send
        permission 6b616635-ae58-433a-a918-8c45e4f304dc - admin VirtualEvent.Read
        permission - 1dccb351-c4e4-4e09-a8d1-7a9ecbf027cc admin VirtualEvent.Read.All
        permission d38d189c-e29b-4344-8b3b-829bfa81380b - admin VirtualEvent.ReadWrite
        permission - 23211fc1-f9d1-4e8e-8e9e-08a5d0a109bb admin VirtualEventRegistration-Anon.ReadWrite.All
        permission 11776c0c-6138-4db3-a668-ee621bea2555 7dd1be58-6e76-4401-bf8d-31d1e8180d5b admin WindowsUpdates.ReadWrite.All
        permission f1ccd5a7-6383-466a-8db8-1a656f7d06fa - admin WorkforceIntegration.Read.All
        permission 08c4b377-0d23-4a8b-be2a-23c1c1d88545 202bf709-e8e6-478e-bcfd-5d63c50b68e3 admin WorkforceIntegration.ReadWrite.All
        permission 99201db3-7652-4d5a-809a-bdb94f85fe3c 50180013-6191-4d1e-a373-e590ff4e66af admin eDiscovery.Read.All
        permission acb8f680-0834-4146-b69e-4ab1b39745ad b2620db1-3bf7-4c5b-9cb9-576d29eac736 admin eDiscovery.ReadWrite.All
        permission 64a6cdd6-aab1-4aaf-94b8-3cc8405e90d0 - user email
        permission 7427e0e9-2fba-42fe-b0c0-848c9e6a8182 - user offline_access
        permission 37f7f235-527c-4136-accd-4a02d197296e - user openid
        permission 14dad69e-099b-42c9-810b-d002981feec1 - user profile
        segments $batch $count $ref $value ... accept acceptedsenders acceptrecommendations accessreviews
        segments account acquireaccesstoken actions activate activities activitystatistics add addfavorite
        segments addkey addmembers addpassword addresses addtokensigningcertificate adhoccalls admin
        segments administrativeunits agentregistry agentsigninsessions agreementacceptances agreements
        segments aiinsights all allotment alltasks alternativerecording analytics anniversaries app
        segments appcatalogs appendcontent application applications applicationsegments applicationtemplates
        segments apply appmanagementpolicies approleassignedresources approleassignedto approleassignments
        segments approvedclientapps assignandactivate assignandactivatebyserialnumber assignedroles
        segments assignedto assignlicense assignmenterrors assignments assignsensitivitylabel
        segments associatedteams attachments attendancerecords attendancereports attendeereport attributes
        segments auditactivities auditlogs authentication authorization autofitcolumns autofitrows
        segments automaticrepliessetting awards axes b2bmanagementpolicies backuprestore
        segments batchrecorddecisions bookingbusinesses bookingcurrencies borders boundingrect branding
        segments bulkupload calculate calendar calendargroups calendarpermissions calendars calendarview
        segments callsettings cancel capabilities categoryaxis cell certificatebasedauthconfiguration
        segments certifications changepassword channels charts chat chats checkin checklistitems
        segments checkmembergroups checkmemberobjects checkout childfolders children claimsmappingpolicies
        segments claimspolicy clear clearautomaticlocation clearfilters clearlocation clearpresence
        segments clearuserpreferredpresence closesession cloudclipboard cloudlicensing cloudpcs column
        segments columns columnsafter columnsbefore commands comments communications complete compliance
        segments compute computeinheritance confirmcompromised confirmsafe connections
        segments connectivityparameters connectorgroup contactfolders contactinsights
        segments contactmergesuggestions contacts content contentactivities contentstream
        segments contentuploadsession contracts conversations convertexternaltointernalmemberuser
        segments converttorange copilot copy copynotebook copytonotebook copytosection copytosectiongroup
        segments createdobjects createforward createlink createorget createpasswordsinglesignoncredentials
        segments createremotehelpsessionresponse createreply createreplyall createsession
        segments createuploadsession creationoptions current customquestions customsecurityattributeaudits
        segments databodyrange dataclassification datalabels datapolicyoperations datasecurityandgovernance
        segments dateformat deactivate decisions decline delegatedpermissionclassifications
        segments delegatemeetingmessagedeliveryoptions delegates delegators delete deleteddatetime
        segments deletemembers deletepasswordsinglesignoncredentials deletetargetedmessage delta
        segments deviceappmanagement devicelocalcredentials devicemanagement devices directories directory
        segments directoryaudits directoryobjects directoryroles directoryroletemplates
        segments directorysettingtemplates directreports disablesmssignin discardcheckout discover dismiss
        segments dismissreminder distributionlists domains drive drives education educationalactivities
        segments elevatetouseraccessadministrator emailmethods emails emailthreats employeeexperience
        segments enablesmssignin endpoints endworkingtime entirecolumn entirerow environmentattributes
        segments evaluateapplication evaluateclassificationresults evaluateremoval events
        segments exportdeviceandappmanagementdata exportpersonaldata extendlifecycle
        segments extendremotehelpsessionresponse extensionproperties extensions external
        segments externalauthenticationmethods extractcontentlabel extractsensitivitylabels favoriteplans
        segments federatedidentitycredentialmethods federatedidentitycredentials fido2methods fields
        segments fileb.txt: fill filter filteroperators financials findmeetinglocations findmeetingtimes
        segments findroomlists findrooms foldera follow followedsites followers following followings font
        segments format forward functions getactivemeetingdetails getallmessages getallrecordings
        segments getallretainedmessages getallretainedtargetedmessages getalltargetedmessages
        segments getalltranscripts getavailableextensionproperties getbyids getcloudpclaunchinfo
        segments getfrontlinecloudpcaccessstate getmailtips getmanagedappblockedusers
        segments getmanagedappdiagnosticstatuses getmanagedapppolicies getmanageddeviceswithappfailures
        segments getmanageddeviceswithfailedorpendingapps getmembergroups getmemberobjects
        segments getnotebookfromweburl getopenshifts getpasswordsinglesignoncredentials getrecentnotebooks
        segments getschedule getshifts getteamslicensingdetails gettimesoff getvirtualappointmentjoinweburl
        segments group grouplifecyclepolicies groups groupsettings groupsettingtemplates hardwareoathmethods
        segments headerrowrange historyitems homerealmdiscoverypolicies homesite hostedcontents icon
        segments identity identitygovernance identityprotection identityproviders image inbox
        segments inferenceclassification informationprotection ingest inheritedapproleassignments
        segments inheritedoauth2permissiongrants inheritspermissionsfrom insert insights installedapps
        segments instances interests intersection invalidateallrefreshtokens invitations invite invitedby
        segments ismanagedappuserblocked isupdatesupported itemat iteminsights items jobs joinedteams
        segments labelpolicysettings labels language languages lastcell lastcolumn lastrow
        segments learningcourseactivities legend licensedetails line linkedresources lists localizations
        segments logo mailboxsettings mailfolders majorgridlines managedtenant manager
        segments markactivitynotificationchainasinactionable mastercategories me media
        segments meetingattendancereport meetingtemplates memberof members mentions merge messagerules
        segments messages metadatacontent methods microsoft.graph.agentidentity
        segments microsoft.graph.agentidentityblueprint microsoft.graph.agentidentityblueprintprincipal
        segments microsoft.graph.completeuploadsession microsoft.graph.createuploadsessions
        segments microsoft.graph.follow microsoft.graph.ipsegmentconfiguration
        segments microsoft.graph.meetingregistration microsoft.graph.unfollow microsoftapplicationdataaccess
        segments microsoftauthenticatormethods minorgridlines mobileappintentandstates move mydaytasks names
        segments networkaccess notebooks notes notifications oauth2permissiongrants occurrences
        segments occurrencesview officeactivities officeconfiguration offsetrange onenote onlinemeetings
        segments onpremencryptedpayloads onpremisespublishing onpremisespublishingprofiles
        segments onpremisessyncbehavior operations organization organizationalunitparent outlook overrides
        segments owneddevices ownedobjects owners pages pairwisebrokerembeddedappconfig parents
        segments parseexpression passwordlessmicrosoftauthenticatormethods passwordmethods patents pause
        segments pendingaccessreviewinstances people peopleinsights permanentdelete permissiongrants
        segments permissions perresourceallowedscopes pfxrecryptionrequests pfxusercertificates phonemethods
        segments phones photo photos pin pivottables places planner plans platformcredentialmethods points
        segments policies policy positions posts presence preview principalattributes print privacy
        segments privilegedaccess privilegedapproval privilegedoperationevents
        segments privilegedroleassignmentrequests privilegedroleassignments privilegedroles processcontent
        segments profile profilecardproperties programcontrols programcontroltypes programs projects protect
        segments protection protectionscopes provisioning provisionondemand publications qrcodepinmethod
        segments quota range reactions reapply reapplyfilters reboot
        segments recallactivitynotificationchainforrecipient recent recentplans recentprintershares
        segments recording recordings recurrences refresh refreshall refreshsession registereddevices
        segments registrants registration rejectedsenders reminderview remotedesktopsecurityconfiguration
        segments remotehelpsessionretrieveresponse remove removefavorite removekey removepassword rename
        segments renew reorder repair replies reply replyall reportmessage reports reprocessassignments
        segments reprocesslicenseassignment reprovision requestremotehelpsessionaccessresponse requirements
        segments resetpassword resetunseencount resizedrange resource resourcekeyauthenticationmethods
        segments resources resourceschema responsepayload responsibilities restart restore restoreversion
        segments retentionlabel retrievecloudpclaunchdetail revoke revokegrants revokesigninsessions
        segments riskdetections riskyusers roledefinitions rolemanagement root root: rosterplans row rows
        segments rowsabove rowsbelow rp schema schemaextensions scopedrolememberof search secrets
        segments sectiongroups sections security segmentsconfiguration send sendactivitynotification
        segments sendmail sendvirtualappointmentremindersms sendvirtualappointmentsms sensitivitylabels
        segments series seriesaxis serviceprincipals services servicetreeattributionservices
        segments setautomaticlocation setcurrentlocation setdata setmanuallocation
        segments setmobiledevicemanagementauthority setposition setpresence setreaction setsolidcolor
        segments setstatusmessage settings setuserpreferredpresence setverifiedpublisher shared sharedwithme
        segments shares shiftpreferences signins signups sites skills snoozereminder socketio softdelete
        segments softwareoathmethods solutions sort special sponsorof sponsors standardqrcode start
        segments startworkingtime stop storage storyline streams subscribebymail subscribedskus
        segments subscriptions supportedlanguages supportedtimezones synchronization tablerowoperationresult
        segments tables targetdevicegroups targetedmessages taskfolders taskgroups tasks team teams teamwork
        segments templates temporaryaccesspassmethods temporaryqrcode tenantrelationships tentativelyaccept
        segments termstore themes threads thumbnails timeformat timezone title todo tokenissuancepolicies
        segments tokenlifetimepolicies totalrowrange transcripts transitivememberof transitivemembers
        segments transitivereports translateexchangeids trending trendingaround troubleshoot trustframework
        segments unblockmanagedapps undosoftdelete unfollow unmerge unprotect unsetreaction
        segments unsetverifiedpublisher unsubscribe unsubscribebymail updateallmessagesreadstate
        segments updatepasswordsinglesignoncredentials updatepin upgrade usagerights used usedrange user
        segments userconfigurations userpurpose users validateconnectivity validatecredentials
        segments validatepartner validatepassword validateproperties valueaxis versions virtualappointment
        segments visibleview waitingmembers webaccounts websites weburl windows
        segments windowshelloforbusinessmethods wipeandblockmanagedapps
        segments wipemanagedappregistrationsbyazureaddeviceid wipemanagedappregistrationsbydevicetag
        segments workbook workhoursandlocations workinghours workingtimeschedule workplace worksheets
        DELETE /applications/{id}
        PATCH /applications/{id}
        POST /applications
          scopes Application.ReadWrite.All
          roles Application.ReadWrite.All Application.ReadWrite.OwnedBy
        DELETE /groups/{id}
          both Group.ReadWrite.All
        DELETE /groups/{id}/approleassignments/{id}
        DELETE /users/{id}/approleassignments/{id}
        POST /groups/{id}/approleassignments
        POST /users/{id}/approleassignments
          both AppRoleAssignment.ReadWrite.All
        DELETE /groups/{id}/members/{id}
        POST /groups/{id}/members
          both Directory.ReadWrite.All Group.ReadWrite.All GroupMember.ReadWrite.All
        DELETE /groups/{id}/photo
        PATCH /groups/{id}/photo
        PUT /groups/{id}/photo
          both Group.ReadWrite.All ProfilePhoto.ReadWrite.All
        DELETE /me/photo
        PATCH /me/photo
        PUT /me/photo
          scopes ProfilePhoto.ReadWrite.All User.ReadWrite
        DELETE /oauth2permissiongrants/{id}
        PATCH /oauth2permissiongrants/{id}
        POST /oauth2permissiongrants
          both DelegatedPermissionGrant.ReadWrite.All Directory.ReadWrite.All
        DELETE /serviceprincipals/{id}
        PATCH /serviceprincipals/{id}
        DELETE /applications/{id}/extensionproperties/{id}
        POST /applications/{id}/addpassword
        POST /applications/{id}/extensionproperties
        POST /applications/{id}/removepassword
        POST /serviceprincipals
        POST /serviceprincipals/{id}/addpassword
        POST /serviceprincipals/{id}/removepassword
          scopes Application.ReadWrite.All Directory.ReadWrite.All
          roles Application.ReadWrite.All Application.ReadWrite.OwnedBy Directory.ReadWrite.All
        DELETE /serviceprincipals/{id}/approleassignedto/{id}
        DELETE /serviceprincipals/{id}/approleassignments/{id}
          both AppRoleAssignment.ReadWrite.All Application.ReadWrite.All
        DELETE /users/{id}
          both DeviceManagementApps.ReadWrite.All DeviceManagementConfiguration.ReadWrite.All
          both DeviceManagementManagedDevices.ReadWrite.All DeviceManagementServiceConfig.ReadWrite.All
          both User.DeleteRestore.All User.ReadWrite.All
        DELETE /users/{id}/manager
        PUT /users/{id}/manager
          both Directory.ReadWrite.All User.ReadWrite.All
        DELETE /users/{id}/photo
        PATCH /users/{id}/photo
        PUT /users/{id}/photo
          scopes ProfilePhoto.ReadWrite.All User.ReadWrite
          roles ProfilePhoto.ReadWrite.All User.ReadWrite.All
        GET /applications
          scopes Application.Read.All Application.ReadWrite.All Directory.Read.All Directory.ReadWrite.All
          scopes User.Read
          roles Application.Read.All Application.ReadWrite.All Application.ReadWrite.OwnedBy
          roles Directory.Read.All
        GET /applications/delta
        GET /applications/{id}
        GET /applications/{id}/extensionproperties
        GET /serviceprincipals/delta
        GET /serviceprincipals/{id}
        GET /serviceprincipals/{id}/approleassignedto
        GET /serviceprincipals/{id}/approleassignments
        GET /serviceprincipals/{id}/memberof
          scopes Application.Read.All Application.ReadWrite.All Directory.Read.All Directory.ReadWrite.All
          roles Application.Read.All Application.ReadWrite.All Application.ReadWrite.OwnedBy
          roles Directory.Read.All Directory.ReadWrite.All
        GET /auditlogs/signins
        GET /auditlogs/signins/{id}
          both AuditLog.Read.All
        GET /directoryobjects/{id}
        POST /directoryobjects/getbyids
          both Directory.Read.All
        GET /groups
        GET /groups/delta
        GET /groups/{id}
          both Directory.Read.All Directory.ReadWrite.All Group.Read.All Group.ReadWrite.All
          both GroupMember.Read.All
        GET /groups/{id}/approleassignments
          both AppRoleAssignment.ReadWrite.All Directory.Read.All Directory.ReadWrite.All
        GET /groups/{id}/memberof
          both Directory.Read.All Directory.ReadWrite.All Group.Read.All GroupMember.Read.All
        GET /groups/{id}/members
        GET /groups/{id}/transitivemembers
          both Directory.Read.All Group.Read.All Group.ReadWrite.All GroupMember.Read.All
          both GroupMember.ReadWrite.All
        GET /groups/{id}/photo
          both Group.Read.All ProfilePhoto.Read.All ProfilePhoto.ReadWrite.All
        GET /groups/{id}/transitivememberof
          scopes Directory.Read.All Directory.ReadWrite.All Group.Read.All GroupMember.Read.All
          roles Directory.Read.All Directory.ReadWrite.All
        GET /me
          scopes Directory.Read.All Directory.ReadWrite.All User.Read User.Read.All User.ReadBasic.All
          scopes User.ReadWrite User.ReadWrite.All
        GET /me/directreports
          scopes Directory.Read.All Directory.ReadWrite.All User.Read User.Read.All User.ReadWrite.All
        GET /me/manager
          scopes Directory.Read.All Directory.ReadWrite.All User.Read.All User.ReadWrite.All
        GET /me/memberof
          scopes Directory.Read.All Directory.ReadWrite.All GroupMember.Read.All User.Read
        GET /me/memberof/{id}
          scopes User.Read User.Read.All
        GET /me/oauth2permissiongrants
          scopes DelegatedPermissionGrant.ReadWrite.All Directory.Read.All
        GET /me/photo
          scopes ProfilePhoto.Read.All ProfilePhoto.ReadWrite.All User.Read User.ReadBasic.All
        GET /me/transitivememberof
          scopes Directory.Read.All Directory.ReadWrite.All Group.Read.All GroupMember.Read.All User.Read
          scopes User.Read.All
        GET /oauth2permissiongrants
        GET /oauth2permissiongrants/{id}
        GET /serviceprincipals/{id}/oauth2permissiongrants
          both DelegatedPermissionGrant.ReadWrite.All Directory.Read.All Directory.ReadWrite.All
        GET /oauth2permissiongrants/delta
          scopes Directory.Read.All Directory.ReadWrite.All
          roles DelegatedPermissionGrant.ReadWrite.All Directory.Read.All Directory.ReadWrite.All
        GET /organization
          scopes DeviceManagementConfiguration.Read.All DeviceManagementConfiguration.ReadWrite.All
          scopes DeviceManagementServiceConfig.Read.All DeviceManagementServiceConfig.ReadWrite.All
          scopes Directory.Read.All Directory.ReadWrite.All Organization.Read.All Organization.ReadWrite.All
          scopes User.Read User.Read.All
          roles DeviceManagementConfiguration.Read.All DeviceManagementConfiguration.ReadWrite.All
          roles DeviceManagementServiceConfig.Read.All DeviceManagementServiceConfig.ReadWrite.All
          roles Directory.Read.All Directory.ReadWrite.All Organization.Read.All Organization.ReadWrite.All
          roles User.Read.All
        GET /organization/{id}
          both DeviceManagementConfiguration.Read.All DeviceManagementConfiguration.ReadWrite.All
          both DeviceManagementServiceConfig.Read.All DeviceManagementServiceConfig.ReadWrite.All
          both User.Read.All
        GET /serviceprincipals
          scopes Application.Read.All Application.ReadWrite.All Directory.Read.All Directory.ReadWrite.All
          roles Application.Read.All Application.ReadWrite.All Application.ReadWrite.OwnedBy
          roles Directory.Read.All
        GET /serviceprincipals/{id}/transitivememberof
          both Application.Read.All Application.ReadWrite.All Directory.Read.All Directory.ReadWrite.All
        GET /users
          both DeviceManagementApps.Read.All DeviceManagementApps.ReadWrite.All
          both DeviceManagementConfiguration.Read.All DeviceManagementConfiguration.ReadWrite.All
          both DeviceManagementManagedDevices.Read.All DeviceManagementManagedDevices.ReadWrite.All
          both DeviceManagementServiceConfig.Read.All DeviceManagementServiceConfig.ReadWrite.All
          both Directory.Read.All Directory.ReadWrite.All User.Read.All User.ReadBasic.All
          both User.ReadWrite.All
        GET /users/delta
        GET /users/{id}/manager
          both Directory.Read.All Directory.ReadWrite.All User.Read.All User.ReadWrite.All
        GET /users/{id}
          scopes DeviceManagementApps.Read.All DeviceManagementApps.ReadWrite.All
          scopes DeviceManagementConfiguration.Read.All DeviceManagementConfiguration.ReadWrite.All
          scopes DeviceManagementManagedDevices.Read.All DeviceManagementManagedDevices.ReadWrite.All
          scopes DeviceManagementServiceConfig.Read.All DeviceManagementServiceConfig.ReadWrite.All
          scopes Directory.Read.All Directory.ReadWrite.All User.Read User.Read.All User.ReadBasic.All
          scopes User.ReadWrite User.ReadWrite.All
          roles DeviceManagementApps.Read.All DeviceManagementApps.ReadWrite.All
          roles DeviceManagementConfiguration.Read.All DeviceManagementConfiguration.ReadWrite.All
          roles DeviceManagementManagedDevices.Read.All DeviceManagementManagedDevices.ReadWrite.All
          roles DeviceManagementServiceConfig.Read.All DeviceManagementServiceConfig.ReadWrite.All
          roles Directory.Read.All Directory.ReadWrite.All User.Read.All User.ReadBasic.All
          roles User.ReadWrite.All
        GET /users/{id}/approleassignments
          both AppRoleAssignment.ReadWrite.All Directory.Read.All
        GET /users/{id}/directreports
          scopes Directory.Read.All Directory.ReadWrite.All User.Read User.Read.All User.ReadWrite.All
          roles Directory.Read.All Directory.ReadWrite.All User.Read.All User.ReadWrite.All
        GET /users/{id}/memberof
          scopes Directory.Read.All Directory.ReadWrite.All GroupMember.Read.All User.Read
          roles Directory.Read.All Directory.ReadWrite.All
        GET /users/{id}/memberof/{id}
          scopes User.Read
          roles User.Read.All
        GET /users/{id}/oauth2permissiongrants
          both DelegatedPermissionGrant.ReadWrite.All Directory.Read.All
        GET /users/{id}/photo
          scopes ProfilePhoto.Read.All ProfilePhoto.ReadWrite.All User.Read User.ReadBasic.All
          roles ProfilePhoto.Read.All ProfilePhoto.ReadWrite.All User.Read.All User.ReadBasic.All
        GET /users/{id}/transitivememberof
          scopes Directory.Read.All Directory.ReadWrite.All Group.Read.All GroupMember.Read.All User.Read
          scopes User.Read.All
          roles Directory.Read.All Directory.ReadWrite.All Group.Read.All GroupMember.Read.All User.Read.All
        PATCH /groups/{id}
          both Directory.ReadWrite.All Group.ReadWrite.All
        PATCH /organization/{id}
          both DeviceManagementConfiguration.ReadWrite.All DeviceManagementServiceConfig.ReadWrite.All
          both Organization.ReadWrite.All
        PATCH /users/{id}
          scopes DeviceManagementApps.ReadWrite.All DeviceManagementConfiguration.ReadWrite.All
          scopes DeviceManagementManagedDevices.ReadWrite.All DeviceManagementServiceConfig.ReadWrite.All
          scopes Directory.ReadWrite.All User-Mail.ReadWrite.All User-PasswordProfile.ReadWrite.All
          scopes User-Phone.ReadWrite.All User.EnableDisableAccount.All User.ManageIdentities.All
          scopes User.ReadWrite User.ReadWrite.All
          roles DeviceManagementApps.ReadWrite.All DeviceManagementConfiguration.ReadWrite.All
          roles DeviceManagementManagedDevices.ReadWrite.All DeviceManagementServiceConfig.ReadWrite.All
          roles Directory.ReadWrite.All User-Mail.ReadWrite.All User-PasswordProfile.ReadWrite.All
          roles User-Phone.ReadWrite.All User.EnableDisableAccount.All User.ManageIdentities.All
          roles User.ReadWrite.All
        POST /directoryobjects/{id}/checkmembergroups
        POST /groups/{id}/checkmembergroups
        POST /serviceprincipals/{id}/checkmembergroups
        POST /users/{id}/checkmembergroups
          scopes Application.Read.All Application.ReadWrite.All Device.Read.All Directory.Read.All
          scopes Directory.ReadWrite.All Group.Read.All Group.ReadWrite.All GroupMember.Read.All
          scopes User.Read.All User.ReadWrite.All
          roles Application.Read.All Application.ReadWrite.All Device.Read.All Device.ReadWrite.All
          roles Directory.Read.All Directory.ReadWrite.All Group.Read.All Group.ReadWrite.All
          roles GroupMember.Read.All User.Read.All User.ReadWrite.All
        POST /directoryobjects/{id}/checkmemberobjects
        POST /directoryobjects/{id}/getmemberobjects
        POST /groups/{id}/checkmemberobjects
        POST /groups/{id}/getmemberobjects
        POST /serviceprincipals/{id}/checkmemberobjects
        POST /serviceprincipals/{id}/getmemberobjects
        POST /users/{id}/checkmemberobjects
        POST /users/{id}/getmemberobjects
          scopes Application.Read.All Application.ReadWrite.All Device.Read.All Directory.Read.All
          scopes Directory.ReadWrite.All Group.Read.All Group.ReadWrite.All GroupMember.Read.All User.Read
          scopes User.Read.All User.ReadWrite.All
          roles Application.Read.All Application.ReadWrite.All Device.Read.All Device.ReadWrite.All
          roles Directory.Read.All Directory.ReadWrite.All Group.Read.All Group.ReadWrite.All
          roles GroupMember.Read.All User.Read.All User.ReadWrite.All
        POST /directoryobjects/{id}/getmembergroups
        POST /groups/{id}/getmembergroups
        POST /serviceprincipals/{id}/getmembergroups
        POST /users/{id}/getmembergroups
          scopes Application.Read.All Application.ReadWrite.All Device.Read.All Directory.Read.All
          scopes Directory.ReadWrite.All Group.Read.All Group.ReadWrite.All GroupMember.Read.All
          scopes User.Read.All
          roles Application.Read.All Application.ReadWrite.All Device.Read.All Device.ReadWrite.All
          roles Directory.Read.All Directory.ReadWrite.All Group.Read.All Group.ReadWrite.All
          roles GroupMember.Read.All User.Read.All
        POST /groups
          scopes Directory.ReadWrite.All Group.ReadWrite.All
          roles Directory.ReadWrite.All Group.Create Group.ReadWrite.All
        POST /me/checkmembergroups
          scopes Application.Read.All Application.ReadWrite.All Device.Read.All Directory.Read.All
          scopes Directory.ReadWrite.All Group.Read.All Group.ReadWrite.All GroupMember.Read.All
          scopes User.Read.All User.ReadWrite.All
          roles Application.Read.All Application.ReadWrite.All Device.Read.All Device.ReadWrite.All
        POST /me/checkmemberobjects
        POST /me/getmemberobjects
          scopes Application.Read.All Application.ReadWrite.All Device.Read.All Directory.Read.All
          scopes Directory.ReadWrite.All Group.Read.All Group.ReadWrite.All GroupMember.Read.All User.Read
          scopes User.Read.All User.ReadWrite.All
          roles Application.Read.All Application.ReadWrite.All Device.Read.All Device.ReadWrite.All
        POST /me/getmembergroups
          scopes Application.Read.All Application.ReadWrite.All Device.Read.All Directory.Read.All
          scopes Directory.ReadWrite.All Group.Read.All Group.ReadWrite.All GroupMember.Read.All
          scopes User.Read.All
          roles Application.Read.All Application.ReadWrite.All Device.Read.All Device.ReadWrite.All
        POST /me/revokesigninsessions
          scopes Directory.ReadWrite.All User.ReadWrite.All User.RevokeSessions.All
          roles User.RevokeSessions.All
        POST /serviceprincipals/{id}/approleassignedto
        POST /serviceprincipals/{id}/approleassignments
          both AppRoleAssignment.ReadWrite.All Application.Read.All Application.ReadWrite.All
          both Directory.Read.All
        POST /users
          both DeviceManagementApps.ReadWrite.All DeviceManagementConfiguration.ReadWrite.All
          both DeviceManagementManagedDevices.ReadWrite.All DeviceManagementServiceConfig.ReadWrite.All
          both Directory.ReadWrite.All User.ReadWrite.All
        POST /users/{id}/revokesigninsessions
          both Directory.ReadWrite.All User.ReadWrite.All User.RevokeSessions.All
        """
}
