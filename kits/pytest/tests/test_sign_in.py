# Licensed under the MIT License. See LICENSE.
"""Unmodified MSAL for Python signs in with the emulator, in tests as any user of the plugin could write them."""
import os
import subprocess
import sys
import urllib.error
import urllib.request

import msal
import pytest

from pytest_entra_emulator import ControlError, Emulator, EmulatorFailed, SignInFailed

USER = "megan@contoso.example"
SCOPES = ["User.Read"]


@pytest.fixture
def app(entra_emulator):
    return application(entra_emulator)


def application(emulator, tenant=None):
    return msal.PublicClientApplication(
        emulator.client_id, authority=emulator.authority(tenant), instance_discovery=False)


def begin(app, **more):
    return app.initiate_auth_code_flow(SCOPES, redirect_uri="http://localhost:5000", **more)


def test_a_code_is_redeemed(entra_emulator, app):
    flow = begin(app)

    response = entra_emulator.sign_in(USER, flow["auth_uri"])
    result = app.acquire_token_by_auth_code_flow(flow, response)

    assert result["id_token_claims"]["preferred_username"] == USER


def test_the_next_sign_in_has_the_claims_of_the_test(entra_emulator, app):
    entra_emulator.control.set_claims({"tier": "gold", "name": None}, user=USER, once=True)
    with pytest.raises(ControlError, match="restricted claim 'iss'"):
        entra_emulator.control.set_claims({"iss": "https://elsewhere.example"})

    for tier in ("gold", None):
        flow = begin(app)
        result = app.acquire_token_by_auth_code_flow(flow, entra_emulator.sign_in(USER, flow["auth_uri"]))

        assert result["id_token_claims"].get("tier") == tier
        assert ("name" in result["id_token_claims"]) == (tier is None)


def test_the_browser_of_msal_is_played(entra_emulator, app):
    with entra_emulator.browsing(USER) as browser:
        result = app.acquire_token_interactive(SCOPES, timeout=60)

    assert "access_token" in result, result
    assert browser.history[-1].startswith("http://localhost")


def test_a_sign_in_that_cannot_succeed_ends_with_the_reason(entra_emulator, app):
    with entra_emulator.browsing(USER, password="wrong"):
        result = app.acquire_token_interactive(SCOPES, timeout=60)

    assert "passwd was rejected" in result["error_description"]
    assert "wrong" not in result["error_description"]


def test_consent_is_declined(entra_emulator, app):
    response = entra_emulator.sign_in(USER, begin(app)["auth_uri"], consent=False)

    assert response["error"] == "access_denied"


def test_a_form_post_is_understood(entra_emulator, app):
    flow = begin(app, response_mode="form_post")

    response = entra_emulator.sign_in(USER, flow["auth_uri"])

    assert "access_token" in app.acquire_token_by_auth_code_flow(flow, response)


@pytest.mark.parametrize("user", ["mfa@fabrikam.example", "mfa-code@fabrikam.example"])
def test_codes_come_from_the_outbox(entra_emulator, user):
    app = application(entra_emulator, tenant="fabrikam.example")
    flow = begin(app)

    response = entra_emulator.sign_in(user, flow["auth_uri"])

    assert "access_token" in app.acquire_token_by_auth_code_flow(flow, response)


def test_somebody_who_stays_signed_in_is_known(entra_emulator, app):
    browser = entra_emulator.browser(USER, stay=True)
    browser.sign_in(begin(app)["auth_uri"])

    assert "code" in browser.sign_in(begin(app, prompt="none")["auth_uri"])
    assert "code" in browser.sign_in(begin(app, prompt="select_account")["auth_uri"])
    browser.forget_session()
    assert browser.sign_in(begin(app, prompt="none")["auth_uri"])["error"] == "login_required"


def test_a_device_code_is_typed(entra_emulator, app):
    flow = app.initiate_device_flow(SCOPES)

    entra_emulator.browser(USER).enter(flow["user_code"], flow["verification_uri"])

    assert "access_token" in app.acquire_token_by_device_flow(flow)


def test_the_clock_and_faults_are_the_test_s(entra_emulator, app):
    flow = begin(app)
    response = entra_emulator.sign_in(USER, flow["auth_uri"])
    entra_emulator.control.advance(120)
    assert app.acquire_token_by_auth_code_flow(flow, response)["error"] == "invalid_grant"

    flow = begin(app)
    response = entra_emulator.sign_in(USER, flow["auth_uri"])
    entra_emulator.control.fail_next("/token", status=400, body='{"error": "temporarily_unavailable"}')
    assert app.acquire_token_by_auth_code_flow(flow, response)["error"] == "temporarily_unavailable"
    assert [entry["status"] for entry in entra_emulator.control.journal(pathSuffix="/token")] == [400, 400]


