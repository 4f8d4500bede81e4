import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Rolldown } from "vite";
import { defineConfig } from "vitest/config";

const COMPRESSED = /\.(js|css|svg|webmanifest)$/;
const BYTES_MIN = 1000;

/** Beside each file that is text lies what is sent of it: compressed once, as far as it goes. */
function compressed() {
  let folder = "";
  return {
    name: "compressed",
    apply: "build" as const,
    configResolved(config: { root: string; build: { outDir: string } }) {
      folder = join(config.root, config.build.outDir);
    },
    closeBundle() {
      for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        if (!entry.isFile() || !COMPRESSED.test(entry.name)) continue;
        const text = readFileSync(path);
        if (text.length < BYTES_MIN) continue;
        writeFileSync(`${path}.gz`, gzipSync(text, { level: 9 }));
        const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
        writeFileSync(`${path}.br`, brotliCompressSync(text, { params }));
      }
    },
  };
}

/** What a table begins with is one script, whatever of it a dialog uses as well. */
function beginning() {
  const ids = new Set<string>();
  return {
    name: "beginning",
    config: () => ({
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: { groups: [{ name: "begin", test: (id: string) => ids.has(id) }] },
          },
        },
      },
    }),
    buildEnd(this: Rolldown.PluginContext) {
      const walk = (id: string): void => {
        if (ids.has(id)) return;
        ids.add(id);
        this.getModuleInfo(id)?.importedIds.forEach(walk);
      };
      for (const id of this.getModuleIds()) if (this.getModuleInfo(id)?.isEntry) walk(id);
    },
    transformIndexHtml: {
      order: "post" as const,
      /** Script and style first: a browser asks for a few files at a time, in this order. */
      handler(html: string): string {
        const first = html.match(/^ *<(?:script type="module"|link rel="stylesheet").*\n/gm) ?? [];
        const rest = first.reduce((left, line) => left.replace(line, ""), html);
        return rest.replace("</title>\n", `</title>\n${first.join("")}`);
      },
    },
  };
}

/** The built client is part of the Python package, which serves it. */
export default defineConfig({
  plugins: [svelte(), beginning(), compressed()],
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
