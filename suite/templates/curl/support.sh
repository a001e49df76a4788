# What the tests share. They need curl and jq.

base_url=${WALLACE_BASE_URL:-'http://localhost:8080'}
base_url=${base_url%/}

# Sends a request: method, path, options of curl. The answer goes to variables.
send() {
  exchange "$@" || fail "$no_answer"
}

# Sends a request that is not answered: the connection ends, and the service still listens.
expect_no_answer() {
  exchange "$@" && fail "answer: expected none, found status $status"
  # An answer cut short, an empty one, what could not be sent or received.
  case $? in
    18 | 52 | 55 | 56) ;;
    *) fail "$no_answer" ;;
  esac
}

no_answer="no answer; is the service running? Set WALLACE_BASE_URL if it is somewhere else"

exchange() {
  method=$1 path=$2
  shift 2
  case $path in
    /*) url=$base_url$path ;;
    *) url=$(elsewhere "$path") ;;
  esac
  sent="$method $url"
  # With the verb alone curl waits for the body that the length announces.
  if [ "$method" = HEAD ]; then set -- --head --output /dev/null "$@"; fi
  answer=$(
    curl --silent --show-error --globoff --path-as-is --noproxy '*' --max-time 60 \
      -H 'Expect:' --dump-header "$headers" --request "$method" --write-out '\n%{content_type}\n%{http_code}.' "$@" \
      "$url"
  ) || return
  answer=${answer%.}
  status=${answer##*"$newline"}
  answer=${answer%"$newline"*}
  media_type=$(printf '%s' "${answer##*"$newline"}" | sed 's/;.*//; s/ *$//' | tr 'A-Z' 'a-z')
  body=${answer%"$newline"*}
}

newline='
'

# The headers of the last answer.
headers=$(mktemp) || exit
trap 'rm -f "$headers"' EXIT

# The value at a JSON pointer (RFC 6901) is there.
prelude='def steps($pointer): $pointer | split("/")[1:] | map(gsub("~1"; "/") | gsub("~0"; "~"));
def below($step):
  if type == "object" and has($step) then [.[$step]]
  elif type == "array" and ($step | test("^[0-9]+$")) and ($step | tonumber) < length
  then [.[$step | tonumber]]
  else [] end;
def at($pointer): reduce steps($pointer)[] as $step ([.]; if . == [] then . else .[0] | below($step) end);
'

expect_status() {
  [ "$status" = "$1" ] || fail "status: expected $1, found $status"
}

expect_media_type() {
  [ "$media_type" = "$1" ] || fail "media type: expected $1, found $media_type"
}

expect_header() {
  grep -qi "^$1: *[^[:space:]]" "$headers" || fail "header $1: expected some, found none"
}

expect_text() {
  [ "$body" = "$1" ] || fail "body: expected another text"
}

# The value at a pointer fulfils a condition of jq.
expect() {
  printf '%s' "$body" | jq --exit-status --arg pointer "$1" \
    "$prelude at(\$pointer) | . != [] and (.[0] | $2)" >/dev/null 2>&1 ||
    fail "${1:-body}: expected $2, found $(value "$1" 2>/dev/null)"
}

expect_absent() {
  printf '%s' "$body" | jq --exit-status --arg pointer "$1" "$prelude at(\$pointer) == []" \
    >/dev/null 2>&1 || fail "$1: expected nothing"
}

# The value at a pointer, as JSON.
value() {
  printf '%s' "$body" | jq --compact-output --exit-status --arg pointer "$1" \
    "$prelude at(\$pointer) | if . == [] then error(\"nothing\") else .[0] end"
}

# The value of a header, as JSON.
header() {
  expect_header "$1"
  grep -i "^$1:" "$headers" | tail -n 1 | sed 's/^[^:]*: *//' | tr -d '\r\n' | jq --raw-input --slurp .
}

# A part of the path of the address at a pointer, counted from the last, which is 1, and of the path
# that the header Location leads to; as JSON.
part_of_address() {
  part "$(plain "$(value "$1")")" "$2"
}

part_of_location() {
  part "$(plain "$(header location)")" "$1"
}

part() {
  part=$(
    printf '%s' "$1" | jq --raw-input --slurp --raw-output --argjson place "$2" \
      'sub("^[a-z]+://[^/]*"; "") | sub("[?#].*"; "") | split("/") | map(select(. != "")) |
        .[-$place] // error("nothing")'
  ) || return
  printf '%s' "$part" | LC_ALL=C awk -v hex=0123456789abcdef '
    function digit(place) { return index(hex, tolower(substr($0, RSTART + place, 1))) - 1 }
    {
      while (match($0, /%[0-9A-Fa-f][0-9A-Fa-f]/)) {
        printf "%s%c", substr($0, 1, RSTART - 1), digit(1) * 16 + digit(2)
        $0 = substr($0, RSTART + 3)
      }
      printf "%s", $0
    }' | jq --raw-input --slurp .
}

# A JSON value as text without quotes, as a segment of a path, and inside of a JSON string.
plain() {
  printf '%s' "$1" | jq --raw-output .
}

segment() {
  printf '%s' "$1" | jq --raw-output '(if type == "string" then . else tojson end) | @uri'
}

quoted() {
  printf '%s' "$1" | jq --raw-input --slurp --raw-output 'tojson | .[1:-1]'
}

# The URL of what is not asked of the service: the driver is named by URL, host or port.
elsewhere() {
  case $1 in
    *://*) echo "$1"; return ;;
  esac
  case ${1%%/*} in
    *[!0-9]*) echo "http://$1" ;;
    *) echo "http://localhost:$1" ;;
  esac
}

# Has a driver start the service or bring its state back.
start() {
  driver=$(elsewhere "$WALLACE_DRIVER")
  api=${driver%/}/controller/api
  curl --silent --show-error --fail --noproxy '*' -H 'Connection: keep-alive' --request PUT \
    -H 'Content-Type: application/json' --data '{"run":true,"resetState":true}' "$api/runSUT" ||
    fail 'the driver cannot start the service'
  base_url=$(curl --silent --fail --noproxy '*' -H 'Connection: keep-alive' "$api/infoSUT" |
    jq --raw-output .data.baseUrlOfSUT)
}

fail() {
  printf '%s\n\nrequest: %s\n\nanswer: %s %s\n%s\n' \
    "$1" "$sent" "$status" "$media_type" "$body" >&2
  exit 1
}

# Runs tests one after the other; the exit code is 1 if any failed.
run_tests() {
  failed=0
  for test in "$@"; do
    if (
      [ -z "${WALLACE_DRIVER:-}" ] || start
      "$test"
    ); then
      echo "ok $test"
    else
      echo "not ok $test"
      failed=1
    fi
  done
  exit "$failed"
}
