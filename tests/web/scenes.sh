# A scene of each kind shows its subject, on a phone or on a desk; tests/slow/scenes_seen.sh opens all of them.
exec bash "$(dirname "$0")/view.sh" "$1" "$2" "$3" scenes impact/pool-break chain/wall tower/tipping world/seesaw
