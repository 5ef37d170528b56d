# Every scene shows its subject, on a phone and on a desk. Pictures, and sheets of them to look at, stay in BUILD/web.
exec bash "$(dirname "$0")/../web/view.sh" "$1" "$2" "$3" scenes
