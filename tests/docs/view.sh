# The viewer's server: the page, sources, and what it refuses. Raw requests through bash's own sockets.
# Called with the command, the build folder and the source folder.
set -uo pipefail
trap '' PIPE # a refused request may be closed before it was sent
carom=$1 source=$3
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0 failed=0
check() { # CLAIM, then the truth as a command
    local claim=$1
    shift
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $claim"; head -c 600 answer 2>/dev/null; fi
}

"$carom" run "$source/scenes/world/dropped-ball.json" --out ball.carom --quiet || exit 1
cp "$source/scenes/world/dropped-ball.json" live.json
"$carom" view ball.carom "$source/scenes/world/pyramid.json" live.json --no-browser > link 2> words &
server=$!
for _ in $(seq 1000); do [ -s link ] && break; kill -0 $server 2>/dev/null || break; sleep 0.1; done
if grep -q 'has no viewer' words; then # a build without Node: it must say what to install
    check "says what to install" grep -q 'Fix: install' words
    server=
    echo "$passed passed, $failed failed; this build has no viewer"
    exit $((failed > 0))
fi
port=$(sed -n 's#^http://127.0.0.1:\([0-9]*\)/$#\1#p' link)
check "prints its link" test -n "$port"
host=127.0.0.1:$port

# ask PATH [HEADER...]: the status goes to `status`, head and body to `answer`.
ask() {
    local path=$1 line
    shift
    [ $# -gt 0 ] || set -- "Host: $host"
    exec 3<> "/dev/tcp/127.0.0.1/$port"
    { printf 'GET %s HTTP/1.1\r\n' "$path"; for line; do printf '%s\r\n' "$line"; done; printf 'Connection: close\r\n\r\n'; } >&3
    timeout 200 cat <&3 > answer
    exec 3>&-
    status=$(sed -n '1s/^HTTP[^ ]* \([0-9]*\).*/\1/p' answer)
}
is() { [ "$status" = "$1" ]; }

ask /; check "the page" is 200
check "is HTML" grep -q '<!doctype html>' answer
for header in "Content-Security-Policy: default-src 'none'" "X-Content-Type-Options: nosniff" "Referrer-Policy: no-referrer" \
    "Cross-Origin-Resource-Policy: same-origin"; do
    check "sends $header" grep -q "$header" answer
done
ask /viewer.js; check "the script" is 200
ask /viewer.css; check "the style" is 200
ask /sources; check "three sources" grep -q '"sources": 3' answer
ask '/describe?source=0'; check "describes its source" grep -q '"title"' answer
ask '/describe?source=1'; check "and the scene" grep -q 'pyramid' answer
ask '/surfaces?source=1'; check "surfaces" is 200
ask '/frames?source=0&first=0&count=2'; check "frames" is 200
bodies=2 # the ball and the floor: 2 frames, 13 floats of 4 bytes each
check "of the right size" grep -qa "Content-Length: $((2 * bodies * 13 * 4))" answer
ask '/contacts?source=0&frame=0'; check "contacts" is 200
for query in '/describe?source=3' '/describe?source=-1' '/describe' '/describe?source=0x0' '/describe?source=99999999999999999999'; do
    ask "$query"; check "no source: $query" is 404
done
for query in '/frames?source=0&first=0&count=99999999' '/frames?source=0&first=999999&count=1' '/frames?source=0' \
    '/contacts?source=0&frame=999999' '/values?source=0&frame=999999' '/news?source=0' '/news?source=0&have=x'; do
    ask "$query"; check "no such frames: $query" is 400
done
# nothing of the disk
for path in /../../etc/passwd /..%2f..%2fetc/passwd //etc/passwd /%2e%2e/%2e%2e/etc/passwd /ball.carom /viewer.js/../link; do
    ask "$path"; check "no file: $path" is 404
    check "and no line of it" bash -c '! grep -q root: answer'
done
# nobody from elsewhere
ask /sources%00x; check "a zero byte in the path" is 400
ask '/describe?source=0%00'; check "a zero byte in a parameter" is 400
ask " /sources"; check "two blanks before the path" is 400
ask %20/sources; check "a path that does not begin with a slash" is 400
ask /sources "Host: $host" "Content-Length: 0" "Content-Length: 5"; check "two lengths" is 400
ask /sources "Host: $host" "Host: $host"; check "two hosts" is 400
ask /sources "Host: example.com"; check "a foreign host" is 403
ask /sources "Host: 127.0.0.1"; check "a host without the port" is 403
ask /sources "Host: localhost:$port"; check "localhost is ours" is 200
ask /sources "Host: $host" "Origin: http://example.com"; check "a foreign origin" is 403
ask /sources "Host: $host" "Origin: null"; check "an origin that hides" is 403
ask /sources "Host: $host" "Origin: http://$host"; check "our own origin" is 200
python3 "$source/tests/docs/view_attack.py" 127.0.0.1 "$port" > answer; check "malformed requests, all refused" test $? = 0
# large and slow
ask /sources "Host: $host" "X-Long: $(head -c 40000 /dev/zero | tr '\0' a)"
check "headers beyond the limit" bash -c '[[ $1 =~ ^(4..|)$ ]]' - "$status"
ask "/$(head -c 30000 /dev/zero | tr '\0' a)"; check "an endless path" bash -c '[[ $1 =~ ^(4..|)$ ]]' - "$status"
exec 4<> "/dev/tcp/127.0.0.1/$port"
printf 'GET /sources HT' >&4 # and nothing more
ask /sources; check "others are served while one is slow" is 200
# a byte every second is never silent; all places but two are held that way
drips=()
for i in $(seq 29); do exec {one}<> "/dev/tcp/127.0.0.1/$port"; drips+=($one); printf 'GET /sources HTTP/1.1\r\nX:' >&$one; done
(trap '' PIPE; while :; do for one in "${drips[@]}"; do printf a >&$one 2>/dev/null; done; sleep 1; done) 2> /dev/null & drip=$!
# changes: only a POST without a body, from our own page, to a run
post() { # PATH BODY [HEADER...]
    local path=$1 body=$2 line
    shift 2
    exec 3<> "/dev/tcp/127.0.0.1/$port"
    { printf 'POST %s HTTP/1.1\r\nContent-Length: %d\r\n' "$path" ${#body}; for line; do printf '%s\r\n' "$line"; done
      printf 'Connection: close\r\n\r\n%s' "$body"; } >&3
    timeout 200 cat <&3 > answer
    exec 3>&-
    status=$(sed -n '1s/^HTTP[^ ]* \([0-9]*\).*/\1/p' answer)
}
ours="Origin: http://$host"
post /sources "x=1" "Host: $host" "$ours"; check "nothing else can be posted" is 405
post '/control?source=2&from=0&restitution=0.5' "" "Host: $host" "$ours"; check "a change" is 200
post '/control?source=2&from=0&restitution=0.5' "" "Host: $host"; check "not without an origin" is 403
post '/control?source=2&from=0&restitution=0.5' "" "Host: $host" "Origin: http://example.com"; check "not from elsewhere" is 403
post '/control?source=2&from=0&restitution=0.5' "" "Host: example.com" "Origin: http://example.com"; check "nor by another name" is 403
post '/control?source=2&from=0&restitution=1.5' "" "Host: $host" "$ours"; check "what cannot be" is 400
post '/control?source=2&from=0&law=nonsense' "" "Host: $host" "$ours"; check "no such law" is 400
check "which one is meant" grep -q 'nonsense' answer
post '/control?source=2&from=0&gravity_x=1' "" "Host: $host" "$ours"; check "half a gravity" is 400
post '/control?source=2&from=0&friction=nan' "" "Host: $host" "$ours"; check "no number" is 400
post '/control?source=2&restitution=0.5' "" "Host: $host" "$ours"; check "from nowhere" is 400
post '/control?source=0&from=0&restitution=0.5' "" "Host: $host" "$ours"; check "a recording cannot be changed" is 400
post '/control?source=9&from=0' "" "Host: $host" "$ours"; check "no such source" is 404
post '/control?source=2&from=0' "$(head -c 3000 /dev/zero | tr '\0' a)" "Host: $host" "$ours"
check "a change with a body" bash -c '[[ $1 =~ ^(4..|)$ ]]' - "$status"
for method in PUT DELETE OPTIONS TRACE; do
    exec 3<> "/dev/tcp/127.0.0.1/$port"
    printf '%s /sources HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n' $method "$host" >&3
    timeout 200 cat <&3 > answer; exec 3>&-
    check "no $method" grep -q '^HTTP/1.1 405' answer
done
held=0
for one in "${drips[@]}"; do timeout 200 cat <&$one > slow || { held=1; break; }; done # ends when the server ends it
check "those that drip are sent away, as long as they drip" test $held = 0
kill $drip 2> /dev/null; wait $drip 2> /dev/null
for one in "${drips[@]}"; do exec {one}>&-; done
timeout 200 cat <&4 > slow; check "the slow one is sent away" test $? = 0
exec 4>&-
# the file becomes shorter under the server, then it is replaced
cp ball.carom whole.carom
truncate -s 6000 ball.carom
ask '/frames?source=0&first=150&count=1'; check "a frame of a file that was cut" bash -c '[[ $1 =~ ^(200|400|500)$ ]]' - "$status"
"$carom" run "$source/scenes/world/dropped-ball.json" --duration 0.1 --out ball.carom --force --quiet 2> words
ask '/describe?source=0'; check "and of one that was replaced" bash -c '[[ $1 =~ ^(200|400|500)$ ]]' - "$status"
mv whole.carom ball.carom
check "still there" kill -0 $server
kill -TERM $server
wait $server
check "ends when asked to" test $? = 0
server=
# off the loopback: a token, without which nothing is served
address=$(ip -4 -o addr show scope global 2>/dev/null | sed -n '1s/.*inet \([0-9.]*\).*/\1/p')
if [ -n "$address" ]; then
    : > link
    "$carom" view ball.carom --no-browser --listen "$address" > link 2> words &
    server=$!
    for _ in $(seq 1000); do [ -s link ] && break; sleep 0.1; done
    port=$(sed -n "s#^http://$address:\([0-9]*\)/?token=[0-9a-f]\{32\}\$#\1#p" link)
    token=$(sed -n 's#.*token=##p' link)
    check "the link has a token" test -n "$port"
    ask_there() { # PATH
        exec 3<> "/dev/tcp/$address/$port"
        printf 'GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n' "$1" "$address:$port" >&3
        timeout 200 cat <&3 > answer; exec 3>&-
        status=$(sed -n '1s/^HTTP[^ ]* \([0-9]*\).*/\1/p' answer)
    }
    ask_there /sources; check "not without it" is 403
    ask_there "/sources?token=${token%?}0x"; check "not with another" is 403
    ask_there "/sources?token=$token"; check "with it" is 200
    kill -TERM $server; wait $server; server=
fi
"$carom" view ball.carom --listen 0.0.0.0 > link 2> words; check "every address is refused" test $? = 2
"$carom" view nowhere.carom > link 2> words; check "a missing file" test $? = 4
echo "$passed passed, $failed failed"
[ $failed = 0 ]
