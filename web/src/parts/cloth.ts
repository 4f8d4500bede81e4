/** Which cloth lies on a table, by its place among the games; `app.css` has their colours. */
const CLOTHS = 4;

export function cloth(at: number): string {
  return String(Math.max(0, at) % CLOTHS);
}
