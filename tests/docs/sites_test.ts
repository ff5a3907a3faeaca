/** The page about sites: every code of findings, with an example that has it. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { DIAGNOSTIC_CODES } from "../../plugins/site/engine/pages/read/diagnostics.ts";
import { coreSite, LUMINA } from "../plugins/site/projects.ts";
import { inProcess } from "../support/in_process.ts";
import { ROOT } from "../support/server.ts";

const PAGE = Deno.readTextFileSync(join(ROOT, "docs/sites.md"));

interface Row {
  readonly code: string;
  readonly severity: string;
  readonly meaning: string;
  readonly page: string | undefined;
}

const ROWS: readonly Row[] = [...PAGE.matchAll(/^\| `([a-z-]+)` \| (\w+) \| (.+) \| (.+) \|$/gm)]
  .map(([, code, severity, meaning, example]) => ({
    code: code!,
    severity: severity!,
    meaning: meaning!,
    page: /^`(.*)`$/.exec(example!)?.[1]?.replaceAll("↵", "\n"),
  }));

Deno.test("docs/sites.md has every code of findings, as the server describes it", () => {
  const rows = ROWS.map(({ code, severity, meaning }) => [code, severity, meaning]);
  const codes = Object.entries(DIAGNOSTIC_CODES).map(([code, facts]) => [code, ...facts]);
  assert.deepEqual(rows, codes);
});

Deno.test("each example of docs/sites.md has its finding", async () => {
  const pages = ROWS.flatMap(({ code, page }) =>
    page === undefined ? [] : [[`content/${code}.md`, `${page}\n`] as const]
  );
  assert.ok(pages.length > 30);
  const cwd = coreSite({ theme: LUMINA }, {
    ...Object.fromEntries(pages),
    "content/index.md": "# Home\n",
    "content/_partials/cycle.md": '{% partial file="cycle.md" /%}\n',
    "static/red.png": "",
  });
  await inProcess(cwd, async ({ ok }) => {
    const missing: string[] = [];
    for (const [path] of pages) {
      const { groups } = await ok("refrakt_check", { path });
      const codes: string[] = groups.map(({ code }: { code: string }) => code);
      if (!codes.some((code) => path === `content/${code}.md`)) missing.push(`${path}: ${codes}`);
    }
    assert.deepEqual(missing, []);
  });
});
