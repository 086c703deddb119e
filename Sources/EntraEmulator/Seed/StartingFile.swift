// Licensed under the MIT License. See LICENSE.

extension EmulatorDirectory {
    /// A directory file to start from, as YAML with comments: one entry of each common type.
    package static let startingFile = """
        # A directory for entra-emulator. It replaces the whole default directory; Microsoft Graph is always included.
        #   entra-emulator seed check FILE        lists all errors with their lines
        #   entra-emulator --seed FILE            starts the emulator with it
        #   entra-emulator seed schema            prints a JSON schema for editors. Save it next to this file:
        # yaml-language-server: $schema=entra-emulator.schema.json
        # Nearly all members are optional. Omitted IDs are derived from the names, so they stay the same.

        tenants:
          - domain: tailspin.example
            id: 33333333-3333-4333-8333-333333333333
            displayName: Tailspin Toys
            aliases: [tailspin]

        # Test data: anyone who can read this file knows the passwords.
        defaultPassword: Emulator-pass1

        users:
          - userPrincipalName: ada@tailspin.example
            displayName: Ada King
            isAdministrator: true
          - userPrincipalName: kim@tailspin.example
            displayName: Kim Abel
            password: Another-pass1

        groups:
          - displayName: Planners
            tenant: tailspin.example
            members: [kim@tailspin.example]

        applications:
          # A web app on a server, which signs users in and has a secret.
          - clientId: 33333333-0000-4000-8000-000000000001
            displayName: Tailspin web
            type: web
            redirectUris:
              - http://localhost:5000/auth
              - https://localhost:5001/signin-oidc
            secrets: [Tailspin-secret-1]
            # true allows hybrid sign-ins (response_type 'code id_token').
            enableIdTokenIssuance: false
          # A single-page app. The port of a localhost address is ignored.
          - clientId: 33333333-0000-4000-8000-000000000002
            displayName: Tailspin page
            type: singlePage
            redirectUris: [http://localhost:3000/]
          # A desktop or command-line app.
          - clientId: 33333333-0000-4000-8000-000000000003
            displayName: Tailspin desktop
            type: public
            redirectUris: [http://localhost]
          # A service without users: client credentials, with a role of the API below.
          - clientId: 33333333-0000-4000-8000-000000000004
            displayName: Tailspin nightly job
            type: api
            secrets:
              - name: first
                value: Tailspin-secret-2
                expiresAt: 2099-12-31
            grantedRoles:
              api://tailspin-tasks: [Tasks.Read.All]

        apis:
          - clientId: 33333333-0000-4000-8000-0000000000a1
            displayName: Tailspin tasks
            identifierUris: [api://tailspin-tasks]
            accessTokenAcceptedVersion: 2
            scopes:
              - name: Tasks.Read
                summary: Read your tasks
              - name: Tasks.Manage
                summary: Manage all users' tasks
                isAdministratorOnly: true
            appRoles:
              - value: Tasks.Read.All
                summary: Read all users' tasks
              - value: Planner
                summary: Plan the work of others
                members: [Planners]

        """
}
