/**
 * The house and its answer to who plays here: a table waits for nothing longer than for this. The
 * build makes it a script of its own, which runs while the rest of the client is still on its way.
 */
import { House } from "./connection";

export const house = new House();
export const guest = house.openSession();
