import assert from "node:assert/strict";
import { FIRST_PARTY_NAMES, meantPackage } from "../../src/project/first_party.ts";
import { isPackageName } from "../../src/npm/names.ts";

Deno.test("first-party names are valid package names without duplicates", () => {
  assert.ok(FIRST_PARTY_NAMES.every(isPackageName));
  assert.equal(new Set(FIRST_PARTY_NAMES).size, FIRST_PARTY_NAMES.length);
});

Deno.test("a name without the scope, or with a similar one, suggests a package", () => {
  const cases: [name: string, meant: string | undefined][] = [
    ["lumina", "@refrakt-md/lumina"],
    ["Lumena", "@refrakt-md/lumina"],
    ["markting", "@refrakt-md/marketing"],
    ["@refrakt/plan", "@refrakt-md/plan"],
    ["@refract-md/runes", "@refrakt-md/runes"],
    // Other publishers' packages.
    ["docs-kit", undefined],
    ["@acme/lumina", undefined],
    ["./themes/lumina", undefined],
    ["@refrakt-md/lumina", undefined],
    ["", undefined],
  ];
  for (const [name, meant] of cases) assert.equal(meantPackage(name), meant, name);
});
