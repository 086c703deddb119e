# Licensed under the MIT License. See LICENSE.
"""Linux on Windows (WSL). The launchers are simulated: they pass the address to the person's Chromium, which plays the browser of
Windows."""
from harness import USER


BENEATH_WINDOWS = {"WSL_DISTRO_NAME": "Debian", "WSL_INTEROP": "/run/WSL/8_interop"}
# PowerShell reads its last argument as a program, with the address between apostrophes.
POWERSHELL = """"$(printf %s "$4" | /usr/bin/sed -n "s/^Start-Process '\\([^']*\\)'$/\\1/p")\""""


def signs_in(machine, launcher):
    machine.environment |= BENEATH_WINDOWS
    reason = f"{launcher} opens a browser here"
    plan = machine.explains("browser", reason)
    assert "Debian beneath Windows" in plan["machine"], plan["machine"]
    login = machine.begin(machine.msal, "login")
    machine.person.sign_in(machine.address(login))
    said = login.end()
    assert "browser is tried first" in said and reason in said and f"Signed in as {USER}" in said
    machine.signed_in()
    return f"browser, with {launcher}"


def with_wslview(machine):
    machine.recorder("wslview")
    return signs_in(machine, "wslview")


def with_powershell(machine):
    """wslview is in a separate package; PowerShell is always available."""
    machine.recorder("powershell.exe", POWERSHELL)
    return signs_in(machine, "powershell.exe")


def goes_on_after_a_launcher_that_fails(machine):
    machine.environment |= BENEATH_WINDOWS
    machine.program("wslview", "exit 1")
    machine.recorder("powershell.exe", POWERSHELL)
    login = machine.begin(machine.msal, "login")
    machine.person.sign_in(machine.address(login))
    assert f"Signed in as {USER}" in login.end()
    return "browser, with powershell.exe after wslview"


CASES = {
    "WSL with wslview": with_wslview,
    "WSL with only PowerShell": with_powershell,
    "WSL with a wslview that fails": goes_on_after_a_launcher_that_fails,
}
