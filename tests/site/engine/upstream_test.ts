import assert from "node:assert/strict";
import { importVersion } from "../../../src/npm/load.ts";
import { packageVersion } from "../../../src/npm/versions.ts";
import { openProject } from "../../../src/project/project.ts";
import { requireSupported } from "../../../src/site/engine/upstream.ts";
import { makeProject } from "../../support/project.ts";

const FOUND = { name: "@refrakt-md/runes", version: "0.11.0", from: "package-lock.json" };

Deno.test("a version without what the site tools call is refused with those that have it", async () => {
  const runes = await importVersion(
    packageVersion(openProject(makeProject()), "@refrakt-md/runes"),
  );
  requireSupported(runes, { ...FOUND, version: "0.25.1" });
  const { mergePlugins: _missing, ...older } = runes;
  assert.throws(() => requireSupported(older, FOUND), (error: unknown) => {
    const { code, message, hint } = error as { code: string; message: string; hint: string };
    assert.equal(code, "PLUGIN_LOAD_FAILED");
    assert.match(
      message,
      /runes 0\.11\.0 \(from package-lock\.json\) is not supported.*mergePlugins/,
    );
    assert.match(hint, /0\.12 and newer/);
    return true;
  });
});
