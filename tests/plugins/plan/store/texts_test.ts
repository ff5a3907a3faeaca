import assert from "node:assert/strict";
import { textsOf } from "../../../../plugins/plan/store/texts.ts";
import { markdownFiles } from "../../../../src/project/plan.ts";
import { stampOf } from "../../../../src/io/stamp.ts";
import { ROOT } from "../../../support/server.ts";

const rowsOf = (paths: readonly string[]) =>
  paths.map((path) => ({ path, stamp: stampOf(Deno.lstatSync(path)) }));

Deno.test("texts come in the order of the files, whatever their folders", () => {
  // Nothing has changed in these folders for a while, so that their files are read together.
  const root = Deno.realPathSync(`${ROOT}examples/plan`);
  const paths = markdownFiles(root, `${root}/plan`).map((file) => `${root}/plan/${file}`);
  assert.ok(new Set(paths.map((path) => path.replace(/[^/]*$/, ""))).size > 1);
  assert.deepEqual(
    [...textsOf(root, rowsOf(paths))].map(({ file, text }) => [file.path, text]),
    paths.map((path) => [path, Deno.readTextFileSync(path)]),
  );
});
