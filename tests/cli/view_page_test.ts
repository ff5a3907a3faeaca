import assert from "node:assert/strict";
import { HOST_PAGE } from "../../src/cli/view_page.ts";

Deno.test("the page that hosts a view is one valid script without anything of the project", () => {
  const [script, ...others] = [...HOST_PAGE.matchAll(/<script>\n([^]*?)<\/script>/g)];
  assert.equal(others.length, 0);
  new Function(script![1]!);
  assert.match(HOST_PAGE, /<iframe sandbox="allow-scripts"/);
});
