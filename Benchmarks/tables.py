# Licensed under the MIT License. See LICENSE.
"""The rows of docs/Performance.md, by table. Each has its text on the page, and its name and number of accounts in the output."""
import typing

BUILDS = "First builds, with all dependencies"
STATIC = "`msal` with the Swift runtime linked statically, from exec to exit"
SHARED = "`msal` with the shared runtime, from exec to exit"
HELPERS = "Credential helpers with one account, from exec to exit"
PEAKS = "Peak memory of programs"
CHECKS = "Full checks of access tokens"
SEALING = "A value of 2 KB for the shared cache"
SESSIONS = "A page of a web application that only checks the session"
ADAPTER = "An authorization adapter for MCP clients"
EMULATOR_START = "Emulator: start"
EMULATOR_TOKENS = "Emulator: tokens"
EMULATOR_DIRECTORY = "Emulator: policies and directory"
EMULATOR_USERS = "Emulator: number of users, processor time of a request"
EMULATOR_MEMORY = "Emulator: memory"
API = "Tokens that an API receives (accounts: tokens)"
SERVER = "Application tokens (accounts: tenants)"
STORE_CACHE = "Shared cache over a store in this process (accounts: sessions)"
CORES = "Hits of concurrent tasks, random accounts or tenants"
REFRESHES = "Refreshes, at an endpoint in another process"
NATIVE = "Native sign-ins with a password, at an endpoint in another process"
ACCOUNTS = "Accounts, over the store"
HITS = "Hits, over the store"
HITS_IN_MEMORY = "Hits, in memory"
MEMORY = "Memory per account looked up"
IMPORTS = "Import of one file into an empty store, in a separate process"
REDIS = "Shared cache over Valkey (accounts: sessions)"
POSTGRES = "Shared cache over PostgreSQL (accounts: sessions)"
CHANGES = "Hits while another process commits, over the store"


class Entry(typing.NamedTuple):
    title: str
    # The name in the output, with the group and the number of accounts.
    name: str
    # In a comparison: what one library does and another does not. Empty if their work is the same.
    difference: str = ""
    # In a comparison of programs: the names of the rows of MSAL Go and MSAL Python, which are otherwise peers in the row itself.
    others: tuple = (None, None)


def rows(group, *entries, difference=""):
    """Entries of a group: the text on the page, the row, and the number of accounts if there is one."""
    return [Entry(title, f"{group}: {row}" + "".join(f", {count} account{'' if count == 1 else 's'}" for count in accounts),
                  difference) for title, row, *accounts in entries]


# First builds: the text on the page, and the beginning of the names of three rows.
BUILT = {
    "`scripts/demo` in a new clone": "scripts/demo --headless in a new clone",
    "app on `MSAL`, debug": "app on MSAL, debug",
    "app on `MSAL`, release": "app on MSAL, release",
    "service on `MSALServer`, debug": "service on MSALServer, debug",
    "service on `MSALServer`, release": "service on MSALServer, release",
}

