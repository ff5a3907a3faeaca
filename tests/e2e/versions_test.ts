/** Versions of refrakt with other contracts: each answers as its own CLI does in the project. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { detected } from "../support/detected.ts";
import { askOracle } from "../support/lab.ts";
import { whole } from "../support/parts.ts";
import type { Run } from "../support/process.ts";
import { FROM_DISK, publish } from "../support/published.ts";
import { CLI_EXAMPLES, OTHER_VERSIONS, upgraded } from "../support/versions.ts";

const INSPECTED = ["hint", "grid", "hero", "pagination", "work"];
Deno.test("versions from 0.12 to 0.29 are served as they are, with the answers of their own CLI", async (t) => {
  const { root, cli, install, isolate, restorePlan } = await upgraded();
  await using server = await publish();
  const entity = join(root, "plan/work/WORK-001-first.md");
  for (const version of OTHER_VERSIONS) {
    await t.step(version, async () => {
      restorePlan();
      install(version);
      if (version === OTHER_VERSIONS.at(-1)) isolate();
      const [contracts, reference, next, texts, updated, ...inspected] = await askOracle(root, [
        ["contracts"],
        ["reference", "hint", "--format", "json"],
        ["plan", "next", "--format", "json"],
        since(version, 29) ? ["i18n"] : ["--help"],
        [
          "plan",
          "update",
          "WORK-001",
          "--status",
          "done",
          "--check",
          "It runs",
          "--format",
          "json",
        ],
        ...INSPECTED.map((rune) => ["inspect", rune, "--json"]),
      ], cli);
      const theirs = Deno.readTextFileSync(entity);
      restorePlan();
      await server.serve(root, FROM_DISK, async ({ client, ok }) => {
        const { plugins, sites, warnings } = await detected(ok);
        for (
          const { name, problem, version: found, origin } of [...sites[0].packages, ...plugins]
        ) {
          assert.equal(problem, undefined, name);
          if (!name?.startsWith("@refrakt-md/")) continue;
          assert.deepEqual([found, origin], [version, "node_modules"]);
        }
        assert.equal(/\.pnpm/.test(plugins[0].path), version === OTHER_VERSIONS.at(-1));
        assert.deepEqual(
          warnings.map(({ code }: { code: string }) => code),
          since(version, 28) ? [] : ["PLUGIN_UNFAMILIAR"],
        );
        const names = (await client.listTools()).tools.map(({ name }: { name: string }) => name);
        assert.equal(names.includes("refrakt.i18n_extract"), since(version, 29));
        if (since(version, 29)) assert.deepEqual(await ok("refrakt.i18n_extract"), json(texts));
        assert.deepEqual(await whole(ok, "refrakt.contracts"), json(contracts));
        assert.deepEqual(await ok("refrakt.reference", { rune: "hint" }), json(reference));
        assert.deepEqual(await ok("plan.next", { detail: "full" }), json(next));
        for (const [index, rune] of INSPECTED.entries()) {
          const [ours, shown] = [await ok("refrakt.inspect", { rune }), json(inspected[index])];
          // For most runes the CLI had a stub before 0.22; we show the example of the reference.
          const isStub = /^Sample content for/m.test(shown.input);
          assert.equal(isStub, rune === "grid" && !since(version, 22));
          for (const field of isStub ? ["rune"] : ["input", "html", "selectors"]) {
            assert.deepEqual(ours[field], shown[field], `${rune}: ${field}`);
          }
          if (rune === "hint") {
            assert.equal(ours.input === CLI_EXAMPLES[rune], !since(version, 22));
          }
        }
        const page = await ok("refrakt.render", { path: "content/index.md", format: "html" });
        assert.match(page.html, /class="rf-hint rf-hint--warning"/);
        // Before 0.25 nobody knows which statuses there are.
        await ok("plan.update", { id: "WORK-002", status: "cancelled" });
        const update = { id: "WORK-001", status: "done", check: "It runs" };
        assert.deepEqual((await ok("plan.update", update)).changes, json(updated).changes);
        assert.equal(Deno.readTextFileSync(entity), theirs);
      });
    });
  }
});

/** Whether a version has what came with a minor one. */
const since = (version: string, minor: number) => Number(version.split(".")[1]) >= minor;

const json = (run: Run | undefined) => JSON.parse(run!.stdout);
