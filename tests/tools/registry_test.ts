import assert from "node:assert/strict";
import { z } from "zod";
import { didYouMean, ERROR_CODES, messageOf, nearest, RefraktError } from "../../src/errors.ts";
import { openProject } from "../../src/project/project.ts";
import { isToolName, nameKey, underscored } from "../../src/tools/tool_names.ts";
import { buildToolset } from "../../src/tools/registry.ts";
import type { Resource } from "../../src/tools/resource.ts";
import { defineSchema } from "../../src/tools/schema.ts";
import { defineTool } from "../../src/tools/tool.ts";
import { matchUri, uriTemplate } from "../../src/tools/uri.ts";
import { makeProject } from "../support/project.ts";

Deno.test("nearest() finds names that were meant, and no others", () => {
  const names = ["plan.next", "plan.next-id", "plan.update", "refrakt.inspect"];
  assert.equal(nearest("plan.nxt", names)[0], "plan.next");
  assert.equal(nearest("inspect", names)[0], "refrakt.inspect");
  assert.deepEqual(nearest("zzzzzz", names), []);
  assert.deepEqual(nearest("", names), []);
  assert.equal(didYouMean("plan.updat", names), 'Did you mean "plan.update"?');
  assert.equal(nearest("x".repeat(100_000), names).length, 0);
});

Deno.test("messageOf() has a message for anything that can be thrown", () => {
  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;
  for (
    const thrown of [
      new Error("m"),
      new Error(),
      "s",
      3,
      null,
      undefined,
      {},
      cycle,
      1n,
      Symbol("x"),
    ]
  ) {
    assert.equal(typeof messageOf(thrown), "string");
  }
});

Deno.test("every error code is in capitals and says what it means", () => {
  for (const [code, meaning] of Object.entries(ERROR_CODES)) {
    assert.match(code, /^[A-Z]+(_[A-Z]+)*$/);
    assert.ok(meaning.length > 10 && meaning.endsWith("."));
  }
});

Deno.test("names: dots, underscores and hyphens are the same letter", () => {
  assert.equal(nameKey("plan.next-id"), nameKey("plan_next_id"));
  assert.equal(underscored("plan.next-id"), "plan_next_id");
  for (const name of ["a", "plan.next-id", "ralph_start"]) assert.ok(isToolName(name));
  for (const name of ["", "1a", "a b", "ä", "a/b", "a".repeat(65)]) assert.ok(!isToolName(name));
});

Deno.test("buildToolset() keeps the first of two names, and warns of the second", () => {
  const tool = (name: string, title: string) =>
    defineTool({ name, title, description: "x", input: z.strictObject({}), run: () => title });
  const toolset = buildToolset(openProject(makeProject()), [
    { tools: [tool("b.two", "first"), tool("a.one", "only")] },
    { tools: [tool("b_two", "second"), tool("bad name", "x")] },
  ]);
  assert.deepEqual(toolset.tools.map((entry) => entry.name), ["a.one", "b.two"]);
  assert.equal(toolset.findTool("b-two")?.title, "first");
  assert.equal(toolset.findTool("constructor"), undefined);
  assert.deepEqual(toolset.warnings.map((entry) => entry.code), [
    "NAME_CLASH",
    "TOOL_NAME_INVALID",
  ]);
});

Deno.test("a Zod schema refuses what does not fit, with a message", async () => {
  const strict = defineSchema(z.strictObject({ name: z.string() }));
  for (const value of [null, undefined, 1, "x", [], { name: 1 }, { name: "x", more: 1 }]) {
    await assert.rejects(
      strict.parse(value),
      (error) =>
        error instanceof RefraktError && error.code === "INVALID_ARGS" && error.message !== "",
    );
  }
});

Deno.test("matchUri() takes a URI apart, decoded, and tells what is wrong with it", () => {
  const entry = (uri: string, rest: Partial<Resource> = {}): Resource => ({
    uri,
    name: uri,
    title: uri,
    description: uri,
    mimeType: "text/plain",
    read: () => ({ text: "" }),
    ...rest,
  });
  const resources = [
    entry("refrakt://plan/index"),
    entry("refrakt://plan/{type}/{id}"),
    entry("refrakt://rune/{name}", { query: ["site"], openQuery: "attributes" }),
  ];
  const params = (uri: string) => matchUri(resources, uri)?.params;
  assert.deepEqual(params("refrakt://plan/index"), {});
  assert.deepEqual(params("refrakt://plan/work/A%2FB%20c"), { type: "work", id: "A/B c" });
  assert.deepEqual(params("refrakt://rune/api?path=%2Fusers%2Fa%3Db&q=a=b&e&site=main"), {
    name: "api",
    path: "/users/a=b",
    q: "a=b",
    e: "",
    site: "main",
  });
  assert.equal(params("refrakt://rune/a?__proto__=x")?.["__proto__"], "x");
  for (
    const uri of [
      "refrakt://plan",
      "refrakt://plan/",
      "refrakt://plan//x",
      "other://plan/index",
      "refrakt://x",
    ]
  ) {
    assert.equal(params(uri), undefined, uri);
  }
  for (
    const uri of [
      "plan",
      "refrakt:/x",
      "refrakt://rune/%zz",
      "refrakt://plan/index?a=1",
      "refrakt://rune/a?x=1&x=2",
      `refrakt://${"x".repeat(5000)}`,
    ]
  ) {
    assert.throws(() => params(uri), { code: "INVALID_ARGS" }, uri);
  }
  assert.equal(uriTemplate(resources[2]!), "refrakt://rune/{name}{?site,attributes*}");
});
