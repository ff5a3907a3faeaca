/** Upstream's own site of 226 pages: rendered like its loader, and checked without false alarms. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { whole } from "../support/parts.ts";
import { runProcess } from "../support/process.ts";
import { commitAll, exists } from "../support/project.ts";
import { FROM_DISK, publish } from "../support/published.ts";
import { testUnless } from "../support/skip.ts";
import { NOT_PACKED, packedProject } from "../support/upstream.ts";
import { MISTAKES, PARTIALS } from "./mistakes.ts";

const BUILD = fileURLToPath(new URL("../support/build_pages.mjs", import.meta.url));
const CONTENT = "site/content";
const PLANTED = "docs/planted";

/** What upstream's loader makes of both sites. It takes a minute: without this file, it runs. */
const RECORDED = fileURLToPath(new URL("../fixtures/loader-pages.json", import.meta.url));

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
      await server.serve(root, FROM_DISK, async ({ client, ok }) => {
        await t.step(
          "at least 98 % of the pages equal the loader's, apart from dates",
          async () => {
            const paths = Object.keys(built.pages);
            assert.ok(paths.length > 200);
            const different: string[] = [];
            for (const path of paths) {
              const { html, leftOut } = await whole(ok, "refrakt.render", {
                path: `${CONTENT}/${path}`,
                format: "html",
                site: "main",
              });
              assert.ok((leftOut as string[]).some((each) => each.startsWith("git:")));
              if (await checksum(String(html)) !== built.pages[path]) different.push(path);
            }
            assert.ok(different.length <= paths.length * 0.02, different.join("\n"));
          },
        );

        await t.step("the pages of a site with entityRoutes equal the loader's", async () => {
          for (const [path, expected] of Object.entries(plan.pages)) {
            const ours = await whole(ok, "refrakt.render", {
              path: `plan-site/content/${path}`,
              format: "html",
              site: "plan",
            });
            assert.equal(await checksum(String(ours["html"])), expected, path);
          }
        });

        await t.step("a page follows changes of the files that it embeds", async () => {
          const spec = [...Deno.readDirSync(join(root, "plan/specs"))]
            .find(({ name }) => name.startsWith("SPEC-056"))!.name;
          for (
            const [page, file, change] of [
              [
                "themes/nord.md",
                `plan/specs/${spec}`,
                (text: string) => text.replace("\n## ", "\nA marker.\n\n## "),
              ],
              [
                "index.md",
                "site/examples/profile-card/index.html",
                (text: string) => `${text}<p>A marker.</p>`,
              ],
            ] as const
          ) {
            const shows = async () => {
              const path = `${CONTENT}/${page}`;
              const { html } = await whole(ok, "refrakt.render", {
                path,
                format: "html",
                site: "main",
              });
              return String(html).includes("A marker.");
            };
            const text = Deno.readTextFileSync(join(root, file));
            assert.equal(await shows(), false);
            Deno.writeTextFileSync(join(root, file), change(text));
            assert.equal(await shows(), true, page);
            Deno.writeTextFileSync(join(root, file), text);
            assert.equal(await shows(), false);
          }
        });

        await t.step(
          "after edits, results equal those of a new server",
          async () => {
            const file = join(root, CONTENT, "runes/card.md");
            const text = Deno.readTextFileSync(file);
            const entities = '{% character name="Card" %}Text{% /character %}';
            await check(ok);
            const renamed = text.replace(/^title: .*/m, "title: Renamed")
              .replace(/^type: .*/m, "type: spec");
            const added = `## A heading\n\n{% drawer id="side" title="Side" %}\n${entities}\n`;
            Deno.writeTextFileSync(file, `${renamed}\n${added}{% /drawer %}\n`);
            const pages = ["runes/rune-catalog.md", "runes/sandbox.md", "extend/security/index.md"];
            const answers = async (ask: Ask) => [
              await check(ask),
              ...await Promise.all(
                pages.map((page) =>
                  whole(ask, "refrakt.render", { path: `${CONTENT}/${page}`, site: "main" })
                ),
              ),
            ];
            const ours = await answers(ok);
            await server.serve(root, FROM_DISK, async (anew) => {
              assert.deepEqual(ours, await answers(anew.ok));
            });
            Deno.writeTextFileSync(file, text);
          },
        );

        await t.step(
          "queries by rune return exactly the pages that use it",
          async () => {
            const site = "main";
            const brief = await ok("refrakt.reference", { site, rune: "hint" });
            assert.deepEqual(Object.keys(brief.attributes), ["own"]);
            const wide = await ok("refrakt.reference", { site, rune: "hint", universal: true });
            assert.ok(wide.attributes.universal.some((one: string) => one.startsWith("tint=")));

            const audit = await ok("refrakt.inspect_audit", { site, rune: "hint" });
            assert.equal(typeof audit.sheets, "number");
            assert.equal(audit.files, undefined);
            const { rules } = audit.runes.hint.selectors[".rf-hint__header"];
            const inFile = (rule: string) => {
              const [file, lines] = rule.split(":");
              const text = Deno.readTextFileSync(join(root, file!)).split("\n");
              return lines!.split(",").map((line) => text[Number(line) - 1]!);
            };
            assert.ok(rules.length > 1);
            for (const line of rules.flatMap(inFile)) assert.match(line, /hint/);
            const card = await whole(ok, "refrakt.inspect_audit", { site, rune: "card" });
            assert.deepEqual(card.runes.card.selectors[".rf-card"].alsoIn, ["grid"]);

            const all = await whole(ok, "refrakt.contracts", { site });
            const names = Object.keys(all["runes"] as object);
            const cut = await ok("refrakt.contracts", { site });
            assert.equal(cut.more.parts.runes.total, names.length);
            for (const name of names) {
              const { runes } = await ok("refrakt.contracts", { site, runes: [name] });
              assert.deepEqual(Object.keys(runes), [name]);
            }
          },
        );

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
            assert.ok(Object.keys(MISTAKES).length >= 60);
            const known = new Set(before.map(key));
            const others = after.filter((found) =>
              !known.has(key(found)) && !found.path.includes("/planted/")
            )
              .filter(({ path, text }) =>
                !path.includes("/_partials/") && !text.startsWith("route-duplicate")
              );
            assert.deepEqual(others, []);
          },
        );

        await t.step("since checks only what differs from a commit", async () => {
          const { changed, files } = await ok("refrakt.check", { site: "main", since: "HEAD" });
          assert.ok((changed as string[]).every((path) => /planted|_partials/.test(path)));
          assert.ok(files < 100, String(files));
        });

        await t.step("the list of tools has at most 16,500 characters", async () => {
          const { tools } = await client.listTools();
          assert.ok(tools.some(({ name }: { name: string }) => name === "docs.extract"));
          const seen = tools.map(({ name, description, inputSchema }: typeof tools[number]) =>
            JSON.stringify({ name, description, inputSchema })
          ).join("").length;
          assert.ok(seen <= 16_500, String(seen));
        });

        await t.step("one call answers each question about pages", async () => {
          const rows = async (sql: string): Promise<(string | number)[][]> =>
            (await ok("refrakt.query", { sql, limit: 1000 })).rows;
          const main = "site = 'main' and path not like '%planted%'";
          const kinds = await rows(
            `select kind, count(*) from pages where ${main} and path not glob '*/_partials/*' group by 1`,
          );
          const pages = Object.keys(built.pages);
          assert.deepEqual(kinds.find(([kind]) => kind === "page"), ["page", pages.length]);
          const figures = await rows(
            `select path, count(*) from uses where ${main} and rune = 'figure' group by 1`,
          );
          const source = Deno.readTextFileSync(join(root, CONTENT, "runes/figure.md"));
          assert.deepEqual(figures.find(([path]) => path === `${CONTENT}/runes/figure.md`), [
            `${CONTENT}/runes/figure.md`,
            source.replace(/```[\s\S]*?```/g, "").match(/\{% figure/g)!.length,
          ]);
          const bare = await rows(
            `select path from pages where ${main} and kind = 'page' and description is null`,
          );
          for (const [path] of bare) {
            assert.doesNotMatch(
              Deno.readTextFileSync(join(root, String(path))),
              /^description: *\S/m,
            );
          }
          const linking = await rows(
            `select path, line from links where to_path = '${CONTENT}/docs/getting-started.md'`,
          );
          assert.ok(linking.length > 0);
          for (const [path, line] of linking) {
            const text = Deno.readTextFileSync(join(root, String(path))).split("\n");
            assert.match(text[Number(line) - 1]!, /getting-started/, String(path));
          }
          const sourceOf = (path: unknown, line: unknown) =>
            Deno.readTextFileSync(join(root, String(path))).split("\n")[Number(line) - 1]!;
          const redirects = await rows(
            "select l.path, line, p.redirect, t.url from links l join pages t on t.path = to_path " +
              `join pages p on p.path = l.path where l.kind = 'redirect' and l.site = 'main'`,
          );
          assert.equal(redirects.length, 22);
          for (const [path, line, redirect, url] of redirects) {
            assert.equal(sourceOf(path, line), `redirect: ${redirect}`);
            assert.equal(redirect, url);
          }
          const nav = await rows(
            `select path, line, target, to_path from links where kind = 'nav' and ${main}`,
          );
          assert.ok(nav.length > 20);
          for (const [path, line, target, to] of nav) {
            assert.ok(sourceOf(path, line).includes(String(target)), `${path}:${line}`);
            assert.ok(to !== null, `${path}:${line}`);
          }
          const headings = await rows(`select path, line, level, text from headings where ${main}`);
          const plain = (text: unknown) => String(text).replace(/[^\p{L}\p{N}]/gu, "");
          const written = headings.filter(([, line]) => line !== null);
          assert.ok(written.length > headings.length / 2);
          for (const [path, line, , text] of written) {
            const source = sourceOf(path, line);
            assert.match(source, /^ *#{1,6} /);
            assert.ok(plain(text) !== "" && plain(source).includes(plain(text)), source);
          }
          assert.deepEqual(
            await rows("select distinct layout, url from pages where kind = 'layout'"),
            [[null, null]] as unknown as string[][],
          );
          // Runes that are written as headings of another one.
          const unused = await rows(
            "select name from runes where site = 'main' and parent is null and name not in " +
              "(select rune from uses)",
          );
          assert.ok(unused.length < 5 && !unused.flat().includes("step"), unused.join());
          const cyclic = await rows("select path from links where target = 'cycle-a.md'");
          assert.deepEqual(
            cyclic.map(([path]) => path).sort(),
            [`${CONTENT}/_partials/cycle-b.md`, pathOf("partialCycle")],
          );
          const missing = await rows(
            `select count(*) from links where ${main} and kind = 'link' and to_path is null ` +
              "and target not like 'http%' and target not like 'mailto%'",
          );
          const broken = await rows(
            `select count(*) from findings where ${main} and code = 'link-broken'`,
          );
          assert.deepEqual(missing, broken);
        });
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
  const all: Found[] = [];
  let cursor: unknown;
  do {
    const answer = await whole(ok, "refrakt.check", {
      site: "main",
      limit: 100,
      ...(cursor === undefined ? {} : { cursor }),
    });
    const groups = answer["groups"] as { code: string; severity: string; findings: string[] }[];
    for (const { code, severity, findings } of groups) {
      for (const finding of findings) {
        const [, path, places, message] = /^(.*?):([\d:,]+) (.*)$/s.exec(finding)!;
        for (const place of places!.split(",")) {
          all.push({ path: path!, line: parseInt(place), text: `${code} ${severity} ${message}` });
        }
      }
    }
    cursor = answer["nextCursor"];
  } while (cursor !== undefined);
  return all;
}

function key({ path, line, text }: Found): string {
  return `${path}:${line} ${text}`;
}

/** Of the HTML without dates: the build takes them from git, the server from the disk. */
async function checksum(html: string): Promise<string> {
  const text = html.replace(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?|[A-Z][a-z]{2} \d{1,2}, \d{4}/g, "DATE");
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest).toHex().slice(0, 16);
}
