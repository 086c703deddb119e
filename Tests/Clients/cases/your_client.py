# Licensed under the MIT License. See LICENSE.
"""The page “Clients”: the instructions for each client are sufficient. The code for web frameworks is part of the
apps that their own tests run, and the heavy clients have separate tests."""
import pathlib
import shutil

import snippets
from bench import API, CLIENT_ID, USER, check, free_pair

# The test with this name runs their lines.
ELSEWHERE = {
    "Flask-OIDC": "flask_oidc", "mozilla-django-oidc": "mozilla_django_oidc", "Authlib": "authlib",
    "The Azure CLI": "azure_cli", "msgraph-sdk": "msgraph", "MSAL for Node": "other_msals", "MSAL for Go": "other_msals",
    "Clients of an identity broker": "identity_broker", "Apache with mod_auth_openidc": "mod_auth_openidc",
}


def run(bench):
    shell = snippets.Shell(bench)
    here = {
        "MSAL for Python": msal_python, "azure-identity": azure_identity, "A managed identity": managed_identity,
        "Workload identity": workload_identity,
        "requests-oauthlib": requests_oauthlib, "PyJWT": pyjwt, "idpyoidc": idpyoidc, "curl": curl,
        "Java": java, "Ruby": ruby, "PHP": php,
    }
    others = {"Others that sign in here": ["web_apps", "jupyterhub", "key_vault_and_storage", "exchangelib", "rclone", "o365",
                                           "fastapi_azure_auth"],
              # The tests cannot reach their registries; the page says so.
              "MSAL.NET, MSAL4J, Spring and omniauth": []}
    cases = pathlib.Path(__file__).parent
    named = [*ELSEWHERE.values(), *(name for names in others.values() for name in names)]
    check(set(snippets.sections()) == {*ELSEWHERE, *here, *others} and all((cases / f"{name}.py").exists() for name in named),
          "every client of the page has a test")
    for title, test in here.items():
        test(bench, shell, title)


def msal_python(_, shell, title):
    check(shell.run(title, "python") == "Megan Bowen", f"{title}: a person with a browser")
    check(shell.run(title, "python", 1) == "Bearer", f"{title}: a daemon")


def azure_identity(_, shell, title):
    check(int(shell.run(title, "python")) > 0, title)


def managed_identity(bench, _, title):
    port = free_pair()
    with bench.elsewhere("--managed-identity", "--managed-identity-port", port) as place:
        shell = snippets.Shell(place)
        shell.replacements["50342"] = str(port)
        check(int(shell.run(title, "python")) > 0, title)


def workload_identity(bench, _, title):
    with bench.elsewhere("--issuers") as place:
        check(int(snippets.Shell(place).run(title, "python")) > 0, title)


def requests_oauthlib(_, shell, title):
    check(shell.run(title, "python") == "Bearer", title)


def pyjwt(bench, shell, title):
    import msal

    app = msal.PublicClientApplication(CLIENT_ID, authority=bench.authority, instance_discovery=False)
    flow = app.initiate_device_flow([f"{API}/ToDoList.Read"])
    bench.type_code(flow["user_code"])
    token = app.acquire_token_by_device_flow(flow, exit_condition=lambda _: True)["access_token"]
    check(shell.run(title, "python", TOKEN=token) == USER, title)


def idpyoidc(_, shell, title):
    check("response_type=code" in shell.run(title, "python"), title)


def curl(_, shell, title):
    check('"token_type":"Bearer"' in shell.run(title), title)


def java(_, shell, title):
    in_language(shell, title, "java")


def ruby(_, shell, title):
    in_language(shell, title, "ruby")


def php(_, shell, title):
    in_language(shell, title, "php")


def in_language(shell, title, language):
    """Runs the section's program, whose file extension is the language's name."""
    program = shutil.which(language)
    if not program:
        print(f"--  skipped: {title}: {language} is not installed")
        return
    check('"token_type":"Bearer"' in shell.run(title, language, program=program), title)
