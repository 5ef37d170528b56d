# Containers show what they hold, in a real browser.
exec bash "$(dirname "$0")/view.sh" "$1" "$2" "$3" walls
