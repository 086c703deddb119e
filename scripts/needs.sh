# Licensed under the MIT License. See LICENSE.
# What a script needs from the machine, and how it gets there; lib.sh sources it. A script calls `want…` for each need and
# `install_wanted` once: everything is named before anything is installed.
#
# MSAL_INSTALL_WAIT is how many seconds it waits for another user of the package manager: 600 by default.

swift_wanted=
wanted=()
wanted_reasons=()
python_wanted=()
python_reasons=()

# want PACKAGE REASON TEST...: notes a Debian package as wanted unless the test passes.
want() {
    local package=$1 reason=$2
    shift 2
    "$@" > /dev/null 2>&1 && return 0
    wanted+=("$package")
    wanted_reasons+=("$reason")
}

# want_python MODULES REASON REQUIREMENTS...: notes files of Python packages for .venv unless these modules are there.
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

# require_folder GIGABYTES: stops unless the clone can be written and has the space that a first build takes.
require_folder() {
    local folder available
    for folder in "$root" "$root/.build" "$root/.venv"; do
        if [ -e "$folder" ] && [ ! -w "$folder" ]; then
            stop "$(id -un) cannot write to $folder, which is $(stat -c %U "$folder")'s: clone the repository into a folder that you own."
        fi
    done
    [ -d "$root/.build/debug" ] || require_space "$root" "$1"
}

# require_space FOLDER GIGABYTES: stops unless the disk of a folder has that space.
require_space() {
    local available
    available=$(($(df -Pk "$1" | awk 'NR == 2 { print $4 }') / 1048576))
    [ "$available" -ge "$2" ] || stop "$1 has $available GB left, and a first build takes $2 GB. Free some space, then try again."
}

# Says what is missing and why, and installs it; without root it prints the one line to run, and stops.
install_wanted() {
    local index command as_root
    [ -n "$swift_wanted" ] || [ ${#wanted[@]} != 0 ] || [ ${#python_wanted[@]} != 0 ] || return 0
    say "Missing here, and what it is for:"
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
            stop "This is not Debian or Ubuntu: install the equivalents of ${wanted[*]} and run this again."
        [ "$(id -u)" = 0 ] || stop "Run this${as_root}, then try again:  $command"
        install_packages "${wanted[@]}"
        wanted=() wanted_reasons=()
    fi
    if [ ${#python_wanted[@]} != 0 ]; then
        install_python "${python_wanted[@]}"
        python_wanted=() python_reasons=()
    fi
}

# without_servers COMMAND...: packages that start a server when they are installed are told not to. The command runs in a subshell.
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

# try_install FUNCTION: installs what only some systems have, for a step that is left out elsewhere. The function calls
# `want…`, or `stop` with the reason. Fails where it cannot be had; what it printed says why.
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
    # Where one list of many cannot be fetched, the others may do.
    apt_get "$logs/update" update || true
    if ! apt_get "$logs/install" install -y --no-install-recommends "$@"; then
        cat "$logs/update" "$logs/install" > "$logs/all"
        tail -20 "$logs/all" >&2
        stop "apt-get could not install $*: $(why_not "$logs/all")$(rm -rf "$logs")"
    fi
    rm -rf "$logs"
}

# apt_get LOG COMMAND...: waits as long as another process has one of the package manager's locks: that of the lists, too,
# for which apt-get itself does not wait.
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

# Only files whose checksums the lists have: scripts/requirements writes them.
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

# why_not LOG: one sentence for the failures that people meet.
why_not() {
    if grep -q 'dpkg was interrupted' "$1"; then
        echo "an earlier installation was interrupted. Run  dpkg --configure -a  as root, then try again."
    elif grep -qiE 'no space left|enough free space' "$1"; then
        echo "the disk is full. Make space, then try again."
    elif grep -q 'unmet dependencies' "$1"; then
        echo "the system's packages contradict each other. Run  apt-get --fix-broken install  as root, then try again."
    elif grep -qE 'resolv|Could not connect|unreachable|timed out|NewConnectionError|Connection (failed|refused)|Proxy|proxy' "$1"; then
        echo "the mirror cannot be reached. Look at the network, and at the proxy that the system's settings name."
    elif grep -qE 'Unable to locate package|no installation candidate' "$1"; then
        echo "the system's package sources do not have it. They are listed in /etc/apt."
    else
        echo "its last lines are above."
    fi
}
