import assert from "node:assert/strict";
import { frameDocument } from "../../../../plugins/board/view/frame.ts";

const CONTENT = { html: "<p>shown</p>", css: "p{color:red}", theme: "dark", elements: [] };

Deno.test("the frame contains theme, CSS and HTML, and loads nothing", () => {
  const document = frameDocument(CONTENT);
  assert.match(document, /<html data-theme="dark" data-color-scheme="dark">/);
  assert.match(document, /content-security-policy" content="default-src 'none'/);
  assert.ok(document.indexOf("p{color:red}") < document.indexOf("<p>shown</p>"));
  assert.match(frameDocument({ ...CONTENT, theme: '"><script>' }), /<html data-theme="light"/);
});

Deno.test("CSS and names cannot close their style element", () => {
  const document = frameDocument({
    ...CONTENT,
    css: "</style><script>1</script>",
    elements: [{ selector: ".a", rune: '"</style>\n', name: "\\" }],
  });
  assert.equal(document.match(/<\/style>/g)?.length, 3, "only the frame's own ends");
  assert.match(document, /content:"\\22 <\\\/style>\\a : \\5c "/);
});

Deno.test("a highlighted name has an outline", () => {
  assert.match(frameDocument({ ...CONTENT, marked: ".rf-hint" }), /\.rf-hint\{outline:3px solid/);
});
