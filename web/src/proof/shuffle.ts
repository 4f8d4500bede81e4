/** The shuffle, protocol `upcard/1`: the whole of it, for checking a shoe in the player's browser. */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";

export const PROTOCOL = "upcard/1";
const RANKS = "A23456789TJQK";
const SUITS = "cdhs";
const WORDS = 65_536;

/** What the house shows before the bet: the SHA-256 of the seed's bytes, hex. */
export function commitOf(serverSeed: string): string {
  return bytesToHex(sha256(hexToBytes(serverSeed)));
}

/** Whether a text is a server seed: 64 bytes in hex. */
export function isSeed(text: string): boolean {
  return /^[0-9a-f]{128}$/i.test(text);
}

/** The cards of a whole shoe, in the order of the deal. */
export function shoe(
  serverSeed: string,
  clientSeed: string,
  nonce: number,
  decks: number,
): string[] {
  return order(serverSeed, clientSeed, nonce, decks).map(cardText);
}

/** The same as numbers from 0 to 52 times the decks, less one. */
export function order(
  serverSeed: string,
  clientSeed: string,
  nonce: number,
  decks: number,
): number[] {
  const words = wordsOf(hexToBytes(serverSeed), `${PROTOCOL}|${clientSeed}|${nonce}|`);
  const size = 52 * decks;
  const cards = Array.from({ length: size }, (_, card) => card);
  for (let place = 0; place < size; place += 1) {
    const left = size - place;
    const chosen = place + (below(words, WORDS - (WORDS % left)) % left);
    [cards[place], cards[chosen]] = [cards[chosen] as number, cards[place] as number];
  }
  return cards;
}

function cardText(card: number): string {
  const kind = card % 52;
  return `${RANKS[kind % 13]}${SUITS[Math.floor(kind / 13)]}`;
}

/** 16-bit words of one block after another. */
function* wordsOf(seed: Uint8Array, start: string): Generator<number, never> {
  for (let block = 0; ; block += 1) {
    const bytes = hmac(sha256, seed, utf8ToBytes(`${start}${block}`));
    for (let at = 0; at < bytes.length; at += 2) {
      yield ((bytes[at] as number) << 8) | (bytes[at + 1] as number);
    }
  }
}

/** The next word below a limit; those from it on would favour some cards. */
function below(words: Generator<number, never>, limit: number): number {
  for (;;) {
    const { value } = words.next();
    if (value < limit) return value;
  }
}
