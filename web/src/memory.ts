/** What this browser remembers. A browser that remembers nothing gets the table's own values. */

const PREFIX = "upcard.";

/** The stored value of a name, or `otherwise` if there is none that `fits`. */
export function recall<Value>(
  name: string,
  fits: (stored: unknown) => stored is Value,
  otherwise: Value,
): Value {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(PREFIX + name) ?? "null");
    return fits(stored) ? stored : otherwise;
  } catch {
    return otherwise;
  }
}

/** Store a value for later visits, where the browser lets us. */
export function remember(name: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Storage is full or switched off: the table works without.
  }
}