PLAIN = {
    "waits": [
        *rows(STATIC,
              ("`msal token`, statically linked", "msal token, 1 account"),
              ("Go program with MSAL Go", "Go program with MSAL Go"),
              ("Python script with MSAL Python", "Python script with MSAL Python"),
              ("`az account get-access-token`", "az account get-access-token")),
        *rows(SHARED, ("`msal token`, shared runtime", "msal token, 1 account")),
        *rows(EMULATOR_START,
              ("emulator: start to first response", "start, from exec to the first response"),
              ("emulator: very first start", "very first start, from exec to the first response"),
              ("emulator: first sign-in", "first sign-in after the start")),
        *rows(EMULATOR_TOKENS,
              ("emulator: refreshes per second and core", "refreshes per second with one signature, one core")),
        *rows(API, ("full token checks per second and core", "full checks per second and core", 1)),
        *rows(CHECKS,
              ("golang-jwt, likewise", "golang-jwt, per second and core"),
              ("PyJWT, likewise", "PyJWT, per second and core")),
        *rows(API, ("whole API request: middleware, cached check, handler",
                    "Hummingbird, processor time of a request with the check of a cached token", 1000)),
    ],
    "memory": [
        *rows(PEAKS,
              ("`msal token`, statically linked", "msal token, static"),
              ("`msal token`, shared runtime", "msal token, shared runtime"),
              ("Go program with MSAL Go", "Go program with MSAL Go"),
              ("Python script with MSAL Python", "Python script with MSAL Python"),
              ("`az account get-access-token`", "az account get-access-token")),
        *rows(MEMORY,
              ("app after one hit, private", "process after one hit, over the store", 1)),
        *rows(API, ("API on Hummingbird under load", "Hummingbird, memory of the server after these requests", 1000)),
        *rows(EMULATOR_START, ("emulator after the first response", "memory after the first response")),
        *rows(EMULATOR_MEMORY,
              ("emulator: growth over 50,000 tokens", "growth over the first 50000 tokens")),
    ],
    "calls": [
        *rows(ACCOUNTS,
              ("first lookup of a process", "account(forIdentifier:), first lookup of a process", 1000),
              ("`account(forIdentifier:)`, first lookup", "account(forIdentifier:), first lookup of each account", 1000),
              ("`account(forUsername:)`, first lookup", "account(forUsername:), first lookup of each account", 1000),
              ("`allAccounts()`, first call, per account", "allAccounts(), first call of a process, per account", 1000)),
        *rows(HITS,
              ("first token of an account", "first token of an account", 1000),
              ("hit, 100,000 accounts", "one account", 100_000)),
        *rows(CHANGES, ("first hit after a commit, another account", "first hit after a commit, another account", 1000)),
        *rows(NATIVE, ("native sign-in V2, stored, without TLS", "V2 stored, without TLS and network")),
        *rows(IMPORTS, ("import of 10,000 accounts", "time", 10_000)),
        *rows(CORES,
              ("two tasks relative to one", "over the store, 2 tasks relative to one", 1000),
              ("likewise, in memory", "in memory, 2 tasks relative to one", 1000),
              ("likewise, application tokens", "application tokens, 2 tasks relative to one", 1000)),
        *rows(HELPERS, ("`msal git-credential`, beyond `msal token`", "msal git-credential get, beyond msal token")),
    ],
    "services": [
        *rows(SERVER,
              ("10,000 cached tenants relative to one", "cached token, relative to one tenant", 10_000),
              ("growth of a cache of 64 MiB, relative to its limit",
               "growth with 10 resources per tenant, relative to the limit of 64 MiB", 10_000)),
        *rows(API,
              ("full check of a new token", "full check of a new token", 1),
              ("cached token", "cached token", 1000),
              ("rejection: another tenant", "rejection before the signature: another tenant", 1),
              ("peak heap use of 1,000,000 tokens", "peak heap use of different tokens", 1_000_000),
              ("heap use per set of six keys", "heap use per set of six keys", 200),
              ("throughput with the check, relative to without",
               "Hummingbird, requests per second with the check, relative to without", 1000)),
        *rows(SESSIONS, ("page that checks a session", "session in memory")),
        *rows(ADAPTER, ("sign-in through the adapter for MCP clients", "sign-in through the adapter")),
        *rows(STORE_CACHE,
              ("shared cache: hit relative to without", "cached token, relative to without a shared cache", 1000),
              ("shared cache: token from the store", "token from the store", 1050),
              ("unresponsive store: slowest call", "unresponsive store: slowest call", 100),
              ("redemptions of 20,000 callers", "redemptions of 20 instances with 1,000 callers each", 1)),
        *rows(REDIS,
              ("Redis: token, beyond a round trip", "token from the store, elapsed time beyond one round trip", 1050),
              ("Redis paused: slowest call", "paused server: slowest call", 100)),
        *rows(POSTGRES,
              ("PostgreSQL: token, beyond a round trip", "token from the store, elapsed time beyond one round trip", 1050)),
    ],
    "emulator": [
        *rows(EMULATOR_TOKENS,
              ("refreshes relative to bare signatures",
               "refreshes with one signature, relative to the crypto library's rate"),
              ("`POST /tokens`, likewise", "POST /tokens, relative to the crypto library's rate"),
              ("200 refreshes per second: 99th percentile", "200 refreshes per second: 99th percentile")),
        *rows(EMULATOR_DIRECTORY,
              ("sign-ins per second through the pages", "sign-ins per second through the pages"),
              ("50 policies, addition to a refresh", "50 policies, addition to a refresh"),
              ("snapshot and restore, 10,000 users", "snapshot and restore", 10_000)),
        *rows(EMULATOR_USERS, ("`/me`, 100,000 users relative to ten", "/me, relative to ten users", 100_000)),
    ],
}

PAIRS = [
    *(entry._replace(others=tuple(other.name for other in rows(STATIC, ("", "Go program with MSAL Go"),
                                                               ("", "Python script with MSAL Python"))))
      for entry in rows(STATIC, ("a program that prints a token", "msal token, 1 account"), difference="no: encryption")),
    *rows(REFRESHES,
          ("refresh, stored, 1 account", "stored, without TLS and network", 1),
          ("refresh, stored, 1,000 accounts", "stored, without TLS and network", 1000),
          difference="no: encryption, wait for disk"),
    *rows(REFRESHES,
          ("refresh, in memory, 1 account", "in memory, without TLS and network", 1),
          ("refresh, in memory, 1,000 accounts", "in memory, without TLS and network", 1000)),
    *rows(HITS,
          ("hit, stored, 1 account", "one account", 1),
          ("hit, stored, 1,000 accounts", "repeated, 1000 accounts in random order", 1000),
          difference="no: encryption"),
    *rows(HITS_IN_MEMORY,
          ("hit, in memory, 1 account", "one account", 1),
          ("hit, in memory, 1,000 accounts", "repeated, 1000 accounts in random order", 1000)),
    *rows(ACCOUNTS,
          ("`allAccounts()`, 1,000 accounts, each", "allAccounts(), repeated, per account", 1000),
          difference="no: encryption"),
    *rows(CHANGES,
          ("first hit after a commit, 1,000 accounts", "first hit after a commit, changed account", 1000),
          difference="no: encryption"),
    *rows(SERVER,
          ("application token, 1 tenant", "cached token, from a task", 1),
          ("application token, 1,000 tenants", "cached token, from a task", 1000)),
    *rows(SERVER,
          ("token on behalf of a user", "cached token on behalf of a user (accounts: users)", 1),
          difference="Go: yes"),
    *rows(MEMORY, ("memory per account, in memory", "growth in memory, including the cache", 4000)),
]


def names():
    """The names of all rows that the page shows."""
    built = {f"{BUILDS}: {row}, {what}" for row in BUILT.values() for what in ("elapsed", "CPU", "steps")}
    return built | {entry.name for entries in (*PLAIN.values(), PAIRS) for entry in entries}
