/** Checks settled rounds as the page does: `node checker.js ROUNDS VERDICTS`, a JSON document a line. */
import { createReadStream, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { check } from "../../web/src/proof/check";

const [rounds, verdicts] = process.argv.slice(2) as [string, string];
const wrong: string[] = [];
let checked = 0;
for await (const line of createInterface({ input: createReadStream(rounds) })) {
  const { proof, shown, events } = JSON.parse(line);
  const failed = check(proof, shown, events).filter(({ ok }) => ok !== true);
  if (failed.length > 0) wrong.push(proof.round);
  checked += 1;
}
writeFileSync(verdicts, JSON.stringify({ checked, wrong }));
