// Licensed under the MIT License. See LICENSE.

import ArgumentParser

/// A client that `entra-emulator env` has settings for.
enum ClientKind: String, CaseIterable, ExpressibleByArgument {
    case msal
    case msalPython = "msal-python"
    case azureIdentity = "azure-identity"
    case node
    case go
    case curl
    case az
    case urlsession
    case managedIdentity = "managed-identity"
    case githubActions = "github-actions"
    case azurePipelines = "azure-pipelines"
    case dotnet, java, spring, ruby, php, apache
}
