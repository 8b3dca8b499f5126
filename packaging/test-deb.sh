#!/usr/bin/env bash
# Installs a .deb into a clean Debian, tries everything it brings, removes it, and checks that nothing is left.
# usage: packaging/test-deb.sh FILE.deb [ROOT]
# ROOT is a directory with a Debian system; without it one is made with debootstrap, which needs root and a mirror.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
deb=$(realpath "$1")
root=${2:-} made='' pts=''
clean_up() {
    # First the mount: nothing of the host's is deleted.
    [ -z "$pts" ] || umount "$pts" || exit 1
    [ -z "$made" ] || rm -rf --one-file-system "$made"
}
trap clean_up EXIT

if [ -z "$root" ]; then
    root=$(mktemp -d)
    made=$root
    debootstrap --variant=minbase --include=man-db,bash-completion,zsh,fish stable "$root" >/dev/null
    # Minimal systems leave manual pages out; here they are what is tested.
    rm -f "$root/etc/dpkg/dpkg.cfg.d/docker" "$root/etc/dpkg/dpkg.cfg.d/excludes"
fi

# zsh's completions are tried in a pseudo terminal.
if ! mountpoint --quiet "$root/dev/pts"; then
    mkdir -p "$root/dev/pts"
    mount --bind /dev/pts "$root/dev/pts"
    [ -e "$root/dev/ptmx" ] || ln -s pts/ptmx "$root/dev/ptmx"
    pts="$root/dev/pts"
fi

inside() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 "$@"; }
check() { printf '%s\n' "ok: $1"; }
fail() { printf '%s\n' "FAILED: $1" >&2; exit 1; }
files() { (cd "$root" && find usr etc opt var/lib/dpkg/info -type f | sort); }

cp "$deb" "$root/tmp/recovery.deb"
cp "$here/../recovery-cli/tests/complete.sh" "$root/tmp/complete.sh"
before=$(files)
inside dpkg --install /tmp/recovery.deb >/dev/null
# shellcheck disable=SC2016 # dpkg-query expands it
check "installed $(inside dpkg-query --show --showformat '${Package} ${Version}, ${Installed-Size} KiB, needs: ${Depends}' recovery)"

version=$(inside recovery --version)
[ "$version" = "recovery $(dpkg-deb --field "$deb" Version | sed 's/-[0-9]*$//')" ] || fail "recovery --version says $version"
check "$version"
inside recovery --version --verbose | grep --quiet '^commit  [0-9a-f]\{12\}' || fail "the commit is not known"
check "$(inside recovery --version --verbose | grep '^commit')"

inside env MANPAGER=cat man recovery >"$root/tmp/page" 2>/dev/null
grep --quiet 'GLOBAL OPTIONS' "$root/tmp/page" || fail "man recovery"
inside env MANPAGER=cat man recovery-run >"$root/tmp/page" 2>/dev/null
grep --quiet -- '--retries' "$root/tmp/page" || fail "man recovery-run"
check "man recovery, man recovery-run"

for shell in bash zsh fish; do
    case $shell in
    bash) file=/usr/share/bash-completion/completions/recovery ;;
    zsh) file=/usr/share/zsh/vendor-completions/_recovery ;;
    fish) file=/usr/share/fish/vendor_completions.d/recovery.fish ;;
    esac
    if ! inside sh -c "command -v $shell" >/dev/null; then
        printf '%s\n' "not tried: $shell is not installed there"
        continue
    fi
    inside bash /tmp/complete.sh "$shell" "$file" 'recovery cl' | grep --quiet classify || fail "$shell completes no command"
    inside bash /tmp/complete.sh "$shell" "$file" 'recovery scan --since' | grep --quiet -- '--since-green' || fail "$shell completes no option"
    check "completions in $shell"
done

printf 'npm error code ECONNRESET\n' | inside recovery classify | grep --quiet 'Connection failed, temporary' || fail "classify"
check "recovery classify"

inside dpkg --purge recovery >/dev/null
rm "$root/tmp/recovery.deb" "$root/tmp/complete.sh" "$root/tmp/page"
[ "$(files)" = "$before" ] || fail "files are left: $(diff <(printf '%s\n' "$before") <(files))"
check "removed, nothing is left"
