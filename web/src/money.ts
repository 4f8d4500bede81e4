/** Amounts are whole cents; the table shows them in units with a sign for play money. */

const SIGN = "$";

/** `$1,234.50`: always both decimals, as meters and sentences show money. */
export function amount(cents: number): string {
  // The browser's own formatting would be loaded for this alone, while the table waits.
  const whole = String(Math.trunc(Math.abs(cents) / 100)).replace(/\B(?=(\d{3})+$)/g, ",");
  const rest = String(Math.abs(cents) % 100).padStart(2, "0");
  return `${cents < 0 ? "−" : ""}${SIGN}${whole}.${rest}`;
}

/** `$25`, `$2.50`: as a chip stack or a button shows it. */
export function short(cents: number): string {
  return amount(cents).replace(/\.00$/, "");
}

/** Cents of an amount as people type it: `12.50`, `$250`. Null for nothing, NaN for what is none. */
export function centsTyped(text: string): number | null {
  const typed = text.trim().replace(/^\$/, "");
  if (typed === "") return null;
  const [whole = "", part = ""] = typed.split(".");
  return /^\d{1,7}(\.\d{1,2})?$/.test(typed)
    ? Number(whole) * 100 + Number(part.padEnd(2, "0"))
    : NaN;
}
