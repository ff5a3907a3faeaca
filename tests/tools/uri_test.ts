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

Deno.test("a template has its query after RFC 6570", () => {
  assert.deepEqual(ALL.map(uriTemplate), [
    "x://plan/index{?status}",
    "x://plan/{type}/{id}",
    "x://rune/{name}{?site,attributes*}",
  ]);
  assert.deepEqual(ALL.map(isStatic), [true, false, false]);
});

Deno.test("a URI is matched by its decoded parts", () => {
  assert.equal(matchUri(ALL, "x://plan/index")!.resource, INDEX);
  const { resource: found, params } = matchUri(ALL, "x://plan/milestone/v1%2F2%20beta")!;
  assert.equal(found, ENTITY);
  assert.deepEqual({ ...params }, { type: "milestone", id: "v1/2 beta" });
  assert.equal(matchUri(ALL, "x://plan/work"), undefined);
  assert.equal(matchUri(ALL, "y://plan/index"), undefined);
});

Deno.test("open parameters are those that are not declared", () => {
  const { params } = matchUri(ALL, "x://rune/hint?type=warning&site=main&a=b%3Dc")!;
  assert.deepEqual(openParams(RUNE, params), { type: "warning", a: "b=c" });
});

Deno.test("what is no URI, badly encoded or an unknown parameter is refused", () => {
  for (const uri of ["plan/index", "x://plan/%zz/a", "x://plan/index?stats=1", "x".repeat(5000)]) {
    assert.throws(() => matchUri(ALL, uri), { code: "INVALID_ARGS" }, uri.slice(0, 40));
  }
});
