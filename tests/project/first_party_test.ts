import assert from "node:assert/strict";
import { FIRST_PARTY_NAMES, meantPackage } from "../../src/project/first_party.ts";
import { isPackageName } from "../../src/npm/names.ts";

Deno.test("every first-party name is a package's, and none is there twice", () => {
  assert.ok(FIRST_PARTY_NAMES.every(isPackageName));
  assert.equal(new Set(FIRST_PARTY_NAMES).size, FIRST_PARTY_NAMES.length);
});

Deno.test("a name without the scope, or with one that looks like it, is a package that is meant", () => {
  const cases: [name: string, meant: string | undefined][] = [
    ["lumina", "@refrakt-md/lumina"],
    ["Lumena", "@refrakt-md/lumina"],
    ["markting", "@refrakt-md/marketing"],
    ["@refrakt/plan", "@refrakt-md/plan"],
    ["@refract-md/runes", "@refrakt-md/runes"],
    // Somebody else's.
    ["docs-kit", undefined],
    ["@acme/lumina", undefined],
    ["./themes/lumina", undefined],
    ["@refrakt-md/lumina", undefined],
    ["", undefined],
  ];
  for (const [name, meant] of cases) assert.equal(meantPackage(name), meant, name);
});
