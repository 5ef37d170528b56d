#!/usr/bin/env python3
"""Malformed requests to the viewer's server: view_attack.py HOST PORT.

Every one must be refused (4xx; 505 of another version) or the connection closed without an answer, and a sound request must be
answered as before in between. Prints what was answered that should not have been, and how many were sent."""
import random
import socket
import sys

host, port = sys.argv[1], int(sys.argv[2])
name = f"{host}:{port}"
OURS = f"Host: {name}\r\nConnection: close\r\n"


def ask(request):
    """The status of the answer, 0 where there is none, and its body."""
    with socket.create_connection((host, port), timeout=200) as s:
        answer = b""
        try:
            s.sendall(request)
            s.shutdown(socket.SHUT_WR)
            while piece := s.recv(65536):
                answer += piece
        except OSError:  # closed before all was sent
            pass
    first = answer.split(b"\r\n", 1)[0].split()
    return int(first[1]) if len(first) > 1 and first[1].isdigit() else 0, answer.partition(b"\r\n\r\n")[2]


def get(target, headers=OURS, version="HTTP/1.1", method="GET"):
    if "Connection" not in headers:  # or the server waits for more
        headers += "Connection: close\r\n"
    return f"{method} {target} {version}\r\n{headers}\r\n".encode("latin-1")


def requests():
    """What is wrong, and the request."""
    r = random.Random(22)
    for target in ["", " ", "x", "sources", "*", "?", "%", "/%", "/%2", "/%zz", "/sources%", "/sources%0", "/sources%00", "/%00", "/sources%0a",
                   "/sources%0d%0aX:1", "/sources/", "//sources", "/./sources", "/x/../sources", "/%2e%2e/sources", "/sources;x", "/SOURCES",
                   "/sources\x00", "/sources\x01", "/sources\t", "/sources ", "/sources /sources", "\\sources", "/\\sources", "/%c0%afsources", "/%ff",
                   "/sources#x", "/etc/passwd", "/..", "/../link", "/viewer.js%00.css", "/viewer.js/", "/viewer.js.map", "/proc/self/environ",
                   "http://example.com/sources", "ftp://x/", f"http://{name}:1/sources", "file:///etc/passwd", "/" + "a" * 9000, "/" + "%41" * 4000]:
        yield f"target {target[:40]!r}", get(target)
    for path, keys in (("/describe", ["source"]), ("/frames", ["source", "first", "count"]), ("/contacts", ["source", "frame"]),
                       ("/values", ["source", "frame"]), ("/news", ["source", "have"]), ("/surfaces", ["source"])):
        for key in keys:
            for value in ["", "-1", "x", "0x0", "1e0", " 0", "0 ", "+0", "00000000000000000000000", "99999999999999999999", "nan", "0%00", "%30%00", "0,0", "0;0",
                          "--0", "0.5", "%"]:
                rest = "&".join(f"{k}=0" for k in keys if k != key)
                yield f"{path} {key}={value!r}", get(f"{path}?{key}={value}" + (f"&{rest}" if rest else ""))
            yield f"{path} {key} twice", get(f"{path}?" + "&".join(f"{k}=0" for k in keys) + f"&{key}=1")
    for version in ["", "HTTP", "HTTP/", "HTTP/1", "HTTP/1.", "HTTP/9.9", "HTTP/-1.1", "HTTP/1.1 x", "http/1.1", "HTTQ/1.1", "HTTP/1.1\x00", "HTTP/11"]:
        yield f"version {version!r}", get("/sources", version=version)
    for method in ["get", "GE", "GETT", "POST", "PUT", "DELETE", "CONNECT", "TRACE", "OPTIONS", "PATCH", "PROPFIND", "G\x00T", "", "GET\t", "\xc0"]:
        yield f"method {method!r}", get("/sources", method=method)
    for headers in ["", "Host:\r\n", "Host: \r\n", "Host: x\r\n", f"Host: {name}x\r\n", f"Host: x{name}\r\n", f"Host: {name}, x\r\n",
                    f"Host: {host}\r\n", f"Host: {name}0\r\n", f"Host: user@{name}\r\n", f"Host: {name}/\r\n", f"Host: [::1]:{port}\r\n",
                    f"{OURS}Host: {name}\r\n", f"{OURS}Host: x\r\n", f"Host: x\r\n{OURS}", f"{OURS}Host : x\r\n", f"Host : {name}\r\n", f" {OURS}",
                    f"{OURS}Origin: http://x\r\n", f"{OURS}Origin: null\r\n", f"{OURS}Origin: http://{name}.x\r\n", f"{OURS}Origin: https://{name}\r\n",
                    f"{OURS}Origin: http://{host}\r\n", f"{OURS}Origin: http://{name}\r\nOrigin: http://x\r\n", f"{OURS}Origin:\r\n",
                    f"{OURS}Content-Length: -1\r\n", f"{OURS}Content-Length: x\r\n", f"{OURS}Content-Length: 0x0\r\n", f"{OURS}Content-Length: 0, 0\r\n",
                    f"{OURS}Content-Length: 99999999999999999999999\r\n", f"{OURS}Content-Length: 0\r\nContent-Length: 1\r\n",
                    f"{OURS}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", f"{OURS}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
                    f"{OURS}Transfer-Encoding: gzip\r\n", f"{OURS}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
                    f"Host: {name}\0\r\n", f"Host: {name}\0x\r\n", f"Connection: close\r\nHost: {name}\0\r\n", f"Connection: close\r\nHost: {name}\0x\r\n",
                    f"{OURS}Origin: http://{name}\0x\r\n", f"{OURS}X: y\0z\r\n", f"{OURS}X\0: y\r\n", f"{OURS}\0\r\n", OURS.replace("\r", ""), f"{OURS}X: y\r\n z\r\n",
                    f"{OURS}X" * 2000, "X: " + "y" * 70000 + "\r\n" + OURS]:
        yield f"headers {headers[:60]!r}", get("/sources", headers)
    sound = get("/sources")
    yield "cut", sound[:r.randrange(1, len(sound) - 2)]
    for i in range(40):
        noise = bytes(r.randrange(256) for _ in range(r.randrange(1, 400)))
        yield f"noise {i}", noise + b"\r\n\r\n"


def main():
    status, whole = ask(get("/sources"))
    if status != 200:
        sys.exit(f"the sound request got {status}")
    sent = wrong = 0
    for what, request in requests():
        sent += 1
        status, answer = ask(request)
        if status not in (0, 505) and not 400 <= status < 500 or b"root:" in answer:
            wrong += 1
            print(f"{what}: {status}")
        if sent % 50 == 0 and ask(get("/sources")) != (200, whole):
            wrong += 1
            print(f"after {what} the sound request is answered differently")
    print(f"{sent} malformed requests, {wrong} answered")
    return 1 if wrong else 0


sys.exit(main())
