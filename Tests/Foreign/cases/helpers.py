# Licensed under the MIT License. See LICENSE.
"""Tokens for git, Docker and Kubernetes: with each program if it is installed, and its protocol in any case."""
import base64
import json
import shlex
import shutil
import subprocess
import sys
import time

from registry import NOBODY, REGISTRIES, REGISTRY, exchanged
from wire import Answer, as_json, basic, page

DEVOPS = "499b84ac-1321-427f-aa17-267ca6975798"
KUBERNETES = "6dae42f8-4368-4678-94ff-3960e28e3630"
SERVER = "files.contoso.com"


def refusal(challenge):
    return Answer(401, b"", {"WWW-Authenticate": challenge})


# git

def git(world, *arguments, **more):
    environment = {**world.environment, "GIT_TERMINAL_PROMPT": "0", "GIT_CONFIG_NOSYSTEM": "1",
                   "GIT_CONFIG_GLOBAL": str(world.folder / "gitconfig"), **more}
    return subprocess.run(["git", *arguments], env=environment, cwd=world.folder, text=True, capture_output=True,
                          timeout=60, check=False)


def helper(world, *options):
    """Makes git use the command."""
    command = shlex.join([str(world.build / "msal"), "git-credential", *options])
    (world.folder / "gitconfig").write_text(
        f'[user]\n\tname = Megan\n\temail = megan@contoso.example\n[credential]\n\thelper = "!{command}"\n')


def repository(world):
    """A repository that a web server can serve as files to any client with the token."""
    work, bare = world.folder / "work", world.folder / "project"
    assert git(world, "init", "--quiet", str(work)).returncode == 0
    (work / "README").write_text("Hello\n")
    for arguments in [("add", "."), ("commit", "--quiet", "-m", "Begin")]:
        assert git(world, "-C", str(work), *arguments).returncode == 0
    assert git(world, "clone", "--quiet", "--bare", str(work), str(bare)).returncode == 0
    assert git(world, "-C", str(bare), "update-server-info").returncode == 0

    def respond(request):
        known = basic(request)
        if known is None or known[1] not in world.service.access_tokens:
            return refusal('Basic realm="https://dev.azure.com/"')
        path = (bare / request.path.partition("/_git/project/")[2]).resolve()
        assert path.is_relative_to(bare)
        return Answer(200, path.read_bytes()) if path.is_file() else page("Not found", 404)

    world.service.always("other", respond)


def cloned(address):
    def case(world):
        helper(world)
        repository(world)
        world.login("--scope", f"{DEVOPS}/.default")
        done = git(world, "clone", "--quiet", address, "copy")
        assert done.returncode == 0, done.stderr
        assert (world.folder / "copy" / "README").read_text() == "Hello\n"
        assert "msal: the token of " in done.stderr
        sent = [basic(request) for request in world.service.requests if basic(request)]
        if "contoso@" in address:
            # git may try the user name in an address with an empty password before it runs a helper.
            if sent[0] == ("contoso", ""):
                sent.pop(0)
            assert {user_and_token[0] for user_and_token in sent} == {"contoso"}
        assert sent and {user_and_token[1] for user_and_token in sent} == {"access-1"}
    return case


def not_signed_in(world):
    helper(world)
    repository(world)
    done = git(world, "clone", "--quiet", "https://dev.azure.com/contoso/_git/project", "copy")
    assert done.returncode != 0 and "told us to quit" in done.stderr, done.stderr
    assert f"{DEVOPS}/.default" in done.stderr or "msal login" in done.stderr, done.stderr


def git_says(world, host, *more, scheme="https"):
    lines = "".join(f"{line}\n" for line in (f"protocol={scheme}", f"host={host}", *more))
    return world.msal("git-credential", "get", stdin=f"{lines}\n")


def git_protocol(world):
    world.login("--scope", f"{DEVOPS}/.default")
    given = git_says(world, "dev.azure.com", "path=contoso/_git/project")
    assert given.status == 0 and "password=access-1\n" in given.out and "password_expiry_utc=" in given.out, given
    for host in ["github.com", "dev.azure.com.attacker.example", "xvisualstudio.com", "a\rb", "x" * 65_536]:
        foreign = git_says(world, host)
        assert (foreign.status, foreign.out) == (0, ""), foreign
    for host in ["DEV.azure.com", "dev.azure.com:443", "dev.azure.com/x", "megan@dev.azure.com"]:
        refused = git_says(world, host)
        assert refused.out == "quit=1\n" and refused.status == 2, refused
    assert git_says(world, "dev.azure.com", scheme="http").out == "quit=1\n"
    stranger = git_says(world, "dev.azure.com", "username=nobody@contoso.example")
    assert stranger.out == "quit=1\n" and stranger.status == 4
    for action in ["store", "erase", "something-new"]:
        assert world.msal("git-credential", action, stdin="protocol=https\n\n").text == ""


