import assert from "node:assert/strict";
import { carriedVersions, EMBEDDED_PACKAGES, embeddedSpecifiers } from "../../src/npm/embedded.ts";
import { isExactVersion, isPackageName, PLAN_PACKAGE } from "../../src/npm/names.ts";

Deno.test("a binary carries exact versions of packages, and a checkout none", () => {
  const carried = carriedVersions(true);
  assert.equal(carriedVersions(false), undefined);
  assert.ok(carried !== undefined && PLAN_PACKAGE in carried);
  for (const [name, version] of Object.entries(carried)) {
    assert.ok(isPackageName(name) && isExactVersion(version), `${name}@${version}`);
  }
});

Deno.test("each embedded export has a specifier of its own", () => {
  const specifiers = embeddedSpecifiers();
  assert.equal(
    new Set(specifiers).size,
    EMBEDDED_PACKAGES.flatMap(({ exports }) => exports).length,
  );
  assert.ok(
    specifiers.some((specifier) => /^npm:@refrakt-md\/plan@[\d.]+\/cli-plugin$/.test(specifier)),
  );
  assert.ok(specifiers.every((specifier) => !specifier.endsWith("/")));
});
