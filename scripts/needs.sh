# Licensed under the MIT License. See LICENSE.
# What a script needs from the machine, and how to install it; lib.sh sources this file. A script calls `want…` for each need and
# `install_wanted` once, so that everything is listed before anything is installed.
#
# MSAL_INSTALL_WAIT is how many seconds to wait while another process uses the package manager: 600 by default.

swift_wanted=
wanted=()
wanted_reasons=()
python_wanted=()
python_reasons=()

# want PACKAGE REASON TEST...: requests a Debian package unless the test passes.
want() {
    local package=$1 reason=$2
    shift 2
    "$@" > /dev/null 2>&1 && return 0
    wanted+=("$package")
    wanted_reasons+=("$reason")
}

# want_python MODULES REASON REQUIREMENTS...: requests files of Python packages for .venv unless these modules are installed.
want_python() {
    local modules=$1 reason=$2
    shift 2
    .venv/bin/python -c "import $modules" 2> /dev/null && return 0
    python_wanted+=("$@")
    python_reasons+=("$reason")
}

want_swift() {
    local version
    version=$(swift --version 2> /dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' | head -1) || true
    if [ -z "$version" ]; then
        swift_wanted="Swift 6.2 or newer (https://www.swift.org/install/)"
    elif [ "$(printf '%s\n' 6.2 "$version" | sort -V | head -1)" != 6.2 ]; then
        swift_wanted="Swift 6.2 or newer instead of $version (https://www.swift.org/install/)"
    fi
}

want_sqlite() {
    want libsqlite3-dev "the SQLite headers that the token store is compiled against" \
        test -e /usr/include/sqlite3.h
}

# require_folder GIGABYTES: stops unless the clone is writable and has the space that a first build takes.
require_folder() {
    local folder available
    for folder in "$root" "$root/.build" "$root/.venv"; do
        if [ -e "$folder" ] && [ ! -w "$folder" ]; then
            stop "$(id -un) cannot write to $folder, which $(stat -c %U "$folder") owns. Clone the repository into a folder that you own."
        fi
    done
    [ -d "$root/.build/debug" ] || require_space "$root" "$1"
}

# require_space FOLDER GIGABYTES: stops unless the disk of a folder has that much space.
require_space() {
    local available
    available=$(($(df -Pk "$1" | awk 'NR == 2 { print $4 }') / 1048576))
    [ "$available" -ge "$2" ] || stop "$1 has $available GB left, and a first build takes $2 GB. Free some space, then try again."
}

# Lists what is missing and why, and installs it; without root, prints the command to run, and stops.
install_wanted() {
    local index command as_root
    [ -n "$swift_wanted" ] || [ ${#wanted[@]} != 0 ] || [ ${#python_wanted[@]} != 0 ] || return 0
    say "Missing packages and their purpose:"
    [ -z "$swift_wanted" ] || printf '  %-18s %s\n' swift "compiles everything"
    for index in "${!wanted[@]}"; do printf '  %-18s %s\n' "${wanted[index]}" "${wanted_reasons[index]}"; done
    for index in "${!python_reasons[@]}"; do printf '  %-18s %s\n' .venv "Python packages: ${python_reasons[index]}"; done

    command="apt-get update && apt-get install -y --no-install-recommends ${wanted[*]}"
    as_root=
    if [ "$(id -u)" != 0 ]; then
        if command -v sudo > /dev/null; then command="sudo sh -c '$command'"; else as_root=" as root"; fi
    fi
    if [ -n "$swift_wanted" ]; then
        [ ${#wanted[@]} != 0 ] || command=
        stop "Install $swift_wanted${command:+, run${as_root}  $command}, then try again."
    fi
    if [ ${#wanted[@]} != 0 ]; then
        command -v apt-get > /dev/null ||
            stop "This is not Debian or Ubuntu. Install the equivalents of ${wanted[*]}, then run this again."
        [ "$(id -u)" = 0 ] || stop "Run this${as_root}, then try again:  $command"
        install_packages "${wanted[@]}"
        wanted=() wanted_reasons=()
    fi
    if [ ${#python_wanted[@]} != 0 ]; then
        install_python "${python_wanted[@]}"
        python_wanted=() python_reasons=()
    fi
}

# without_servers COMMAND...: keeps packages from starting a server when they are installed. The command runs in a subshell.
without_servers() {
    local policy=/usr/sbin/policy-rc.d made=false status=0
    if [ "$(id -u)" = 0 ] && [ ! -e "$policy" ]; then
        printf '#!/bin/sh\nexit 101\n' > "$policy"
        chmod +x "$policy"
        made=true
    fi
    ("$@") || status=$?
    if $made; then rm -f "$policy"; fi
    return "$status"
}

# try_install FUNCTION: installs what only some systems have, for a step that is skipped elsewhere. The function calls
# `want…`, or `stop` with the reason. Fails if it is unavailable; the output gives the reason.
try_install() {
    (
        wanted=() wanted_reasons=() python_wanted=() python_reasons=()
        "$@"
        install_wanted
    )
}

install_packages() {
    local logs
    say "Installing with apt-get: $*"
    logs=$(mktemp -d)
    # If one of many lists cannot be fetched, the others may suffice.
    apt_get "$logs/update" update || true
    if ! apt_get "$logs/install" install -y --no-install-recommends "$@"; then
        cat "$logs/update" "$logs/install" > "$logs/all"
        tail -20 "$logs/all" >&2
        stop "apt-get could not install $*: $(why_not "$logs/all")$(rm -rf "$logs")"
    fi
    rm -rf "$logs"
}

# apt_get LOG COMMAND...: waits while another process holds one of the package manager's locks, including that of the lists, for
# which apt-get itself does not wait.
apt_get() {
    local log=$1 said='' lock limit=${MSAL_INSTALL_WAIT:-600}
    local deadline=$((SECONDS + limit))
    shift
    until LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=0 "$@" > "$log" 2>&1 < /dev/null; do
        lock=$(grep -m 1 -E 'Could not get lock|is another process using it' "$log" | sed 's/^E: //') || return 1
        [ "$SECONDS" -lt "$deadline" ] || stop "The package manager was in use for $limit seconds. $lock" \
            "Wait for that process, or end it if it hangs:  ps -ef | grep -E 'apt|dpkg|unattended'"
        if [ "$lock" != "$said" ]; then
            say "Waiting up to $limit seconds for another user of the package manager. $lock"
            said=$lock
        fi
        sleep 1
    done
}

# Only files whose checksums are in the lists that scripts/requirements writes.
install_python() {
    local file log arguments=()
    say "Installing into .venv: Python packages of $*"
    for file in "$@"; do arguments+=(-r "$file"); done
    log=$(mktemp)
    if ! { python3 -m venv .venv &&
        .venv/bin/pip install --quiet --disable-pip-version-check --require-hashes "${arguments[@]}"; } > "$log" 2>&1; then
        tail -20 "$log" >&2
        stop "pip could not install the packages of $*: $(why_not "$log")$(rm -f "$log")"
    fi
    rm -f "$log"
}

# why_not LOG: one sentence for common failures.
why_not() {
    if grep -q 'dpkg was interrupted' "$1"; then
        echo "an earlier installation was interrupted. Run  dpkg --configure -a  as root, then try again."
    elif grep -qiE 'no space left|enough free space' "$1"; then
        echo "the disk is full. Free some space, then try again."
    elif grep -q 'unmet dependencies' "$1"; then
        echo "the system's packages conflict. Run  apt-get --fix-broken install  as root, then try again."
    elif grep -qE 'resolv|Could not connect|unreachable|timed out|NewConnectionError|Connection (failed|refused)|Proxy|proxy' "$1"; then
        echo "the mirror cannot be reached. Check the network and the system's proxy settings."
    elif grep -qE 'Unable to locate package|no installation candidate' "$1"; then
        echo "the system's package sources do not have it. Check the sources in /etc/apt."
    else
        echo "its last lines are above."
    fi
}
