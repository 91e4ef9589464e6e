#!/bin/sh
# Shows what bestfirst does: judge format in, answers out; then one board step by step. Usage: demo.sh [bestfirst command]
set -eu
bestfirst=${1:-bestfirst}
folder=$(dirname "$0")

say() {
    if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then printf '\n\033[1m%s\033[0m\n' "$*"; else printf '\n%s\n' "$*"; fi
}

say "The first run compiles each search (ten to twenty seconds each); later runs find it on disk."

say "Flood-It: the fewest moves for each board of examples/flood-it.txt"
"$bestfirst" solve flood-it "$folder/flood-it.txt"

say "Mayan game: the moves that clear the board of examples/mayan-game.txt"
"$bestfirst" solve mayan-game "$folder/mayan-game.txt"

say "One Flood-It board, step by step"
"$bestfirst" solve flood-it "$folder/flood-it-small.txt" --steps --stats
