/** Upstream's own site of 226 pages: rendered like its loader, and checked without false alarms. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { whole } from "../../support/parts.ts";
import { runProcess } from "../../support/process.ts";
import { commitAll, exists } from "../../support/project.ts";
import { publish, TRUSTED } from "../../support/published.ts";
import { testUnless } from "../../support/skip.ts";
import { NOT_PACKED, packedProject } from "../../support/upstream.ts";
import { MISTAKES, PARTIALS } from "./mistakes.ts";

const BUILD = fileURLToPath(new URL("../../support/build_pages.mjs", import.meta.url));
const CONTENT = "site/content";
const PLANTED = "docs/planted";

/** What upstream's loader makes of both sites. It takes a minute: without this file, it runs. */
const RECORDED = fileURLToPath(new URL("../../fixtures/loader-pages.json", import.meta.url));

interface Built {
  /** The checksum of each page's HTML, apart from dates. */
  pages: Record<string, string>;
  messages: { url?: string; message: string }[];
}

interface Found {
  path: string;
  line: number;
  /** Code, severity and message. */
  text: string;
}

type Ask = (name: string, args?: Record<string, unknown>) => Promise<Record<string, unknown>>;

testUnless(
  NOT_PACKED,
  "upstream's own site is rendered and checked as its build does it",
  async (t) => {
    const { root } = await packedProject();
    // The loader takes seconds for hundreds of items; a 24th has every kind of them.
    const items = [...Deno.readDirSync(join(root, "plan/work"))].map(({ name }) => name).sort();
    for (const name of items.filter((_, index) => index % 24 > 0)) {
      Deno.removeSync(join(root, "plan/work", name));
    }
    commitAll(root, "Fewer items");
    await using server = await publish();
    try {
      const { main: built, plan } = await loaderOutput(root);
      await server.serve(root, TRUSTED, async ({ ok }) => {
        await t.step(
          "of every twentieth page at most one differs from the loader's, apart from dates",
          async () => {
            const all = Object.keys(built.pages);
            assert.ok(all.length > 200);
            const paths = all.filter((_path, index) => index % 20 === 0);
            const different: string[] = [];
            for (const path of paths) {
              const { html } = await whole(ok, "refrakt_render", {
                path: `${CONTENT}/${path}`,
                format: "html",
                site: "main",
              });
              if (await checksum(String(html)) !== built.pages[path]) different.push(path);
            }
            assert.ok(different.length <= 1, different.join("\n"));
          },
        );

        await t.step("the pages of a site with entityRoutes equal the loader's", async () => {
          for (const [path, expected] of Object.entries(plan.pages)) {
            const ours = await whole(ok, "refrakt_render", {
              path: `plan-site/content/${path}`,
              format: "html",
              site: "plan",
            });
            assert.equal(await checksum(String(ours["html"])), expected, path);
          }
        });

        let before: Found[] = [];
        await t.step("check includes the build's messages", async () => {
          before = await check(ok);
          const said = new Set(before.map(({ text }) => text.replace(/^\S+ \S+ /, "")));
          for (const { message } of built.messages) {
            assert.ok(said.has(message.split("\n")[0]!), message);
          }
        });

        await t.step(
          "check finds every planted mistake at its line, and nothing else",
          async () => {
            plant(root);
            const after = await check(ok);
            const missed: string[] = [];
            for (const [name, [, line, wanted]] of Object.entries(MISTAKES)) {
              const own = after.filter(({ path }) => path === pathOf(name));
              const isFound = own.some((found) =>
                wanted.test(found.text) && (line === 0 || found.line === line)
              );
              if (!isFound) {
                missed.push(`${name}: ${own.map((f) => `${f.line} ${f.text}`).join("; ")}`);
              }
            }
            assert.deepEqual(missed, []);
            assert.ok(Object.keys(MISTAKES).length >= 55);
            const known = new Set(before.map(key));
            const others = after.filter((found) =>
              !known.has(key(found)) && !/\/(?:planted|_partials)\//.test(found.path) &&
              !found.text.startsWith("route-duplicate")
            );
            assert.deepEqual(others, []);
          },
        );
      });
    } finally {
      await Deno.remove(join(root, ".."), { recursive: true });
    }
  },
);

async function loaderOutput(root: string): Promise<{ main: Built; plan: Built }> {
  if (!exists(RECORDED)) {
    const sites = { main: await build(root, "main"), plan: await build(root, "plan") };
    Deno.writeTextFileSync(RECORDED, `${JSON.stringify(sites, null, 1)}\n`);
  }
  return JSON.parse(Deno.readTextFileSync(RECORDED));
}

/** Runs the loader. Git is hidden from it, as it is from plugins in the server. */
async function build(root: string, site: string): Promise<Built> {
  const { code, stdout, stderr } = await runProcess("node", [BUILD, site], root, undefined, {
    GIT_DIR: "/nonexistent",
  });
  assert.equal(code, 0, stderr);
  const { pages, messages } = JSON.parse(stdout) as Built;
  for (const [path, html] of Object.entries(pages)) pages[path] = await checksum(html);
  return { pages, messages };
}

function plant(root: string): void {
  const write = (path: string, text: string) => {
    Deno.mkdirSync(join(root, path, ".."), { recursive: true });
    Deno.writeTextFileSync(join(root, path), text);
  };
  for (const [name, [text]] of Object.entries(MISTAKES)) write(pathOf(name), text);
  for (const [name, text] of Object.entries(PARTIALS)) write(`${CONTENT}/_partials/${name}`, text);
}

function pathOf(name: string): string {
  return `${CONTENT}/${PLANTED}/${name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}.md`;
}

/** Returns the findings of all pages of the result. */
async function check(ok: Ask): Promise<Found[]> {
  // A check counts equal findings; the table has each.
  const all: Found[] = [];
  for (let rows: unknown[] = []; rows.length === ROWS || all.length === 0;) {
    const sql = "select path, line, code, severity, message from findings where site = 'main' " +
      `order by path, line, code, message limit ${ROWS} offset ${all.length}`;
    rows = (await whole(ok, "refrakt_query", { sql, limit: ROWS }))["rows"] as unknown[];
    for (const [path, line, code, severity, message] of rows as [string, number, ...string[]][]) {
      all.push({ path, line: line ?? 1, text: `${code} ${severity} ${message}` });
    }
  }
  return all;
}

const ROWS = 40;

function key({ path, line, text }: Found): string {
  return `${path}:${line} ${text}`;
}

/** Of the HTML without dates: the build takes them from git, the server from the disk. */
async function checksum(html: string): Promise<string> {
  const text = html.replace(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?|[A-Z][a-z]{2} \d{1,2}, \d{4}/g, "DATE");
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest).toHex().slice(0, 16);
}
