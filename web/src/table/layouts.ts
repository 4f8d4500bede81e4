/** The felt of `top3` for unit tests: its places, and the limits of T-10 and T-11. */
import type { Layout } from "./bets";

export const LOW: Layout = {
  spots: [1, 2, 3],
  main: "main",
  sides: ["top3", "classic", "progressive"],
  limits: {
    main: { min: 500, max: 5_000, step: 50 },
    top3: { min: 100, max: 2_500, step: 50 },
    classic: { min: 100, max: 2_500, step: 50 },
    progressive: { min: 500, max: 500, step: 500 },
  },
  needs: { top3: "classic", classic: null, progressive: null },
  titles: {
    main: "Main bet",
    top3: "Top 3",
    classic: "21+3 Classic",
    progressive: "21+3 Progressive",
  },
  level: "Low",
  reserved: [],
  sideBetAlone: false,
};
export const MICRO: Layout = {
  ...LOW,
  limits: {
    main: { min: 100, max: 1_000, step: 50 },
    top3: { min: 50, max: 500, step: 50 },
    classic: { min: 50, max: 500, step: 50 },
  },
  level: "Micro",
};
