import assert from "node:assert/strict";
import { detected } from "../support/detected.ts";
import { askOracle } from "../support/lab.ts";
import { whole } from "../support/parts.ts";
import type { Run } from "../support/process.ts";
import { git } from "../support/project.ts";
import { publish, TRUSTED } from "../support/published.ts";
import { testUnless } from "../support/skip.ts";
import { NOT_PACKED, packedProject } from "../support/upstream.ts";

const RUNES = ["hint", "work", "tabs", "recipe"];

const TITLE = "upstream's project for 0.29.0 gets the same answers as from its own CLI";

testUnless(NOT_PACKED, TITLE, async (t) => {
  const { root, cli } = await packedProject();
  await using server = await publish();
  const before = git(root, "status", "--porcelain");
  const [next, ...rest] = await askOracle(root, [
    ["plan", "next", "--count", "100", "--format", "json"],
    ["contracts", "--site", "main"],
    ["reference", "hint", "--format", "json", "--site", "main"],
    ["i18n", "extract", "--site", "main"],
    ["plugins", "list", "--json"],
    ...RUNES.map((rune) => ["inspect", rune, "--json", "--site", "main"]),
  ], cli);
  const [contracts, reference, texts, listed, ...inspected] = rest;
  await server.serve(
    root,
    TRUSTED,
    async ({ ok }) => {
      await t.step("every package is found at its version", async () => {
        const { plugins, sites } = await detected(ok);
        for (const { name, problem, origin: found } of [...sites[0].packages, ...plugins]) {
          assert.equal(problem, undefined, name);
          if (name?.startsWith("@refrakt-md/")) assert.equal(found, "project", name);
        }
      });
      await t.step("plan_next", async () => {
        const theirs = json(next);
        const full = await ok("plan_next", { detail: "full", count: 100 });
        // The CLI has the first line of a criterion, we have all of it.
        for (const [at, item] of theirs.items.entries()) {
          for (const [n, criterion] of item.criteria.entries()) {
            const { text } = full.items[at].criteria[n];
            if (text.startsWith(criterion.text)) criterion.text = text;
          }
        }
        assert.deepEqual(full, theirs);
        const { items } = await ok("plan_next", { count: 100 });
        const idsOf = (all: { id: string }[]) => all.map(({ id }) => id);
        assert.deepEqual(idsOf(items), idsOf(theirs.items));
      });
      await t.step("refrakt_contracts", async () => {
        assert.deepEqual(await whole(ok, "refrakt_contracts", { site: "main" }), json(contracts));
      });
      await t.step("refrakt_reference", async () => {
        const ours = await ok("refrakt_reference", { rune: "hint", site: "main", universal: true });
        const { attributes, ...rest } = ours;
        // The CLI says no values of universal attributes.
        const universal = attributes.universal.map((text: string) => text.split("=")[0]);
        assert.deepEqual({ ...rest, attributes: { ...attributes, universal } }, json(reference));
      });
      await t.step(
        "refrakt_plugins_list has the commands of the packages, and ours beside them",
        async () => {
          const { plugins } = await ok("refrakt_plugins_list");
          const [packages, ours] = [
            plugins.filter(({ source }: { source: string }) => source !== "bundled"),
            plugins.filter(({ source }: { source: string }) => source === "bundled"),
          ];
          const factsOf = (all: Record<string, unknown>[]) =>
            all.map(({ namespace, packageVersion, source, commands, ...names }) => ({
              name: names["packageName"] ?? names["pluginName"],
              namespace,
              packageVersion,
              source,
              commands: (commands as { tool?: string }[]).map(({ tool: _tool, ...command }) =>
                command
              ),
            }));
          assert.deepEqual(factsOf(packages), factsOf(json(listed)));
          const ownNames = ours.map(({ namespace }: { namespace: string }) => namespace);
          assert.ok(["plan", "refrakt"].every((name) => ownNames.includes(name)), ownNames.join());
        },
      );
      await t.step("refrakt_i18n_extract", async () => {
        assert.deepEqual(await ok("refrakt_i18n_extract", { site: "main" }), json(texts));
      });
      await t.step("a preview of refrakt_rename has nothing to undo", async () => {
        const input = { site: "main", kind: "rune", from: "hint", to: "callout", preview: true };
        const { pages, undo } = await ok("refrakt_rename", input);
        assert.ok(pages > 50 && undo === undefined);
      });
      for (const [index, rune] of RUNES.entries()) {
        await t.step(`refrakt_inspect ${rune}`, async () => {
          const ours = await ok("refrakt_inspect", { rune, site: "main" });
          const theirs = json(inspected[index]);
          for (const field of ["input", "html", "selectors"]) {
            assert.deepEqual(ours[field], theirs[field], field);
          }
        });
      }
    },
  );
  assert.equal(git(root, "status", "--porcelain"), before, "nothing was written");
});

const json = (run: Run | undefined) => {
  assert.ok(run?.stdout, run?.stderr);
  return JSON.parse(run.stdout);
};
