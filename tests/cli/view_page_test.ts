import assert from "node:assert/strict";
import { hostPage } from "../../src/cli/view_page.ts";

const DOCUMENT = "<!doctype html><script>1</script><!-- <script> -->\u2028";

Deno.test("the view's data cannot close its script element", () => {
  const page = hostPage({
    document: DOCUMENT,
    tool: "plan.board",
    tools: [],
    input: { path: "</script><script>alert(1)</script>" },
  });
  assert.equal(page.match(/<\/script/g)?.length, 1);
  assert.equal(page.match(/<script/g)?.length, 1);
  const script = /<script>\n([^]*)<\/script>/.exec(page)![1]!;
  const data = /= (\{[^\n]*\});\n/.exec(script)![1]!;
  assert.equal(JSON.parse(data).document, DOCUMENT);
  new Function(script);
});
