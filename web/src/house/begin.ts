/**
 * The house and its answer to who plays here, asked for before anything else of the client runs:
 * a table waits for nothing longer than for this.
 */
import { House } from "./connection";

export const house = new House();
export const guest = house.openSession();
