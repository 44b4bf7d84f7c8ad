#!/usr/bin/env bash
# Deploys a release. Not a function: fake() {
set -euo pipefail

readonly ROOT_DIR="$(pwd)"
declare -r MAX_TRIES=3
alias ll='ls -l'

# Prints usage.
usage() {
  cat <<EOF_USAGE
usage: deploy [name]
not_a_function() {
  it's only text
EOF_USAGE
}

function build-image {
  local tag=$1
  awk 'function inner(x) {
    return x
  }
  { print inner($1) }' "$tag"
}

function push::all() {
  if [[ $# -gt 0 ]]; then
    usage
  fi
  echo $((1 << 4))
}

main() ( usage )
main "$@"
