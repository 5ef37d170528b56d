# What one can switch, save and reach by keyboard or on a phone, in a real browser.
exec bash "$(dirname "$0")/view.sh" "$1" "$2" "$3" controls
