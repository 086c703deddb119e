# Licensed under the MIT License. See LICENSE.
"""The first steps of the recipes of docs/Architecture.md."""
import dataclasses
import re

HEAD = "// Licensed under the MIT License. See LICENSE.\n\n"


@dataclasses.dataclass
class Recipe:
    """One section of the page."""
    title: str
    target: str
    # New files: the path below the target's folder → the text.
    files: dict = dataclasses.field(default_factory=dict)
    # Changes of files: (path, a line that stands there, the lines that follow it).
    lines: list = dataclasses.field(default_factory=list)
    # The case that is added to an enumeration, and the files in which the compiler asks for it.
    case: str = ""
    asks: list = dataclasses.field(default_factory=list)

    def apply(self, copy):
        for path, text in self.files.items():
            place = copy / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(HEAD + text, encoding="utf-8")
        for path, anchor, text in self.lines:
            place = copy / path
            old = place.read_text(encoding="utf-8")
            new = re.sub(rf"(?m)^({re.escape(anchor)}.*\n)", lambda found: found[1] + text, old, count=1)
            if new == old:
                yield f"{self.title}: {path} has no line that begins with {anchor.strip()!r}"
            place.write_text(new, encoding="utf-8")


RECIPES = [
    Recipe("Adding a grant", "MSAL", files={"Flows/Recipe/RecipeGrant.swift": """\
import MSALBase
import MSALCore

struct RecipeGrant: TokenGrant {
    let proof: Secret

    let grantType = "urn:example:recipe"

    var parameters: FormBody {
        var form = FormBody()
        form.set(.assertion, to: proof.exposed)
        return form
    }
}

extension Parameter {
    fileprivate static let assertion = Parameter(rawValue: "assertion")
}
"""}),
    Recipe("Adding a way to sign in", "MSAL", files={"Platform/Ways/RecipeWay.swift": """\
package struct RecipeWay: SignInWay {
    package let name = WayName.recipeWay

    package func judgement(of request: WayRequest, on machine: Surroundings) -> WayJudgement {
        .impossible("it is a recipe")
    }
}
"""}, lines=[
        ("Platform/Ways/SignInWay.swift", "    case broker", "    case recipeWay\n"),
        ("Platform/Ways/WayChooser.swift", "    package static let all: [any SignInWay] = [", "        RecipeWay(),\n"),
    ], case="recipeWay", asks=["Flows/Interactive/InteractiveFlow.swift"]),
    Recipe("Adding a place for the store's key", "SealedStore", lines=[
        ("Format/KeyProviderKind.swift", "    case credentialFile", "    case recipePlace\n"),
    ], case="recipePlace", asks=["Format/KeyProviderKind.swift", "Keys/KeyCheck.swift", "Keys/StoreKeys.swift"]),
    Recipe("Adding a credential to a client", "MSALServer", files={"ClientAuthentication/RecipeAuthentication.swift": """\
import MSALBase

struct RecipeAuthentication: ClientAuthentication {
    let kind = ObservedCredential.callback

    func proof(for context: MSALAssertionContext) async throws(MSALTokenError) -> ClientProof {
        throw MSALTokenError(.credentialUnavailable, message: "It is a recipe.")
    }

    func bindingKeyID() throws(MSALTokenError) -> String {
        throw MSALTokenError(.certificateRequired, message: "It is a recipe.")
    }
}
"""}),
    Recipe("Adding a credential to the chain", "MSALServer", lines=[
        ("Credentials/MSALDefaultCredentialOptions.swift", "        case environment", "        case recipeMember\n"),
    ], case="recipeMember", asks=["Credentials/DefaultSelection.swift"]),
    Recipe("Adding a managed identity source", "MSALServer", files={"ManagedIdentity/RecipeHost.swift": """\
import Foundation
import MSALBase
import MSALCore

struct RecipeHost: ManagedIdentityHost {
    let kind = MSALManagedIdentitySource.Kind.recipe
    let words = "The recipe"
    let takenIDs = "It takes no id."

    func reason(in environment: ServerEnvironment) -> String? { environment.reason(["RECIPE_ENDPOINT"]) }

    func apiVersion(for identity: MSALManagedIdentityId) -> String? { nil }

    func parameter(for identity: MSALManagedIdentityId) -> String? { nil }

    func endpoint(in environment: ServerEnvironment) throws(MSALTokenError) -> URL {
        try environment.tokenEndpoint(environment.variable("RECIPE_ENDPOINT"), of: "RECIPE_ENDPOINT")
    }

    func complete(_ draft: inout ManagedIdentityDraft) throws(MSALTokenError) {}

    func isTemporary(status: Int) -> Bool { status == 503 }
}

extension MSALManagedIdentitySource.Kind {
    static let recipe = Self(rawValue: "recipe")
}
"""}, lines=[
        ("ManagedIdentity/ManagedIdentityHost.swift", "    package static let all: [any ManagedIdentityHost] = [",
         "        RecipeHost(),\n"),
    ]),
    Recipe("Adding a member to the directory (emulator)", "EntraEmulator", lines=[
        ("Directory/API.swift", "    public struct API", "        public var isRecipe = false\n"),
        ("Directory/API.swift", '            .summary("The client id of the API: aud of its tokens of version 2.")',
         '        members.optional("isRecipe", at: \\.isRecipe).summary("Whether it is a recipe.")\n'),
    ]),
    Recipe("Adding a policy (emulator)", "EntraEmulator", lines=[
        ("Policies/AccessRequest.swift", "        case managedDevice", "        case recipeNeed\n"),
    ], case="recipeNeed", asks=["Policies/AccessNeed+Refusal.swift", "SignIn/SignIn+Policies.swift",
                                 "NativeAuth/NativeGrant.swift", "NativeAuthV2/FlowProgress.swift"]),
    Recipe("Adding a page (emulator)", "EntraEmulator", lines=[
        ("Pages/Templates.swift", "enum Templates {", '''
    private static let recipe = """
        {{>form}}
        <button name="action" value="next">Cook</button>
        </form>
        """

'''),
        ("Pages/Templates.swift", '        "picker": picker,', '        "recipe": recipe,\n'),
        ("Pages/Pages.swift", "struct Pages: Sendable {", '''
    func recipe(_ form: Form) -> Response { page("recipe", title: "Recipe", form: form) }

'''),
    ]),
    Recipe("Adding a parameter to authorization requests", "MSALCore", lines=[
        ("Exchange/AuthorizationRequest.swift", "    package var acceptsOtherClouds = false", "    package var recipe: String?\n"),
        ("Exchange/AuthorizationRequest.swift", "        query.set(.prompt, to: prompt)",
         "        query.set(.recipe, to: recipe)\n"),
        ("OAuth/Parameter.swift", "    package static let", '    package static let recipe = Parameter("recipe")\n'),
    ]),
    Recipe("Adding a claim rule", "MSALCore", lines=[
        ("Exchange/IDTokenCheck.swift", "        try checkIssuer(claims)", "        try checkRecipe(claims)\n"),
        ("Exchange/IDTokenCheck.swift", "    private static let leeway: TimeInterval = 300", """
    private func checkRecipe(_ claims: IDTokenClaims) throws(Failure) {
        guard !claims.has("recipe") || claims["recipe"]?.string == "cooked" else {
            throw .refused(claim: "recipe", expected: "cooked", found: "something else")
        }
    }

"""),
    ]),
    Recipe("Adding a command", "MSALCLI", files={"Commands/RecipeCommand.swift": """\
import ArgumentParser
import CommandOutput
import MSAL

struct RecipeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "recipe", abstract: "Cook.")

    @OptionGroup var output: OutputOptions

    func run() throws {
        try output.show(RecipeReport(dish: "soup"))
    }
}

struct RecipeReport: Report, Encodable {
    var dish: String

    func text(_ style: Style) -> TerminalText { "\\(dish)" }
    var raw: String { dish }
}
"""}, lines=[("Commands/MSALCommand.swift", "            VersionCommand.self,", "            RecipeCommand.self,\n")]),
    Recipe("Adding a store", "MSAL", files={"Cache/Recipe/RecipeStore.swift": """\
import MSALBase
import SealedStore

struct RecipeStore: TokenStore {
    let isPrepared = true

    func prepare(_ patience: KeyPatience, for use: StoreUse) throws(StoreError) {}

    func changeCounter() throws(StoreError) -> Int64 { 0 }

    func read<R: Sendable>(
        _ body: (any TokenStoreReading) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        throw StoreError(.unreadable, message: "It is a recipe.")
    }

    func write<R: Sendable>(
        _ durability: Durability,
        body: (any TokenStoreWriting) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        throw StoreError(.unwritable, message: "It is a recipe.")
    }
}
"""}),
    Recipe("Adding a type or a property to Microsoft Graph (emulator)", "EntraEmulator", lines=[
        ("Graph/GraphTypes.swift", '            .always("businessPhones")',
         '            .selected("recipe") { user, _ in .string(user.displayName) },\n'),
    ]),
]
