# Licensed under the MIT License. See LICENSE.
"""A job of an automated build, without a user and without a terminal."""
from harness import USER

CHOICES = ["--use-device-code", "--no-browser", "BROWSER", "--explain"]


def fails_at_once(machine):
    """The message names the choices, and the exit status is the documented one."""
    machine.environment["CI"] = "true"
    plan = machine.run(machine.msal, "login", "--explain", MSAL_LOG=None).text
    assert "an automatic build" in plan and "✓" not in plan, plan
    outcome = machine.run(machine.msal, "login", status=1)
    assert "Cannot sign in here" in outcome.text
    missing = [choice for choice in CHOICES if choice not in outcome.text]
    assert not missing, f"the message does not name {missing}"
    assert outcome.seconds < 10, f"it took {outcome.seconds:.0f} s"
    machine.run(machine.msal, "token", "-o", "raw", status=4)
    return f"none: status 1 after {outcome.seconds:.1f} s"


def takes_a_code(machine):
    """A code is shown if the job requests one, for a person who reads the job's log."""
    machine.environment["CI"] = "true"
    machine.explains("device-code", "a code is typed there", "--use-device-code")
    login = machine.begin(machine.msal, "login", "--use-device-code")
    code = login.await_text(r"Enter this code there:\s+(\S+)\s")[1]
    machine.person.type_code(code)
    assert f"Signed in as {USER}" in login.end()
    machine.signed_in()
    return "device-code"


CASES = {
    "CI without a terminal": fails_at_once,
    "CI without a terminal, with a device code": takes_a_code,
}
