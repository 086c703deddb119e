# Licensed under the MIT License. See LICENSE.
# How the scripts build with SwiftPM: the environment, the folder, and the dependencies that CI keeps. lib.sh sources it.
#
# MSAL_BUILD_FOLDER is SwiftPM's scratch folder, .build by default; with MSAL_BUILD=fresh, CI compiles the dependencies, too.

# SwiftPM makes a new plan, which takes ten seconds, whenever an environment variable has changed. So it gets only these.
swift_variables=(HOME USER TMPDIR XDG_CACHE_HOME GIT_SSL_CAINFO SSL_CERT_FILE SSL_CERT_DIR MSAL_TESTS
    http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY)

# swift_command COMMAND ARGUMENTS...: `swift build`, `swift package`, or another command of SwiftPM.
# With a random hash seed, SwiftPM writes the traits of a package into the compiler's arguments in random order, and a new plan
# would compile everything.
swift_command() {
    local variable environment=()
    for variable in "${swift_variables[@]}"; do
        [ -z "${!variable-}" ] || environment+=("$variable=${!variable}")
    done
    env -i "${environment[@]}" LANG=C.UTF-8 SWIFT_DETERMINISTIC_HASHING=1 \
        PATH="$(dirname "$(command -v swift)"):/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" \
        swift "$@"
}

# The scratch folder, and the folder in it with the modules and programs of the debug build.
scratch_folder() { printf '%s\n' "${MSAL_BUILD_FOLDER:-$root/.build}"; }
build_folder() { printf '%s/debug\n' "$(scratch_folder)"; }

# swift_build ARGUMENTS...: `swift build` in the scratch folder, unless the arguments name another folder.
swift_build() {
    local arguments=()
    if [[ " $* " != *" --scratch-path "* ]]; then arguments=(--scratch-path "$(scratch_folder)"); fi
    swift_command build "${arguments[@]}" "$@"
}

# run_tests [ARGUMENTS...]: runs the tests that `swift build --build-tests` has built. `swift test` would make a new plan, because
# the tests need more environment variables than a build.
run_tests() {
    local tests
    tests=$(find "$(build_folder)/" -maxdepth 1 -name '*.xctest' 2> /dev/null | sed -n 1p || true)
    [ -n "$tests" ] || stop "The tests are not built. Run: swift build --build-tests"
    "$tests" --testing-library swift-testing ${step_logs:+--xunit-output "$step_logs/$BASHPID.xml"} "$@"
}

# CI keeps dependencies in ~/.cache/msal-swift-linux/debug and …/release, scratch folders outside the checkout. Nothing of this
# package stays in them from one run to the next, because with a leftover module a wrong import would succeed. For root they are
# in /var/cache, because some tests run the programs as another user, who cannot read /root.
if [ "$(id -u)" = 0 ]; then kept_root=/var/cache; else kept_root=${HOME-}/.cache; fi
kept_root=${XDG_CACHE_HOME:-$kept_root}/msal-swift-linux
kept_lock=
# Whether the dependencies had been compiled before this run.
kept=false

# keep_dependencies: with CI=true, makes the kept folder the scratch folder until this process ends. If it cannot be used, the
# scratch folder is .build, as without CI.
keep_dependencies() {
    [ "${CI-}" = true ] && [ "${MSAL_BUILD-}" != fresh ] && [ -z "${MSAL_BUILD_FOLDER-}" ] || return 0
    if ! mkdir -p "$kept_root" 2> /dev/null || ! [ -w "$kept_root" ]; then
        say "Cannot write to $kept_root. The dependencies are compiled in .build."
        return 0
    fi
    exec {kept_lock}> "$kept_root/lock"
    if ! flock --nonblock "$kept_lock"; then
        exec {kept_lock}>&-
        kept_lock=
        say "Another run uses $kept_root. The dependencies are compiled in .build."
        return 0
    fi
    if ! open_kept debug; then
        exec {kept_lock}>&-
        kept_lock=
        say "The dependencies could not be resolved. The output of the build names what could not be fetched."
        return 0
    fi
    export MSAL_BUILD_FOLDER=$kept_root/debug
}

# open_kept NAME: prepares a kept folder. Empties it unless its last build finished, with the same compiler and the same versions
# of the dependencies. Sets `kept` to whether it has the dependencies. Fails if the versions cannot be resolved.
open_kept() {
    local folder=$kept_root/$1 key
    require_space "$kept_root" 6
    mkdir -p "$folder"
    # Left by a run that was interrupted.
    rm -f "$folder/next-key"
    swift_command package resolve --scratch-path "$folder" || return 1
    key=$({
        swift --version 2> /dev/null
        uname -m
        grep -E '"(identity|version)"' Package.resolved
    } | sha256sum)
    kept=false
    if [ "$(cat "$folder/key" 2> /dev/null)" = "$key" ]; then
        kept=true
        delete_ours "$folder"
    else
        find "$folder" -mindepth 1 -maxdepth 1 ! -name checkouts ! -name repositories ! -name workspace-state.json -exec rm -rf {} +
    fi
    rm -f "$folder/key"
    # The names of what this run leaves behind, for the next run to delete. Without them, no later run may use the folder.
    swift_command package --scratch-path "$folder" dump-package |
        python3 -c 'import json, sys; print("\n".join(target["name"] for target in json.load(sys.stdin)["targets"]))' \
            > "$folder/ours" || return 1
    printf '%s\n' "$key" > "$folder/next-key"
}

# close_kept NAME: marks the folder as complete, because its build has finished.
close_kept() {
    [ ! -e "$kept_root/$1/next-key" ] || mv "$kept_root/$1/next-key" "$kept_root/$1/key"
}

# delete_ours FOLDER: deletes the modules, objects, programs, and tests of this package from a kept folder, and the plan, which
# SwiftPM would otherwise take for this checkout's, building the sources of the previous one.
delete_ours() {
    local build name
    rm -f "$1"/*.yaml "$1"/*-linux-gnu/*/*description.json
    for build in "$1"/*-linux-gnu/*/; do
        while IFS= read -r name; do
            rm -rf "$build/$name.build" "$build/Modules/$name".* "$build/$name.swiftmodule" "$build/$name.resources"
        done < "$1/ours"
        rm -rf "$build"/*.product "$build"/*PackageTests* "$build"/index
        find "$build" -maxdepth 1 -type f -executable -delete
    done
}
