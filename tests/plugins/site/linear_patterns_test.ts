import assert from "node:assert/strict";
import { inProcess } from "../../support/in_process.ts";
import { coreSite } from "./projects.ts";

const page = (title: string, ...filters: string[]) =>
  [
    "---",
    `title: "${title}"`,
    "---",
    "",
    "# One",
    ...filters.map((filter) => `\n{% collection type="page" filter="${filter}" /%}`),
    "",
  ].join("\n");

Deno.test("filters of pages match as upstream, and in linear time", () => {
  const cases: [string, string, boolean][] = [
    ["title:/^(a+)+$/", "a".repeat(50), true],
    ["title:/^(a+)+$/", `${"a".repeat(50)}!`, false],
    ["title:/^(?:a|a)*b/", "a".repeat(50), false],
    [`title:${"*a".repeat(40)}*b`, "a".repeat(200), false],
    ["title:/^spec-\\\\d+$/i", "SPEC-12", true],
    ["title:/^spec-\\\\d+$/", "SPEC-12", false],
    ["title:S*-12", "SPEC-12", true],
    // It is not valid, and plain text for upstream.
    ["title:/(.+/", "/(.+/", true],
  ];
  const files = Object.fromEntries(
    cases.map(([filter, title], at) => [`content/p${at}.md`, page(title, `${filter} url:/p${at}`)]),
  );
  return inProcess(coreSite({}, files), async ({ ok }) => {
    for (const [at, [filter, , isListed]] of cases.entries()) {
      const html = JSON.stringify(await ok("refrakt_render", { path: `content/p${at}.md` }));
      assert.equal(html.includes("data-entity-id"), isListed, filter);
    }
  });
});

Deno.test("a filter that cannot be matched in linear time is a finding with its reason", () => {
  const files = {
    "content/a.md": page("a", "title:/(?=a)a/"),
    "content/b.md": page("b", ...Array(60).fill("title:/(?:(?:a|b|c|d){0,30}){30}!/")),
    ...Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`content/p${at}.md`, page("abcd".repeat(50))]),
    ),
  };
  return inProcess(coreSite({}, files), async ({ ok }) => {
    for (let run = 0; run < 2; run++) {
      const { groups } = await ok("refrakt_check", { path: "content" });
      const [first, second, ...rest] = groups[0].findings;
      assert.match(first, /^content\/a\.md:7:\d+ The pattern "\(\?=a\)a" is refused: .* lookahead/);
      assert.match(
        second,
        /^content\/b\.md.* The pattern .* is refused: matches take [\d,]+ steps or more, at most 50,000,000/,
      );
      assert.deepEqual(rest, []);
    }
  });
});

Deno.test("routes of the config match in linear time", () => {
  const routeRules = [
    { pattern: `${"a?".repeat(40)}${"a".repeat(40)}b`, layout: "one" },
    { pattern: `${"*a".repeat(40)}*b`, layout: "one" },
    { pattern: "a**", layout: "two" },
    { pattern: "**", layout: "default" },
  ];
  const files = { [`content/${"a".repeat(100)}.md`]: page("a"), "content/b.md": page("b") };
  return inProcess(coreSite({ routeRules }, files), async ({ ok }) => {
    const { rows } = await ok("refrakt_query", { sql: "SELECT layout FROM pages ORDER BY url" });
    assert.deepEqual(rows, [["two"], ["default"]]);
  });
});