def test_people_come_and_go(entra_emulator, app):
    entra_emulator.control.add_user("kim@contoso.example", "Another-pass1")
    response = entra_emulator.sign_in("kim@contoso.example", begin(app)["auth_uri"], password="Another-pass1")
    assert "code" in response

    entra_emulator.control.remove_user("kim@contoso.example")
    with pytest.raises(SignInFailed, match="loginfmt was rejected"):
        entra_emulator.sign_in("kim@contoso.example", begin(app)["auth_uri"], password="Another-pass1")


def test_an_app_is_registered(entra_emulator):
    registration = entra_emulator.control.add_app(
        "nightly", type="web", displayName="Nightly job", secrets=[{"name": "first"}])
    app = msal.ConfidentialClientApplication(
        "nightly", client_credential=registration["secrets"][0]["value"], authority=entra_emulator.authority(),
        instance_discovery=False)

    assert "access_token" in app.acquire_token_for_client(["https://graph.microsoft.com/.default"])

    assert "nightly" in [one["clientId"] for one in entra_emulator.control.apps()]
    entra_emulator.control.change("applications", "nightly", displayName="Daily job")
    entra_emulator.control.remove_app("nightly")
    with pytest.raises(ControlError, match="404"):
        entra_emulator.control.remove_app("nightly")


def test_each_test_begins_with_the_directory_of_the_start(entra_emulator):
    assert "kim@contoso.example" not in str(entra_emulator.control.users())
    assert entra_emulator.control.journal() == []


def test_another_program_gets_its_variables_and_its_browser(entra_emulator):
    program = """if True:
        import msal, os
        app = msal.PublicClientApplication(%r, authority=os.environ["ENTRA_EMULATOR_AUTHORITY"], instance_discovery=False)
        print("access_token" in app.acquire_token_interactive(["User.Read"], timeout=60))
        """ % entra_emulator.client_id
    environment = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "BROWSER": entra_emulator.browser_command(USER),
                   **entra_emulator.variables("msal-python")}

    end = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=90)

    assert end.stdout.strip().endswith("True"), end


def test_a_program_for_a_browser_can_be_started_at_once(entra_emulator):
    """A child forked by another thread would keep the file open for writing, if this process opened it."""
    opened = []
    sys.addaudithook(lambda event, arguments: opened.append(str(arguments[0])) if event == "open" else None)

    program = entra_emulator.browser_command("alex@contoso.example")

    assert opened and program not in opened
    assert os.access(program, os.X_OK) and os.stat(program).st_mode & 0o077 == 0


def test_a_page_of_the_platform_that_ends_a_sign_in_is_told(entra_emulator, app):
    with pytest.raises(SignInFailed, match="AADSTS50011"):
        entra_emulator.sign_in(USER, begin(app)["auth_uri"].replace("localhost%3A5000", "elsewhere.example"))


def test_an_emulator_of_one_test_stops(request):
    with Emulator(request.config.getoption("--entra-emulator")) as emulator:
        base = emulator.base_url
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(base, timeout=5)


def test_a_program_that_is_not_there_is_named():
    with pytest.raises(EmulatorFailed, match="--entra-emulator"):
        Emulator("/nonexistent/entra-emulator")


def test_a_program_that_does_not_start_is_quoted(request):
    with pytest.raises(EmulatorFailed, match="is not a host name"):
        Emulator(request.config.getoption("--entra-emulator"), ["--host", "a b"])


def test_a_token_needs_no_sign_in(entra_emulator):
    order = {"api": "https://graph.microsoft.com", "scopes": ["User.Read"]}

    def status(**more):
        request = urllib.request.Request(
            entra_emulator.base_url + "/v1.0/me",
            headers={"Authorization": "Bearer " + entra_emulator.access_token(USER, **order, **more)})
        try:
            with entra_emulator.control._opener.open(request, timeout=20) as response:
                return response.status
        except urllib.error.HTTPError as error:
            return error.code

    assert status() == 200
    assert status(flaw="wrongKey") == 401
    with pytest.raises(ControlError, match="api://nowhere"):
        entra_emulator.access_token(USER, api="api://nowhere")
