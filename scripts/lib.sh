# shellcheck shell=bash
# What the scripts share. Source it first: it sets ROOT and works from any folder.

ROOT=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
RELEASE=$ROOT/.build/release
VENV=$ROOT/.build/venv
export ROOT RELEASE VENV

readonly LIBRARIES=(libsodium-dev libsqlite3-dev libutf8proc-dev libpcre2-dev libzxcvbn-dev libsecret-1-dev libsystemd-dev
  libcmark-gfm-dev libcmark-gfm-extensions-dev libxml2-dev libcairo2-dev libpango1.0-dev pkg-config)
# What the toolchain itself wants beside its archive (swift.org's list for Debian).
readonly SWIFT_NEEDS=(binutils git g++ libc6-dev libcurl4 libedit2 libncurses6 libsqlite3-0 libxml2 tzdata zlib1g-dev)
readonly SWIFT_MAJOR=6 SWIFT_MINOR=2

if [[ -t 2 && -z ${NO_COLOR:-} && ${TERM:-dumb} != dumb ]]; then
  BOLD=$'\e[1m' RED=$'\e[31m' GREEN=$'\e[32m' PLAIN=$'\e[0m'
else
  BOLD='' RED='' GREEN='' PLAIN=''
fi

say() { printf '%s%s%s\n' "$BOLD" "$*" "$PLAIN" >&2; }
good() { printf '%s%s%s\n' "$GREEN" "$*" "$PLAIN" >&2; }
bad() { printf '%s%s%s\n' "$RED" "$*" "$PLAIN" >&2; }
# die CODE MESSAGE…: exit codes as the client's (64 usage, 69 unavailable, 70 internal).
die() {
  local code=$1
  shift
  bad "$(basename -- "$0"): $*"
  exit "$code"
}
# try FUNCTION: runs it in a subshell that ends at its first failing command, and leaves the exit code in `code`.
# Written with || or if, bash would switch set -e off inside it.
try() {
  set +e
  (
    set -e
    "$1"
  )
  code=$?
  set -e
}
# usage: prints the calling script's opening comment.
usage() { awk 'NR == 1 { next } !/^#/ { exit } { sub(/^# ?/, ""); print }' "$0"; }

# as_root COMMAND…: the only place where anything runs with more rights than the caller's.
as_root() {
  if ((EUID == 0)); then
    "$@"
  elif command -v sudo >/dev/null; then
    say "root is needed for: $*"
    sudo "$@"
  else
    die 69 "this needs root, and there is no sudo here: $*"
  fi
}

installed() { [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }

# ensure_packages PACKAGE…: installs the Debian packages that are missing, and says which.
ensure_packages() {
  local package missing=()
  command -v dpkg-query >/dev/null || die 69 "this is no Debian. Install by hand what these packages hold: $*"
  for package in "$@"; do
    installed "$package" || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  ((EUID == 0)) || command -v sudo >/dev/null \
    || die 69 "Debian packages are missing, and there is no sudo here. As root, run: apt-get install ${missing[*]}"
  say "Installing Debian packages: ${missing[*]}"
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300)
  # A failed update is no end: the lists at hand may do.
  as_root "${apt[@]}" update || true
  as_root "${apt[@]}" install -y --no-install-recommends "${missing[@]}" >/dev/null \
    || die 69 "apt-get could not install: ${missing[*]}"
}

# sudo resets PATH; these are the places where swift.org's archives and swiftly put the toolchain.
find_swift() {
  command -v swift >/dev/null && return
  local home folder
  home=$(getent passwd "${SUDO_USER:-$(id -un)}" | cut -d: -f6)
  for folder in /opt/swift/usr/bin /usr/local/swift/usr/bin "${SWIFTLY_BIN_DIR:-$home/.local/share/swiftly/bin}"; do
    if [[ -x $folder/swift ]]; then
      PATH=$folder:$PATH
      return
    fi
  done
  return 1
}

