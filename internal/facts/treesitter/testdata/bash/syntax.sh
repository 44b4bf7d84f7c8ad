#!/usr/bin/env bash
. ./lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/other.sh"
source "$HOME/tools/more.sh"
source "$1"
load test_helper

readonly MAX=3 MIN=1
declare -a LIST=(a "$MAX" b)
declare -rx CONST=1
export PATH_X=/x HOME
alias ll='ls -l'

# Greets somebody.
# With a name.
function greet() {
  local name="$1" n other=$MAX
  declare -g GLOBAL=1
  for f in "$@" "${LIST[@]}"; do echo "${name:-$other} $f $((MAX + n)) ${#name}"; done
  NAME=$name run_it "${LIST[@]}"
  case $1 in a) run_it;; b|c) echo;; esac
  if greet x && ! missing; then return; elif [[ -n $n ]]; then :; fi
  unset NAME; name+=1; LIST[MAX]=2; SET_HERE=$(greet "$n")
  inner() { echo "$name $SET_HERE"; }
}

run_it() {
  trap cleanup EXIT
  trap 'greet "$MAX"; cleanup' INT
  x=`greet b`
  read -r first second <<< "$x"
  echo "$first" <<EOF
$MAX ${name} $(run_it)
EOF
  cat <<'EOF'
$MAX run_it
EOF
  command greet -v; type -t run_it; complete -F greet prog; export -f greet
  while read -r line; do echo "$line $second"; done < <(greet)
}

function cleanup { rm -f "$TMP"; }
dash-name() { greet | run_it; }
echo "greet" greet $'run_it' 'greet' # greet
[[ -n "$MAX" ]] || run_it $name
"$greet" x; ./greet
