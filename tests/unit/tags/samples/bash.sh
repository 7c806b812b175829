#!/usr/bin/env bash
# Deploys a small shop.
set -euo pipefail

source ./lib/common.sh
. "$HOME/.profile"

readonly LIMIT=10
declare -A SEEN=()
declare -A later
declare -r ROOT="/srv"
export PATH="$PATH:/opt/bin" STAGE=dev
counter=0
LOG_FILE=$(make_log "$ROOT")
typeset -i depth=3
alias ll='ls -l'
alias gs="git status" gd='git diff'

# fake() { no; }
function build {
  local target=$1
  GLOBAL_IN=1
  compile "$target" | tee "$LOG_FILE"
}

function clean() {
  rm -rf "$ROOT/build"
}

deploy() (
  build api && push_image || fail "no push"
  for host in $(list_hosts); do
    upload "$host" &
  done
  wait
)

my-func.with:odd_name() { echo "class Fake"; }

function größe { länge "$1"; }

outer() {
  inner() { echo in; }
  inner
  if is_ready; then start_all; fi
  while read -r line; do
    case "$line" in
      a) handle_a ;;
      *) handle_rest "$line" ;;
    esac
  done < <(produce)
  trap cleanup EXIT
  command -v helper >/dev/null
}

cat <<EOF
function not_code() { $(expand_it) }
EOF

[[ -f x ]] && deploy
PS1=x run_shell "$@"
unset -f clean
