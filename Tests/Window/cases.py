# Licensed under the MIT License. See LICENSE.
"""What somebody does with the window, and what the window says."""
from harness import USER

ALEX = "alex@contoso.example"


def the_tutorial(screen):
    """The four buttons, in the order of the tutorial."""
    app = screen.app()
    app.shows("Graph Window", "Signed out", "Sign in to call Microsoft Graph")
    assert not app.is_enabled("Sign Out"), "nobody is signed in, and can sign out"
    app.picture("1-signed-out")
    app.press("Get device info")
    app.await_log("Device info not returned: The device is not known")
    app.press("Details Details")  # libadwaita gives the button its label and its title.
    app.leave_dialog("OK")
    app.press("Call Microsoft Graph API")
    app.find("Continue in your browser")
    assert not app.is_enabled("Sign In"), "a second sign-in can begin"
    screen.sign_in(app)
    app.await_log("Result from Graph: 200")
    assert f'"userPrincipalName" : "{USER}"' in app.log
    app.shows("Megan Bowen", USER)
    assert not app.all("Continue in your browser"), "it still waits"
    app.picture("2-graph")
    app.press("Sign Out")
    app.await_log("Sign out of Megan Bowen completed successfully.")
    app.shows("Signed out")


def two_people(screen):
    """Both are in the picker, and the choice counts for Graph."""
    app = screen.app()
    app.press("Sign In")
    screen.sign_in(app)
    app.press("Accounts")
    app.press("Another account")
    screen.sign_in(app, ALEX)
    app.press("Call Microsoft Graph API")
    app.await_log(f'"userPrincipalName" : "{ALEX}"')
    app.press("Accounts")
    app.picture("3-picker")
    app.press(f"Megan Bowen, {USER}")
    app.await_log("Megan Bowen is the current account.")
    app.press("Call Microsoft Graph API")
    app.await_log(f'"userPrincipalName" : "{USER}"')
    app.press("Sign Out")
    app.await_log("Sign out of Megan Bowen completed successfully.")
    app.shows("Alex Wilber")


def the_user_gives_up(screen):
    app = screen.app()
    app.press("Sign In")
    app.press("Cancel")
    app.await_log("The sign-in was given up")
    app.press("Sign In")
    app.find("Cancel")


CASES = {
    "Call Graph, sign out, get device info": the_tutorial,
    "two people sign in, and the picker chooses": two_people,
    "a sign-in is given up, and another begins": the_user_gives_up,
}
