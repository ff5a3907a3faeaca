import assert from "node:assert/strict";
import { HOST_PAGE } from "../../src/cli/view_page.ts";

Deno.test("the page that hosts a view is one valid script without anything of the project", () => {
  const [script, ...others] = [...HOST_PAGE.matchAll(/<script>\n([^]*?)<\/script>/g)];
  assert.equal(others.length, 0);
  new Function(script![1]!);
  assert.match(HOST_PAGE, /<iframe sandbox="allow-scripts"/);
  const [argsOf] = /const escaped = [^]*?\n};/.exec(script![1]!)!;
  const run = new Function("location", "keepsIn", "input", `${argsOf} return argsOf();`);
  assert.deepEqual(run({ search: "?text=a%E2%80%AEb" }, "filter", {}), {
    filter: { text: "a\\u202eb" },
  });
});
