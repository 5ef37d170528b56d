# Sourced by the tests of `carom sweep`: a sweep of so many jobs, one in a hundred of which fails, disturbed by three
# kills and undisturbed. Needs $carom, $scenes and $work.

# write_sweep COUNT: COUNT / 100 frictions, and 100 normals, one of which has no length.
write_sweep() {
    awk -v n="$(($1 / 100))" -v scene="$scenes/impact/rod-friction.json" 'BEGIN {
        printf "{ \"carom\": 1, \"kind\": \"sweep\", \"scene\": \"%s\",\n  \"axes\": [\n", scene
        printf "    { \"path\": \"contacts.0.friction\", \"from\": 0, \"to\": 1, \"count\": %d },\n", n
        printf "    { \"path\": \"contacts.0.normal\", \"values\": [[0, 0, 0]"
        for (i = 1; i < 100; i++) printf ", [%.17g, 0, %.17g]", sin(i / 200), -cos(i / 200)
        printf "] } ] }\n"
    }' > "$work/sweep.json"
}

# kill_while_running LINES: starts it, and kills it and all its processes as soon as its journal has grown by so many
# lines. Who comes late, as on a busy machine, takes the rest back: a kill leaves the beginning of the journal.
kill_while_running() {
    local before=0 now=0
    if [ -e "$work/killed.journal" ]; then before=$(wc -l < "$work/killed.journal"); fi
    setsid "$carom" sweep "$work/sweep.json" --jobs 2 --out "$work/killed" > "$work/log" 2>&1 &
    local group=$!
    while kill -0 "$group" 2> "$work/gone"; do
        if [ -e "$work/killed.journal" ]; then now=$(wc -l < "$work/killed.journal"); fi
        if [ "$now" -gt "$((before + $1))" ]; then break; fi
    done
    kill -9 -- "-$group" 2> "$work/gone" || true
    wait "$group" 2> "$work/gone" || true
    head -n "$((before + $1 + 1))" "$work/killed.journal" > "$work/left"
    mv "$work/left" "$work/killed.journal"
    echo "killed with $(wc -l < "$work/killed.journal") lines in the journal"
}

# disturbed COUNT: the table after three kills is that of a run in peace.
disturbed() {
    write_sweep "$1"
    "$carom" sweep "$work/sweep.json" --jobs 2 --out "$work/peace" > "$work/log" 2>&1 && fail "failed jobs are exit code 1"
    grep -q "^$1 jobs: $(($1 - $1 / 100)) done, $(($1 / 100)) failed, 0 missing" "$work/log" || fail "$(cat "$work/log")"
    kill_while_running "$(($1 / 10))"
    printf '0123456789abcdef\tok\tcut in the mid' >> "$work/killed.journal" # as if a line had been cut
    kill_while_running "$(($1 / 10))"
    kill_while_running "$(($1 / 10))"
    lines=$(wc -l < "$work/killed.journal")
    [ "$lines" -lt "$1" ] || fail "it was killed before its end"
    "$carom" sweep "$work/sweep.json" --jobs 2 --out "$work/killed" > "$work/log" 2>&1 || true
    cmp "$work/peace.csv" "$work/killed.csv" || fail "the table differs from that of a run in peace"
    cmp "$work/peace.npz" "$work/killed.npz" || fail "the archive differs from that of a run in peace"
    again=$(cut -f 1 "$work/killed.journal" | sort | uniq -d | wc -l)
    [ "$again" -le 6 ] || fail "$again jobs were run twice: at most those in flight may"
    [ "$(wc -l < "$work/killed.csv")" = "$(($1 + 1))" ] || fail "a line per job"
}