# Docker

def exchange(world):
    """A registry that exchanges tokens, as Azure's do; returns the token that it issues."""
    claims = base64.urlsafe_b64encode(json.dumps({"exp": int(time.time()) + 10_800}).encode()).rstrip(b"=").decode()
    refresh = f"header.{claims}.signature"
    world.service.always("other", lambda request: exchanged(world, request, refresh))
    return refresh


def docker(world, action, text, name="docker-credential-msal"):
    """The command under the name for which Docker looks."""
    link = world.folder / "bin" / name
    link.parent.mkdir(exist_ok=True)
    if not link.exists():
        link.symlink_to(world.build / "msal")
    return subprocess.run([str(link), action], input=text, env=world.environment, text=True, capture_output=True,
                          timeout=30, check=False)


def docker_protocol(world):
    refresh = exchange(world)
    world.login("--scope", f"{REGISTRIES}/.default")
    for text in [REGISTRY, f"https://{REGISTRY}\n", REGISTRY]:
        done = docker(world, "get", text)
        assert done.returncode == 0, done
        assert json.loads(done.stdout) == {"ServerURL": REGISTRY, "Username": NOBODY, "Secret": refresh}
    assert len(world.service.at(REGISTRY)) == 1, "the token was exchanged again"
    kept = [path for path in (world.folder / "store").rglob("registries/*") if path.is_file()]
    assert len(kept) == 1 and refresh.encode() not in kept[0].read_bytes() and kept[0].stat().st_mode & 0o077 == 0
    assert world.msal("token", "--refresh", "--scope", f"{REGISTRIES}/.default").status == 0
    assert docker(world, "get", REGISTRY).returncode == 0
    assert len(world.service.at(REGISTRY)) == 2, "the key is derived from the token, which is a different one now"
    for text in ["docker.io", "x" * 65_536]:
        foreign = docker(world, "get", text)
        assert (foreign.returncode, foreign.stdout) == (1, "credentials not found in native keychain\n"), foreign
    for text in ["CONTOSO.azurecr.io", f"{REGISTRY}:443", f"{REGISTRY}/v2", f"u@{REGISTRY}", f"http://{REGISTRY}",
                 f"{REGISTRY}\nx"]:
        refused = docker(world, "get", text)
        assert refused.returncode == 1 and "credentials not found" not in refused.stdout and refused.stdout, refused
    other_cloud = docker(world, "get", "contoso.azurecr.us")
    assert other_cloud.returncode == 1 and "another cloud" in other_cloud.stdout
    assert docker(world, "list", "").stdout == "{}\n"
    assert docker(world, "version", "").stdout.startswith("docker-credential-msal ")
    for action in ["store", "erase"]:
        done = docker(world, action, '{"ServerURL":"https://contoso.azurecr.io"}')
        assert (done.returncode, done.stdout) == (0, ""), done
    assert len(world.service.at(REGISTRY)) == 2


def docker_not_signed_in(world):
    done = docker(world, "get", REGISTRY)
    assert done.returncode == 1 and "Not signed in." in done.stdout and "msal login" in done.stdout, done


# Kubernetes

def execution(version):
    return json.dumps({"apiVersion": f"client.authentication.k8s.io/{version}", "kind": "ExecCredential",
                       "spec": {"interactive": False}})


def kube_protocol(world):
    world.login("--scope", f"{KUBERNETES}/.default")
    for version in ["v1", "v1beta1"]:
        outcome = world.msal("kube-token", KUBERNETES_EXEC_INFO=execution(version))
        assert outcome.status == 0, outcome
        assert outcome.json["apiVersion"] == f"client.authentication.k8s.io/{version}"
        assert outcome.json["kind"] == "ExecCredential" and outcome.json["status"]["token"] == "access-1"
        assert outcome.json["status"]["expirationTimestamp"].endswith("Z")
        assert outcome.errors.startswith("msal: the token of ")
    assert world.msal("kube-token").json["apiVersion"].endswith("/v1")
    for wrong in ["{", execution("v1alpha1"), "x" * 65_536]:
        refused = world.msal("kube-token", KUBERNETES_EXEC_INFO=wrong)
        assert refused.status == 2 and refused.out == "", refused
    own = world.msal("kube-token", "--server-id", "api://contoso")
    assert own.status == 0 and world.service.seen("token")[-1].form["scope"].startswith("api://contoso/.default")


