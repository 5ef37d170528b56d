# Some scenes of each kind show their subject; tests/slow/scenes_seen.sh opens all of them.
exec bash "$(dirname "$0")/view.sh" "$1" "$2" "$3" scenes impact/pool-break chain/wall tower/tipping world/letters