ensure_swift() {
  local version major minor
  find_swift || die 69 "Swift $SWIFT_MAJOR.$SWIFT_MINOR or later is needed, and there is none here. This gets it:
  curl -O https://download.swift.org/swiftly/linux/swiftly-$(uname -m).tar.gz
  tar zxf swiftly-$(uname -m).tar.gz && ./swiftly init
Other ways: https://www.swift.org/install/linux/"
  # An archive that was only unpacked may lack its libraries.
  { swift --version && swift build --version; } >/dev/null 2>&1 || ensure_packages "${SWIFT_NEEDS[@]}"
  version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9]*\.[0-9][0-9]*\).*/\1/p' | head -n 1)
  major=${version%.*} minor=${version#*.}
  if [[ -z $version ]] || ((major < SWIFT_MAJOR || (major == SWIFT_MAJOR && minor < SWIFT_MINOR))); then
    die 69 "Swift $SWIFT_MAJOR.$SWIFT_MINOR or later is needed; $(command -v swift) is ${version:-of an unknown version}. This gets it:
  swiftly install latest        (swiftly: https://www.swift.org/install/linux/)"
  fi
}

# ensure_toolchain: everything a build needs. The release link wants lld and the static C++ runtime.
ensure_toolchain() {
  local extra=()
  ensure_swift
  [[ -x $(dirname -- "$(readlink -f -- "$(command -v swiftc)")")/ld.lld ]] || extra+=(lld)
  compgen -G '/usr/lib/gcc/*/*/libstdc++.a' >/dev/null || extra+=(g++)
  command -v git >/dev/null || extra+=(git)
  ensure_packages "${LIBRARIES[@]}" "${extra[@]}"
}

# ensure_session: a session bus with a keyring on it, which tests start.
ensure_session() { ensure_packages dbus dbus-daemon dbus-bin gnome-keyring libsecret-tools; }

# ensure_papers: fonts for papers, and what looks at PDFs.
ensure_papers() { ensure_packages qpdf poppler-utils fonts-noto-core fonts-noto-cjk fonts-dejavu-core; }

# build_release: the shipped programs. Without --disable-local-rpath SwiftPM leaves a RUNPATH of $ORIGIN in them.
build_release() {
  ensure_toolchain
  (cd -- "$ROOT" && swift build -c release --disable-local-rpath) >&2 || die 70 "the release build failed"
  local program
  for program in passcode passcoded passcode-keyring passcode-logind passcode-consent passcode-consent-pdf; do
    [[ -x $RELEASE/$program ]] || die 70 "the build left no $program in $RELEASE"
  done
}

# unit_text FILE FOLDER: a unit of ours, for programs in FOLDER. systemd takes '%', '\', '"' and '$' for its own.
unit_text() {
  local folder
  folder=$(sed -e 's/[\\"]/\\&/g' -e 's/%/%%/g' -e 's/\$/$$/g' <<<"$2" | sed -e 's/[\\&|]/\\&/g')
  sed -e "s|@BIN@|$folder|g" -- "$1"
}

# ensure_venv: a Python environment with the pinned foreign clients and the JSON Schema validator.
ensure_venv() {
  local wanted='varlink==31.0.0 asyncvarlink==0.3.3 jsonschema==4.26.0'
  [[ -x $VENV/bin/python && $(cat -- "$VENV/wanted" 2>/dev/null) == "$wanted" ]] && return
  command -v python3 >/dev/null || ensure_packages python3
  python3 -c 'import ensurepip, venv' 2>/dev/null || ensure_packages python3-venv
  say "Making a Python environment: $wanted"
  rm -rf -- "$VENV"
  python3 -m venv "$VENV"
  # shellcheck disable=SC2086  # one word per requirement
  "$VENV/bin/pip" install -q --disable-pip-version-check $wanted || die 69 "pip could not install: $wanted"
  printf '%s' "$wanted" >"$VENV/wanted"
}

# private_home FOLDER: from here on every file and socket of passcoded lies under FOLDER, and no store of the user's is seen.
private_home() {
  umask 077
  mkdir -p -- "$1"/{data,config,state,run}
  export XDG_DATA_HOME=$1/data XDG_CONFIG_HOME=$1/config XDG_STATE_HOME=$1/state XDG_RUNTIME_DIR=$1/run
  unset PASSCODED_STORE PASSCODED_SOCKET
}
