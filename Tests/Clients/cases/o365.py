# Licensed under the MIT License. See LICENSE.
"""O365: a person and a daemon call Graph. It supports only Microsoft's hosts."""
import O365
from O365.utils.token import MemoryTokenBackend

from bench import OWN_ID, TENANT, USER, check
from names import leading

SECRET = "A-secret-1"
REDIRECT = "http://localhost/auth"


def run(bench):
    with bench.with_application(
            options=["--service-names"], secrets=[SECRET], grantedRoles={"00000003-0000-0000-c000-000000000000": ["User.Read.All"]}) as place, \
            leading({".microsoftonline.com": place.emulator.port, "graph.microsoft.com": place.emulator.port}):
        tokens = MemoryTokenBackend()
        account = O365.Account((OWN_ID, SECRET), tenant_id=TENANT, token_backend=tokens)
        check(account.authenticate(requested_scopes=["User.Read"], redirect_uri=REDIRECT,
                                   handle_consent=lambda url: place.person().open(url, until=REDIRECT).url), "O365 signs Megan in")
        check(account.get_current_user_data().display_name == "Megan Bowen", "O365 shows her name")
        account.con.refresh_token()
        check(account.get_current_user_data().user_principal_name == USER, "O365 works after a refresh, too")
        daemon = O365.Account((OWN_ID, SECRET), tenant_id=TENANT, auth_flow_type="credentials", token_backend=MemoryTokenBackend())
        check(daemon.authenticate(), "a daemon signs in")
        check(USER in [one.user_principal_name for one in daemon.directory().get_users()], "the daemon reads the directory")
