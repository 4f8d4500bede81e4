#!/usr/bin/env python3
"""Check the shuffle of an Upcard round: python3 verify_shuffle.py proof.json (- reads stdin).

Plain Python 3.9+, nothing of Upcard. Exit 0: all good, 1: a check is false, 2: no readable proof.
What no file can show, compare yourself: the commit you saw before the bet, your seed, your cards.
"""

import hmac
import json
import re
import sys
from hashlib import sha256
from itertools import count

FIELDS = {  # what the proof must hold: a pattern for its JSON text, and the same in words
    "protocol": ('".*"', "a text"),
    "server_seed": ('"[0-9a-fA-F]{128}"', "128 hex digits, shown once the round is settled"),
    "commit": ('".*"', "a text"),
    "client_seed": ('"[A-Za-z0-9_-]{1,64}"', "1 to 64 characters out of A-Z a-z 0-9 _ -"),
    "nonce": ("[1-9][0-9]*", "a whole number from 1"),
    "decks": ("[1-8]", "a whole number from 1 to 8"),
    "cards": (r'\[("[^"]*"(, )?)*\]', "a list of texts"),
}


def shoe(seed: bytes, client_seed: str, nonce: int, decks: int) -> list[str]:
    start, order = f"upcard/1|{client_seed}|{nonce}|", list(range(52 * decks))
    blocks = (hmac.digest(seed, f"{start}{i}".encode(), "sha256") for i in count())
    words = (256 * block[i] + block[i + 1] for block in blocks for i in range(0, 32, 2))
    for place, left in enumerate(range(52 * decks, 0, -1)):  # passing over words that favour some
        chosen = place + next(word for word in words if word < 65536 // left * left) % left
        order[place], order[chosen] = order[chosen], order[place]
    return ["A23456789TJQK"[card % 52 % 13] + "cdhs"[card % 52 // 13] for card in order]


def main(path: str) -> int:
    try:
        with open(0 if path == "-" else path, "rb") as file:
            proof = {**json.loads(file.read())}
        for field, (pattern, form) in FIELDS.items():
            if not re.fullmatch(pattern, json.dumps(proof.get(field))):
                raise ValueError(f"{field} must be {form}")
    except (OSError, TypeError, ValueError, RecursionError) as error:
        print(f"This is no readable proof: {error}.", file=sys.stderr)
        return 2
    seed, cards = bytes.fromhex(proof["server_seed"]), proof["cards"]
    true = shoe(seed, proof["client_seed"], proof["nonce"], proof["decks"])
    wrong = [f"; card {n} is wrong" for n, card in enumerate(cards, 1) if [card] != true[n - 1 : n]]
    checks = {
        "the protocol is upcard/1": proof["protocol"] == "upcard/1",
        "the commit is the SHA-256 of the server seed": proof["commit"] == sha256(seed).hexdigest(),
        f"the {len(cards)} cards begin the shoe{''.join(wrong[:1])}": not wrong and cards != [],
    }
    print(*(f"{'good ' if good else 'FALSE'} {said}" for said, good in checks.items()), sep="\n")
    return int(not all(checks.values()))


if __name__ == "__main__":
    sys.exit(main(" ".join(sys.argv[1:])))
