import assert from "node:assert/strict";
import type { Resource } from "../../src/tools/resource.ts";
import { isStatic, matchUri, openParams, uriTemplate } from "../../src/tools/uri.ts";

function resource(uri: string, more: Partial<Resource> = {}): Resource {
  const read = () => ({ text: uri });
  return { uri, name: uri, title: uri, description: "", mimeType: "text/plain", read, ...more };
}

const INDEX = resource("x://plan/index", { query: ["status"] });
const ENTITY = resource("x://plan/{type}/{id}");
const RUNE = resource("x://rune/{name}", { query: ["site"], openQuery: "attributes" });
const ALL = [INDEX, ENTITY, RUNE];

Deno.test("templates show query parameters by RFC 6570", () => {
  assert.deepEqual(
    ALL.map(uriTemplate),
    ["x://plan/index{?status}", "x://plan/{type}/{id}", "x://rune/{name}{?site,attributes*}"],
  );
  assert.deepEqual(ALL.map(isStatic), [true, false, false]);
});

Deno.test("URIs are matched by decoded parts", () => {
  assert.equal(matchUri(ALL, "x://plan/index")!.resource, INDEX);
  const { resource: found, params } = matchUri(ALL, "x://plan/milestone/v1%2F2%20beta")!;
  assert.equal(found, ENTITY);
  assert.deepEqual({ ...params }, { type: "milestone", id: "v1/2 beta" });
  assert.equal(matchUri(ALL, "x://plan/work"), undefined);
  assert.equal(matchUri(ALL, "y://plan/index"), undefined);
});

Deno.test("open parameters are the undeclared ones", () => {
  const { params } = matchUri(ALL, "x://rune/hint?type=warning&site=main&a=b%3Dc")!;
  assert.deepEqual(openParams(RUNE, params), { type: "warning", a: "b=c" });
});

Deno.test("malformed URIs, bad encodings and unknown parameters are rejected", () => {
  for (const uri of ["plan/index", "x://plan/%zz/a", "x://plan/index?stats=1", "x".repeat(5000)]) {
    assert.throws(() => matchUri(ALL, uri), { code: "INVALID_ARGS" }, uri.slice(0, 40));
  }
});

Deno.test("matchUri() distinguishes unknown from malformed URIs", () => {
  const params = (uri: string) => matchUri(ALL, uri)?.params;
  assert.deepEqual(params("x://plan/index"), {});
  assert.deepEqual(params("x://plan/work/A%2FB%20c"), { type: "work", id: "A/B c" });
  assert.deepEqual(
    params("x://rune/api?path=%2Fusers%2Fa%3Db&q=a=b&e&site=main"),
    { name: "api", path: "/users/a=b", q: "a=b", e: "", site: "main" },
  );
  assert.equal(params("x://rune/a?__proto__=x")?.["__proto__"], "x");
  const uris = ["x://plan", "x://plan/", "x://plan//x", "other://plan/index", "x://x"];
  for (const uri of uris) {
    assert.equal(params(uri), undefined, uri);
  }
  const cases = [
    "plan",
    "x:/x",
    "x://rune/%zz",
    "x://plan/index?a=1",
    "x://rune/a?x=1&x=2",
    `x://${"x".repeat(5000)}`,
  ];
  for (const uri of cases) {
    assert.throws(() => params(uri), { code: "INVALID_ARGS" }, uri);
  }
});
