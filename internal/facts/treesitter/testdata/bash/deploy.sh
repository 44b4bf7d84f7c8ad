#!/bin/sh
set -eu
ROOT=$(cd "$(dirname "$0")" && pwd)
. "$ROOT/lib/log.sh"

usage() {
	echo "usage: $0 [-n] target"
	exit 2
}

deploy() {
	target=$1
	log_info "deploying $target"
	for host in $(hosts "$target"); do
		rsync -a "$ROOT/" "$host:/srv" || log_error "$host"
	done
}

hosts() { sed -n "s/^$1 //p" "$ROOT/hosts"; }

[ $# -gt 0 ] || usage
deploy "$1"
