# Licensed under the MIT License. See LICENSE.
# Functions shared by the scripts; sourced, not run. The caller sets `set -euo pipefail`.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

# shellcheck source=scripts/needs.sh
. "$root/scripts/needs.sh"
# shellcheck source=scripts/build.sh
. "$root/scripts/build.sh"

say() { printf '%s\n' "$*"; }
stop() {
    printf '%s\n' "$*" >&2
    exit 1
}

# show_help: prints the comment at the top of the script, which explains its arguments, and ends the script.
show_help() {
    sed -n '3,/^[^#]/s/^# \{0,1\}//p' "scripts/$(basename "$0")"
    exit
}

# step TITLE COMMAND...: runs a command under a headline and prints how long it took.
# A failure is recorded in `failures`, with the lines that explain it; `passed` and `skipped` are counted. If the caller sets
# `step_logs`, the command's output is kept in that folder.
passed=0
skipped=()
failures=()
step_logs=
declare -A reasons=() seconds=()
step() {
    local title=$1 start=$SECONDS status=0 log output tee
    shift
    log=$(mktemp)
    printf '\n== %s\n' "$title"
    exec {output}> >(tee "$log")
    tee=$!
    # In a subshell, so that `set -e` applies inside although a failure is caught here.
    set +e
    (
        set -e
        # Processes that a step leaves running must not hold the kept folder.
        [ -z "$kept_lock" ] || exec {kept_lock}>&-
        "$@"
    ) >&"$output" 2>&1 {output}>&-
    status=$?
    exec {output}>&-
    # Lets tee end first, but does not wait for processes that a failed step left behind with its output open.
    timeout 5 tail -s 0.05 --pid="$tee" -f /dev/null
    set -e
    seconds[$title]=$((SECONDS - start))
    if [ "$status" = 0 ]; then
        note "$title" passed
        passed=$((passed + 1))
        say "-- $title: ok, ${seconds[$title]} s"
    else
        note "$title" failed
        failures+=("$title")
        reasons[$title]=$(telling "$log")
        say "-- $title: FAILED with status $status, ${seconds[$title]} s"
    fi
    if [ -n "$step_logs" ]; then
        mv "$log" "$step_logs/${title//[^A-Za-z0-9]/-}.log"
    else
        rm -f "$log"
    fi
    return 0
}

# note TITLE RESULT: records the result of a step for Tests/Docs/results.py, if the output is kept.
note() {
    [ -z "$step_logs" ] || printf '{"test": "%s", "result": "%s"}\n' "$1" "$2" >> "$step_logs/steps.jsonl"
}

# The lines of a log that explain a failure, for a reader who sees only the end of the output: failed expectations, failed cases
# and compiler errors if there are any, otherwise the last lines.
telling() {
    grep -aE -m 20 '^(✘|FAILED)|:[0-9]+: error: ' "$1" || tail -12 "$1"
}

# sources_as_repository FOLDER [TAG]: copies the current files of the project into a folder, as a git repository with one commit,
# for packages that depend on this one by URL.
sources_as_repository() {
    mkdir -p "$1"
    git ls-files -z --cached --others --exclude-standard | xargs -0 ls -d 2> /dev/null |
        tar --create --files-from=- | tar --extract --directory "$1"
    as_repository "$@"
}

# as_repository FOLDER [TAG]: turns a folder into a git repository with one commit.
as_repository() {
    git -C "$1" init --quiet
    git -C "$1" add --all
    git -C "$1" -c user.name=check -c user.email=check@contoso.example -c commit.gpgSign=false commit --quiet --message "Current state"
    [ -z "${2-}" ] || git -C "$1" tag --no-sign "$2"
}

# skip TITLE REASON: records a step that cannot run here. Without a reason it has failed.
skip() {
    [ -n "$2" ] || { step "$1" stop "It was skipped without a reason."; return; }
    skipped+=("$1")
    note "$1" skipped
    printf '\n== %s\n-- skipped: %s\n' "$1" "$2"
}

# step_if CONDITION REASON TITLE COMMAND...: runs a step if the condition is `true`, and otherwise records it as skipped.
step_if() {
    if "$1"; then step "${@:3}"; else skip "$3" "$2"; fi
}