def kube_at_once(world):
    """64 clients whose token has expired request one at the same time."""
    world.service.response = {"expires_in": 1}
    world.login("--scope", f"{KUBERNETES}/.default")
    world.service.response = {}
    before = len(world.service.seen("token"))
    processes = [subprocess.Popen([str(world.build / "msal"), "kube-token"], env=world.environment, text=True,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                 for _ in range(64)]
    answers = [process.communicate(timeout=120) for process in processes]
    assert all(process.returncode == 0 for process in processes), answers
    assert {json.loads(out)["status"]["token"] for out, _ in answers} == {"access-2"}
    assert len(world.service.seen("token")) == before + 1


def kubeconfig(world, version):
    path = world.folder / "kubeconfig"
    authority = base64.b64encode(world.trusted.file.read_bytes()).decode()
    path.write_text(json.dumps({
        "apiVersion": "v1", "kind": "Config", "current-context": "c",
        "clusters": [{"name": "c", "cluster": {"server": f"https://{SERVER}", "certificate-authority-data": authority}}],
        "contexts": [{"name": "c", "context": {"cluster": "c", "user": "c"}}],
        "users": [{"name": "c", "user": {"exec": {
            "apiVersion": f"client.authentication.k8s.io/{version}", "command": str(world.build / "msal"),
            "args": ["kube-token"], "interactiveMode": "IfAvailable"}}}],
    }))
    return path


def api_server(world):
    def respond(request):
        if request.headers.get("authorization") != "Bearer access-1":
            return as_json({"kind": "Status", "status": "Failure", "code": 401}, 401)
        if request.path == "/version":
            return as_json({"major": "1", "minor": "32", "gitVersion": "v1.32.0"})
        return as_json({"kind": "NamespaceList", "apiVersion": "v1", "metadata": {},
                        "items": [{"metadata": {"name": "default"}}]})
    world.service.always("other", respond)


def kubectl(world):
    if not shutil.which("kubectl"):
        print("       kubectl is not installed; skipped", flush=True)
        return
    api_server(world)
    world.login("--scope", f"{KUBERNETES}/.default")
    client = json.loads(subprocess.run(["kubectl", "version", "--client", "-o", "json"], text=True, capture_output=True,
                                       timeout=60, check=True).stdout)["clientVersion"]
    # Debian's version is 1.20. The form v1 came with 1.22, and v1beta1 remains supported.
    newer = (int(client["major"]), int("".join(filter(str.isdigit, client["minor"])))) >= (1, 22)
    for version in ["v1beta1"] + ["v1"] * newer:
        done = subprocess.run(["kubectl", "--kubeconfig", str(kubeconfig(world, version)), "get", "--raw", "/version"],
                              env=world.environment, text=True, capture_output=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["minor"] == "32"


def kubernetes_in_python(world):
    api_server(world)
    world.login("--scope", f"{KUBERNETES}/.default")
    program = ("import kubernetes, sys; kubernetes.config.load_kube_config(sys.argv[1]); "
               "print([n.metadata.name for n in kubernetes.client.CoreV1Api().list_namespace().items])")
    done = subprocess.run([sys.executable, "-c", program, str(kubeconfig(world, "v1beta1"))], env=world.environment,
                          text=True, capture_output=True, timeout=60, check=False)
    assert done.returncode == 0 and "default" in done.stdout, done.stderr


CASES = {
    "git clones from Azure DevOps": cloned("https://dev.azure.com/contoso/_git/project"),
    "git clones with the organization in the address": cloned("https://contoso@dev.azure.com/contoso/_git/project"),
    "git clones from the older address of Azure DevOps": cloned("https://contoso.visualstudio.com/_git/project"),
    "git is told to stop if no user is signed in": not_signed_in,
    "git's protocol, and rejected requests": git_protocol,
    "Docker's protocol, the exchange, and rejected requests": docker_protocol,
    "Docker is told if no user is signed in": docker_not_signed_in,
    "the exec plugin's protocol in both versions": kube_protocol,
    "64 simultaneous clients renew a token once": kube_at_once,
    "kubectl calls an API server, with the versions that it supports": kubectl,
    "Kubernetes' library for Python calls an API server": kubernetes_in_python,
}
