import assert from "node:assert/strict";
import { targetOf } from "../../../plugins/board/view/preview_model.ts";

Deno.test("links lead to pages of the site, to other sites, or nowhere", () => {
  const links = { "/": "content/index.md", "/a/b": "content/a/b.md", "/c/": "content/c.md" };
  const from = (href: string) => targetOf(href, { url: "/a/b" }, links);
  const page = (path: string, anchor = "") => ({ path, anchor });
  assert.deepEqual(from("/"), page("content/index.md"));
  assert.deepEqual(from("/a/b/#x%20y"), page("content/a/b.md", "x y"));
  assert.deepEqual(from("../c"), page("content/c.md"));
  assert.deepEqual(from("https://example.com/x"), { visit: "https://example.com/x" });
  for (
    const nowhere of ["/d", "javascript:alert(1)", "vscode://file/x", "//[", "data:text/html,x"]
  ) {
    assert.equal(from(nowhere), undefined, nowhere);
  }
});