# at_once FUNCTION...: runs groups of steps at the same time. Only the last one prints as it runs; the output of each other group
# follows in one piece.
at_once() {
    local folder name processes=()
    folder=$(mktemp -d)
    while [ $# -gt 1 ]; do
        (
            passed=0 skipped=() failures=() reasons=() seconds=()
            "$1"
            outcome > "$folder/$1.outcome"
        ) > "$folder/$1.output" 2>&1 &
        processes+=("$1:$!")
        shift
    done
    "$1"
    for name in "${processes[@]}"; do
        wait "${name#*:}" || true
        name=${name%:*}
        cat "$folder/$name.output"
        if [ -s "$folder/$name.outcome" ]; then
            # shellcheck source=/dev/null
            . "$folder/$name.outcome"
        else
            failures+=("$name")
            reasons[$name]="It ended in the middle."
        fi
    done
    rm -rf "$folder"
}

# The results of this shell's steps, as commands that pass them to another shell.
outcome() {
    local title
    printf 'passed=$((passed + %d))\n' "$passed"
    for title in "${skipped[@]}"; do printf 'skipped+=(%q)\n' "$title"; done
    for title in "${failures[@]}"; do printf 'failures+=(%q) reasons[%q]=%q\n' "$title" "$title" "${reasons[$title]}"; done
    for title in "${!seconds[@]}"; do printf 'seconds[%q]=%q\n' "$title" "${seconds[$title]}"; done
}

# Prints the results of the steps; fails if one failed. For a run of more than 40 minutes it lists the slowest steps.
summary() {
    printf '\n%d steps passed, %d failed, %d skipped, %d s\n' \
        "$passed" "${#failures[@]}" "${#skipped[@]}" "$SECONDS"
    if [ "$SECONDS" -gt 2400 ]; then
        slowest | head -3 | sed 's/^/slow: /'
    fi
    [ ${#skipped[@]} = 0 ] || printf 'skipped: %s\n' "${skipped[@]}"
    local title
    for title in "${failures[@]}"; do
        printf 'FAILED: %s\n' "$title"
        sed 's/^/    /' <<< "${reasons[$title]}"
    done
    [ ${#failures[@]} = 0 ]
}

# The seconds and title of each step, the slowest first.
slowest() {
    local title
    for title in "${!seconds[@]}"; do printf '%s s, %s\n' "${seconds[$title]}" "$title"; done | sort -rn
}

# The version in the sources, which is the only one that can be released.
library_version() {
    sed -n 's/.*static let text = "\(.*\)".*/\1/p' Sources/MSALBase/LibraryVersion.swift
}

require_swift() {
    command -v swift > /dev/null || stop "No Swift toolchain on PATH. Install Swift 6.2 or newer: https://www.swift.org/install/"
}

# load_module_flags: flags that let swiftc see the modules that `swift build` has built, in the array `module_flags`.
# C targets need their module maps: those that SwiftPM generated, and those that packages ship in their checkouts.
module_flags=()
load_module_flags() {
    local scratch=${1:-$(scratch_folder)} build map
    build=$scratch/${2:-debug}
    [ -d "$build/Modules" ] || stop "Nothing is built. Run: swift build"
    module_flags=(-I "$build/Modules" -module-cache-path "$root/.build/module-cache-scripts")
    while IFS= read -r map; do
        module_flags+=(-Xcc "-fmodule-map-file=$map")
    done < <(
        find "$build/" -maxdepth 2 -name module.modulemap
        find "$scratch/checkouts/" -path '*/Sources/*' -name module.modulemap
    )
}

# load_link_flags FILE: flags that link a program with both libraries and their dependencies, in the array `link_flags`: what the
# msal command links, without the command itself. The file lists the objects.
link_flags=()
load_link_flags() {
    grep -v '/MSALCLI\.build/' "$(build_folder)/msal.product/Objects.LinkFileList" > "$1"
    link_flags=("@$1" -lsqlite3 -lstdc++ -lz -lm)
}

# load_example_flags EXAMPLE: flags that let swiftc see the system libraries of an example package, in the array
# `example_flags`. Fails if their headers are not installed.
example_flags=()
load_example_flags() {
    local folder library flag
    example_flags=()
    for folder in "Examples/$1"/Sources/*/; do
        [ -f "$folder/module.modulemap" ] || continue
        library=$(example_library "$1")
        pkg-config --exists "$library" 2> /dev/null || return 1
        example_flags+=(-I "$folder")
        for flag in $(pkg-config --cflags "$library"); do example_flags+=(-Xcc "$flag"); done
        for flag in $(pkg-config --libs "$library"); do example_flags+=("$flag"); done
    done
}

# The pkg-config name of an example's system library.
example_library() {
    sed -n 's/.*pkgConfig: "\([^"]*\)".*/\1/p' "Examples/$1/Package.swift"
}
