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

const GUEST = "/src/house/begin.ts";
/** Told to V8 by the first line of a script: compile all of it where it is read, beside the page. */
const EAGER = "//# allFunctionsCalledOnLoad\n";

/**
 * What a table begins with is two scripts, whatever of them a dialog uses as well: ours and the
 * libraries, so that two processors read them. Before them comes a small one, which asks who plays
 * as soon as it is here.
 */
function beginning() {
  const all = new Set<string>();
  const guest = new Set<string>();
  const isLibrary = (id: string): boolean => id.includes("/node_modules/") && !id.endsWith(".css");
  return {
    name: "beginning",
    config: () => ({
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: "guest", test: (id: string) => guest.has(id), priority: 3 },
                {
                  name: "libraries",
                  test: (id: string) => all.has(id) && isLibrary(id),
                  priority: 2,
                },
                { name: "begin", test: (id: string) => all.has(id), priority: 1 },
              ],
            },
          },
        },
      },
    }),
    buildEnd(this: Rolldown.PluginContext) {
      const walk = (id: string, into: Set<string>): void => {
        if (into.has(id)) return;
        into.add(id);
        this.getModuleInfo(id)?.importedIds.forEach((each) => walk(each, into));
      };
      for (const id of this.getModuleIds()) {
        if (this.getModuleInfo(id)?.isEntry) walk(id, all);
        if (id.endsWith(GUEST)) walk(id, guest);
      }
    },
    generateBundle: {
      order: "post" as const,
      handler(_: unknown, bundle: Rolldown.OutputBundle) {
        for (const file of Object.values(bundle)) {
          if (file.type === "chunk" && (file.isEntry || file.name === "libraries")) {
            file.code = EAGER + file.code;
          }
        }
      },
    },
    transformIndexHtml: {
      order: "post" as const,
      /** Scripts and style first: a browser asks for a few files at a time, in this order. */
      handler(html: string): string {
        const begun = html.replace(
          /<link rel="modulepreload" (crossorigin) href="([^"]*\/guest-[^"]*)">/,
          '<script type="module" async $1 src="$2"></script>',
        );
        const first =
          begun.match(
            /^ *<(?:script type="module"|link rel="(?:modulepreload|stylesheet)").*\n/gm,
          ) ?? [];
        const rest = first.reduce((left, line) => left.replace(line, ""), begun);
        // The one that need not wait for anything goes ahead.
        first.sort((one, other) => Number(other.includes("async")) - Number(one.includes("async")));
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
