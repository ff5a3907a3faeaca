/**
 * Rendering, checking and querying upstream's own site of 226 pages on a fresh server, after an
 * edit, and again: whole round trips, under the documented permissions.
 *
 * Run: `deno run -A bench/pages.ts [rounds]`
 */

import { join } from "node:path";
import { FROM_DISK, publish } from "../tests/support/published.ts";
import { NOT_PACKED, packedProject } from "../tests/support/upstream.ts";
import { circumstances, table, writeSection } from "./results.ts";

if (NOT_PACKED !== undefined) throw new Error(NOT_PACKED);
const rounds = Number(Deno.args[0] ?? 15);
const { root } = await packedProject();
const site = "main";
const path = "site/content/runes/card.md";
const file = join(root, path);
const text = Deno.readTextFileSync(file);
const CALLS: readonly [tool: string, input: Record<string, unknown>, wanted: [string, string]][] = [
  ["refrakt.render", { path, site }, ["4000", "150"]],
  ["refrakt.check", { site }, ["-", "100"]],
  ["refrakt.pages", { site, rune: "figure" }, ["-", "-"]],
];
const rows: string[][] = [
  [
    "tool",
    "first",
    "wanted",
    "after an edit",
    "wanted",
    "after a new heading",
    "after a new title",
    "again",
  ],
];
await using server = await publish();
for (const [tool, input, [first, edited]] of CALLS) {
  await server.serve(root, FROM_DISK, async ({ ok }) => {
    const ask = () => timed(() => ok(tool, input));
    const cold = await ask();
    const again = await median(ask);
    const edit = (change: (round: number) => string) =>
      median((round) => {
        Deno.writeTextFileSync(file, change(round));
        return ask();
      });
    const changed = await edit((round) => `${text}\nEdited ${round} times.\n`);
    const heading = await edit((round) => `${text}\n## Edit ${round}\n`);
    const title = await edit((round) => text.replace(/^title: .*/m, () => `title: Card ${round}`));
    Deno.writeTextFileSync(file, text);
    const shown = [cold, changed, heading, title, again].map((ms) => ms.toFixed(0));
    rows.push([tool, shown[0]!, first, shown[1]!, edited, ...shown.slice(2)]);
  });
}
await Deno.remove(join(root, ".."), { recursive: true });
await writeSection(
  "Pages",
  `Upstream's own site of 226 pages, in milliseconds: medians of ${rounds}. After a new ` +
    `heading or title, every page that shows it is processed again. ${circumstances()}\n\n${
      table(rows)
    }`,
);

async function median(run: (round: number) => Promise<number>): Promise<number> {
  const taken: number[] = [];
  for (let round = 0; round < rounds; round++) taken.push(await run(round));
  return taken.sort((a, b) => a - b)[Math.floor(taken.length / 2)]!;
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}
