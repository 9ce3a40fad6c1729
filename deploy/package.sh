#!/usr/bin/env bash
# Makes a Debian package and an archive from a release build: program, manual pages, completions, settings, content,
# units, the filter for fail2ban, rules and dashboard for monitoring, documentation, licences and a bill of materials.
# Needs dpkg-dev and python3.
#
#     deploy/package.sh [PROGRAM [FOLDER [STATIC]]]    default: target/release/deepwell, target/packages
#
# PROGRAM, for the Debian package, is linked to glibc and libstdc++, in the versions that the script prints at its end.
# STATIC, for the archive, has both in it and runs on any Linux. Without one, the script builds it in target/static.
# DEEPWELL_MAINTAINER="Name <address>" names who answers for the package.

set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=$(realpath "${1:-$here/target/release/deepwell}")
out=$(realpath -m "${2:-$here/target/packages}")
cd "$here"
umask 022
machine=$(uname -m)
target=$machine-unknown-linux-gnu
if [[ -n ${3:-} ]]; then
    static=$(realpath "$3")
else
    folder=$(realpath -m "${CARGO_TARGET_DIR:-target}/static")
    mkdir -p "$folder"
    cc -O2 -Wall -Werror -c deploy/static/names.c -o "$folder/names.o"
    RUSTFLAGS="-C target-feature=+crt-static" cargo rustc --release --locked --bin deepwell \
        --target "$target" --target-dir "$folder" -- -C "link-arg=$folder/names.o"
    static=$folder/$target/release/deepwell
fi
for tool in dpkg-deb dpkg-shlibdeps python3 cargo objdump readelf; do
    command -v "$tool" >/dev/null || { echo "package.sh needs $tool (Debian: dpkg-dev, python3, binutils)" >&2; exit 1; }
done

version=$("$program" --version | cut -d ' ' -f 2)
[[ $("$static" --version) == "$("$program" --version)" ]] || { echo "$program and $static are of different versions" >&2; exit 1; }
if readelf -lW "$static" | grep -q INTERP; then
    echo "$static is linked to shared libraries" >&2
    exit 1
fi
architecture=$(dpkg --print-architecture)
maintainer=${DEEPWELL_MAINTAINER:-Deepwell authors <deepwell@$(hostname -f 2>/dev/null || hostname)>}
# Time of all files in the packages.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)}
export SOURCE_DATE_EPOCH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"

