import assert from "node:assert/strict";
import type { Resource } from "../../src/plugin/resource.ts";
import { isStatic, matchUri, openParams, uriTemplate } from "../../src/plugin/uri.ts";

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
  assert.deepEqual(openParams(params), { type: "warning", a: "b=c" });
});

Deno.test("unknown URIs differ from malformed ones and from unknown parameters", () => {
  for (const uri of ["x://plan", "x://plan/", "x://plan//x", "x://x"]) {
    assert.equal(matchUri(ALL, uri), undefined, uri);
  }
  assert.equal(matchUri(ALL, "x://rune/a?__proto__=x")?.params["?__proto__"], "x");
  const cases = ["plan", "x:/x", "x://rune/%zz", "x://plan/index?a=1", "x://rune/a?x=1&x=2"];
  for (const uri of [...cases, `x://${"x".repeat(5000)}`]) {
    assert.throws(() => matchUri(ALL, uri), { code: "INVALID_ARGS" }, uri.slice(0, 40));
  }
});
