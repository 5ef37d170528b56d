# A page of the viewer that was kept: loads nothing, and holds a recording. Usage: page.py FILE KIND FRAMES BODIES
import base64, json, re, struct, sys, zlib
file, kind, frames, bodies = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
page = open(file).read()
part = lambda name: re.search(rf'id="source-0-{name}">([^<]*)<', page).group(1)
about = json.loads(part("describe"))
moving = sum(body["kind"] == 0 for body in about["bodies"])
found = about["kind"], about["frames"], moving
assert found == (kind, frames, bodies), f"{file} holds {found}"
packed = base64.b64decode(part("frames")) # three words, then all bytes, sorted and deflated
words = struct.unpack("<I", packed[:4])[0]
assert len(about["times"]) == frames and words == 13 * frames * len(about["bodies"])
assert len(zlib.decompress(packed[12:])) == 4 * words
assert all(len(column["values"]) == frames for column in about.get("ledger", []))
assert about["facts"] and all(len(fact) == 2 for fact in about["facts"])
assert "default-src 'none'" in page and not re.search(r"<script[^>]* src|<link[^>]*href=.?https?:", page)
