import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

/** The built client is part of the Python package, which serves it. */
export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: "../src/upcard/static",
    emptyOutDir: true,
    target: "es2022",
    // The content policy allows no data: scripts or fonts; everything is a file of ours.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/api": "http://127.0.0.1:8421" } },
  // Components are tested as a browser sees them, not as a server would render them.
  resolve: process.env["VITEST"] ? { conditions: ["browser"] } : {},
  test: { environment: "happy-dom", include: ["src/**/*.test.ts"] },
});
