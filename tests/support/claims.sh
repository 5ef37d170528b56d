# For tests that are shell scripts: claims about commands, counted in `passed` and `failed`. To be sourced.
passed=0 failed=0
is() { # claim, command...
    local claim=$1; shift
    if "$@" > /dev/null 2>&1; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $claim: $*"; fi
}
ends() { # code, claim, command...: output in out, errors in err
    local code=$1 claim=$2; shift 2
    "$@" > out 2> err; local got=$?
    if [ $got = "$code" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $claim: exit code $got, not $code: $*"; cat err; fi
}
