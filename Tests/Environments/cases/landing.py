# Licensed under the MIT License. See LICENSE.
"""The final pages: success and failure, with the library's texts and an app's own. Each is photographed in light and
dark, on a desktop and a phone, and has to be usable."""


def library(machine):
    recorder = machine.recorder("browser")
    for heading, status, act in [("You are signed in", 0, machine.person.sign_in),
                                 ("Sign-in did not complete", 130, None)]:
        login = machine.begin(machine.msal, "login", "--prompt", "login", BROWSER=str(recorder))
        finish(machine, login, heading, "library", status, act)


def app(machine):
    recorder, program = machine.recorder("browser"), str(machine.bench.build / "EnvironmentApp")
    for heading, status, act in [("Willkommen", 0, machine.person.sign_in), ("Das hat nicht geklappt", 1, None)]:
        machine.person.forget()
        login = machine.begin(program, "com.contoso.notes", "login", BROWSER=str(recorder))
        finish(machine, login, heading, "app", status, act)


def finish(machine, login, heading, name, status, act):
    address = machine.address(login)
    (machine.folder / "address").unlink()
    if act:
        act(address, machine.person.landed(heading))
    else:
        machine.person.decline(address, heading)
    machine.person.usual.look(f"{name}-{'signed-in' if status == 0 else 'failed'}")
    login.end(status)


CASES = {"the library's texts": library, "an app's own texts": app}