# Writes the files that will be below a prefix: FOLDER, PREFIX, PROGRAM.
install_tree() {
    local root=$1 document
    install -D -m 755 "$3" "$root/bin/deepwell"
    "$program" manual "$root/share/man/man1"
    install -d "$root"/share/{bash-completion/completions,zsh/vendor-completions,fish/vendor_completions.d}
    "$program" completions bash >"$root/share/bash-completion/completions/deepwell"
    "$program" completions zsh >"$root/share/zsh/vendor-completions/_deepwell"
    "$program" completions fish >"$root/share/fish/vendor_completions.d/deepwell.fish"
    install -d "$root/share/deepwell"
    cp -r content "$root/share/deepwell/"
    for unit in deploy/systemd/*.service; do
        install -D -m 644 "$unit" "$root/lib/systemd/system/${unit##*/}"
        sed -i -e "s|/usr/local/bin/deepwell|$2/bin/deepwell|" -e "s|/usr/share/deepwell|$2/share/deepwell|" \
            "$root/lib/systemd/system/${unit##*/}"
    done
    install -D -m 644 -t "$root/lib/systemd/system/multi-user.target.d" deploy/systemd/multi-user.target.d/deepwell.conf
    install -D -m 644 deploy/systemd/deepwell.sysusers "$root/lib/sysusers.d/deepwell.conf"
    document=$root/share/doc/deepwell
    install -d "$document"
    cp -r README.md ARCHITECTURE.md CONTRIBUTING.md docs "$document/"
    install -D -m 644 -t "$document/examples/bridges" examples/bridges/*.py
    for folder in deploy/fail2ban deploy/grafana deploy/prometheus; do
        if [[ -d $folder ]]; then
            install -d "$document/deploy"
            cp -r "$folder" "$document/deploy/"
        fi
    done
    cp "$work/deepwell.cdx.json" "$work/THIRD-PARTY-LICENCES" "$document/"
}

# Writes the settings with the folders of an installation: FILE, PREFIX.
install_settings() {
    install -d "${1%/*}"
    sed -e 's|^state_dir = .*|state_dir = "/var/lib/deepwell"|' \
        -e "s|^content_dir = .*|content_dir = \"$2/share/deepwell/content\"|" config.toml >"$1"
    chmod 644 "$1"
}

# Gives all files one time, and folders and files the usual rights.
settle() {
    find "$1" -type d -exec chmod 755 {} +
    find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
}

deploy/sbom.py "$target" >"$work/deepwell.cdx.json"
deploy/sbom.py "$target" notices >"$work/THIRD-PARTY-LICENCES"
cp "$work/deepwell.cdx.json" "$out/deepwell-$version.cdx.json"

archive=deepwell-$version-$machine-linux
install_tree "$work/$archive" /usr/local "$static"
install_settings "$work/$archive/etc/deepwell/config.toml" /usr/local
cp LICENSE-MIT LICENSE-APACHE CHANGELOG.md "$work/$archive/share/doc/deepwell/"
for library in libc6 libstdc++6; do
    if [[ -f /usr/share/doc/$library/copyright ]]; then
        printf '\n%s, which is part of this program\n\n' "$library"
        cat "/usr/share/doc/$library/copyright"
    fi
done >>"$work/$archive/share/doc/deepwell/THIRD-PARTY-LICENCES"
settle "$work/$archive"
tar --sort=name --owner=0 --group=0 --numeric-owner --format=gnu -C "$work" -c "$archive" |
    gzip -9n >"$out/$archive.tar.gz"

root=$work/package
install_tree "$root/usr" /usr "$program"
install_settings "$root/etc/deepwell/config.toml" /usr
install -d "$root/etc/fail2ban"
cp -r deploy/fail2ban/. "$root/etc/fail2ban/"
find "$root/usr/share/man" -type f -exec gzip -9n {} +
install -D -m 644 deploy/debian/lintian-overrides "$root/usr/share/lintian/overrides/deepwell"
document=$root/usr/share/doc/deepwell
gzip -9nc CHANGELOG.md >"$document/changelog.gz"
printf 'deepwell (%s-1) unstable; urgency=medium\n\n  * See changelog.gz.\n\n -- %s  %s\n' \
    "$version" "$maintainer" "$(date -uRd "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$document/changelog.Debian.gz"
{
    printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\n'
    printf 'Files: *\nCopyright: the Deepwell authors\nLicense: Expat or Apache-2.0\n'
    printf 'Comment: The licences of the libraries in the program are in THIRD-PARTY-LICENCES.\n\n'
    printf 'License: Expat\n'
    sed -e '1,4d' -e 's/^$/./' -e 's/^/ /' LICENSE-MIT
    printf '\nLicense: Apache-2.0\n On Debian systems, this licence is in /usr/share/common-licenses/Apache-2.0.\n'
} >"$document/copyright"

install -d "$root/DEBIAN" "$work/shlibs/debian"
printf 'Source: deepwell\n\nPackage: deepwell\nArchitecture: any\n' >"$work/shlibs/debian/control"
libraries=$(cd "$work/shlibs" && dpkg-shlibdeps -O "$program" 2>/dev/null | sed 's/^shlibs:Depends=//')
cat >"$root/DEBIAN/control" <<CONTROL
Package: deepwell
Version: $version-1
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --exclude=DEBIAN "$root" | cut -f 1)
Depends: $libraries, systemd-standalone-sysusers | systemd
Suggests: fail2ban, prometheus
Section: net
Priority: optional
Description: multiplayer text-dungeon server
 Players explore a well and dungeons of which each room is created when a player
 first enters it, by telnet, telnet over TLS, or a web client that the server
 delivers. Builders extend the world while it runs.
CONTROL
(cd "$root" && find etc -type f -printf '/%p\n' | LC_ALL=C sort) >"$root/DEBIAN/conffiles"
(cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
install -m 755 deploy/debian/{postinst,prerm,postrm} "$root/DEBIAN/"
chmod 644 "$root"/DEBIAN/{control,conffiles,md5sums}
settle "$root"
dpkg-deb --root-owner-group --build "$root" "$out/deepwell_${version}-1_$architecture.deb" >/dev/null

glibc=$(objdump -T "$program" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1)
glibcxx=$(objdump -T "$program" | grep -o 'GLIBCXX_[0-9.]*' | sort -Vu | tail -n 1 || true)
for file in "deepwell_${version}-1_$architecture.deb" "$archive.tar.gz" "deepwell-$version.cdx.json"; do
    printf '%s  %s\n' "$(sha256sum "$out/$file" | cut -d ' ' -f 1)" "$file"
done
echo "the program of the package needs ${glibc/_/ } ${glibcxx/_/ }; that of the archive needs no library"
