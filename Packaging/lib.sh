# Licensed under the MIT License. See LICENSE.
# Functions shared by the release programs; sourced, not run. The caller sets `set -euo pipefail` and has VERSION as first argument.
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib.sh"

commands=(msal entra-emulator)
build=$root/.build-release
programs=$build/programs
licences=$build/licences
trees=$build/trees

version=${1-}
[ -n "$version" ] || stop "usage: $0 VERSION     such as $(library_version)"
dist=$root/dist/$version
# The address of the repository, for packages and recipes; empty if it is not set.
homepage=${MSAL_HOMEPAGE-}

# Every date in the output is that of the commit.
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export LC_ALL=C TZ=UTC
umask 022

# The names of this processor, in Debian and in image manifests.
case "$(uname -m)" in
    x86_64) architecture=amd64 ;;
    aarch64) architecture=arm64 ;;
    *) stop "A release cannot be built on a $(uname -m) processor. Use x86_64 or aarch64." ;;
esac

# The newest C library version that a program of a release may require.
oldest_glibc=2.34

# glibc_of PROGRAM: the version of the C library that a program needs. A short list of addresses to adjust needs 2.36.
glibc_of() {
    readelf --version-info --wide "$1" | grep -oE 'GLIBC_(ABI_DT_RELR|[0-9.]+)' | sed 's/.*RELR/2.36/; s/GLIBC_//' | sort -uV | tail -1
}

# compress_pages FOLDER: creates PAGE.gz for each manual page, and for each link to one.
compress_pages() {
    local link
    find "$1" -type f -name '*.1' -exec gzip --no-name --best {} +
    find "$1" -type l -name '*.1' | while read -r link; do
        ln -s "$(readlink "$link").gz" "$link.gz"
        rm "$link"
    done
}

# archive PARENT FOLDER NAME: creates a reproducible NAME.tar.gz of the files in PARENT/FOLDER, below a folder NAME. The flag S keeps
# the targets of symbolic links, such as bin/docker-credential-msal to msal.
archive() {
    tar --create --format=ustar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
        --mode=go=rX,u=rwX --directory "$1" --transform "s,^$2,$3,S" "$2" | gzip --no-name --best > "$dist/$3.tar.gz"
    say "$dist/$3.tar.gz"
}
