import assert from "node:assert/strict";
import manifest from "../deno.json" with { type: "json" };
import { VERSION } from "../src/version.ts";

Deno.test("the version is that of the package, and a plain semantic one", () => {
  assert.equal(VERSION, manifest.version);
  assert.match(VERSION, /^\d+\.\d+\.\d+$/);
});
