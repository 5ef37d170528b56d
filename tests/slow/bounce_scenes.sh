# The scenes with bounce maps are sound, with the maps that they ask for; tests/scenes/bounce_* take smaller ones.
exec "$1" check $(grep -l '"bounce"' "$3"/scenes/world/*.json)
