import assert from "node:assert/strict";
import { LOCK_FILES } from "../../src/npm/lockfiles.ts";

function find(file: string, text: string, name = "@a/b", range?: string) {
  return LOCK_FILES.find((format) => format.name === file)!.open(text)(name, range);
}

const json = (value: unknown) => JSON.stringify(value, null, 2);

Deno.test("of npm's copies the highest folder's is taken, and a name that only ends alike is none", () => {
  const packages = {
    "node_modules/x/node_modules/@a/b": { version: "3.0.0" },
    "node_modules/@a/b": { version: "1.0.0", resolved: "https://r/b.tgz", integrity: "sha512-x" },
    "node_modules/@a/b-c": { version: "9.0.0" },
    "node_modules/z@a/b": { version: "9.0.0" },
  };
  assert.deepEqual(find("package-lock.json", json({ packages })), packages["node_modules/@a/b"]);
  assert.deepEqual(
    find(
      "package-lock.json",
      json({ packages: { "node_modules/@a/b": { resolved: "b", link: true } } }),
    ),
    { resolved: "b" },
  );
  assert.deepEqual(
    find("package-lock.json", json({ dependencies: { "@a/b": { version: "0.9.0" } } })),
    { version: "0.9.0" },
  );
});

/** Written by the package managers themselves, for one project whose packages lay on loopback. */
const REAL: readonly [manager: string, file: string][] = [
  ["npm", "package-lock.json"],
  ["pnpm", "pnpm-lock.yaml"],
  ["yarn-berry", "yarn.lock"],
  ["yarn-classic", "yarn.lock"],
  ["bun", "bun.lock"],
  ["deno", "deno.lock"],
];

Deno.test("what the package managers wrote is read: nested copies, aliases, folders, archives", () => {
  const theme =
    "sha512-Ws2k4NVapdJWYo/J8IAKvEPewnQD9KCuyyVmsgBSFIsh4RRUzuiAmpfI6voobUq9NsiRU/P8Bz7HEO8NZScaJQ==";
  for (const [manager, file] of REAL) {
    const text = Deno.readTextFileSync(
      new URL(`../support/locks/${manager}/${file}`, import.meta.url),
    );
    const at = (name: string, range?: string) => find(file, text, name, range);
    const own: [name: string, range: string, version: string][] = [
      ["@refrakt-md/plan", "^0.25.0", "0.25.1"],
      ["@refrakt-md/runes", ">=0.25 <0.26", "0.25.1"],
      ["@acme/theme", "1.x", "1.3.0"],
      // Deno's file knows what is aliased by its real name alone.
      manager === "deno"
        ? ["@acme/tools", "^1.0.0", "1.2.0"]
        : ["fork", "npm:@acme/tools@^1.0.0", "1.2.0"],
    ];
    for (const [name, range, version] of own) {
      assert.equal(at(name, range)?.version, version, `${manager}: ${name}`);
      assert.match(
        at(name, range)?.resolved ?? "https://registry.npmjs.org/",
        /^https:\/\/registry/,
      );
    }
    // Yarn's newer format has checksums of its own kind.
    const integrity = manager === "yarn-berry" ? undefined : theme;
    assert.equal(at("@acme/theme", "1.x")?.integrity, integrity, manager);
    if (manager === "deno") continue;
    // What no registry has, has no version that one could be asked for, or says where it is from.
    const packed = at("packed", "https://files.acme.example/packed-4.0.0.tgz");
    assert.match(packed?.resolved ?? "", /files\.acme\.example/, manager);
    const vendored = at("vendored", "file:./vendored");
    assert.ok(
      vendored?.version === undefined && /vendored/.test(vendored?.resolved ?? ""),
      manager,
    );
    const mine = at("@acme/mine", "workspace:*");
    if (manager !== "yarn-classic") assert.match(mine?.resolved ?? "", /packages\/mine/, manager);
    assert.equal(mine?.version, undefined, manager);
  }
});

Deno.test("the root's own copy is taken, wherever its members stand in npm's file", () => {
  const packages = {
    "apps/a/node_modules/@a/b": { version: "3.0.0" },
    "node_modules/@a/b": { version: "1.0.0" },
  };
  assert.equal(find("package-lock.json", json({ packages }))?.version, "1.0.0");
});

Deno.test("bun's and Deno's files are read", () => {
  const bun = `{ "packages": { "x/@a/b": ["@a/b@2.0.0", "", {}, "sha512-y"],
    "@a/b": ["@a/b@1.0.0", "", { "d": { "e": "}" } }, "sha512-x"], }, }`;
  assert.deepEqual(find("bun.lock", bun), { version: "1.0.0", integrity: "sha512-x" });
  const deno = json({
    specifiers: { "npm:@a/b@^1.0.0": "1.0.0_c@1.0.0" },
    npm: { "@a/b@1.0.0_c@1.0.0": { integrity: "sha512-x" }, "@a/b@2.0.0": {} },
  });
  assert.deepEqual(find("deno.lock", deno, "@a/b", "^1.0.0"), {
    version: "1.0.0",
    integrity: "sha512-x",
  });
  assert.equal(find("deno.lock", deno)?.version, "2.0.0");
});

Deno.test("no lock file pins what is no exact version, and none breaks on what it is not", () => {
  const range = "../../etc";
  assert.deepEqual(
    find("package-lock.json", json({ packages: { "node_modules/@a/b": { version: range } } })),
    {},
  );
  assert.deepEqual(find("bun.lock", `"@a/b": ["@a/b@${range}", "", {}]`), {});
  const broken = [
    "",
    "{",
    "null",
    "[]",
    '"@a/b":',
    '"node_modules/@a/b": {',
    "'@a/b",
    "\0",
    "- - -\n  :",
  ];
  for (const { name, open } of LOCK_FILES) {
    for (const text of broken) {
      assert.equal(open(text)("@a/b")?.version, undefined, `${name}: ${text}`);
    }
    assert.equal(
      open(json({ npm: {}, packages: {}, dependencies: {} }))("__proto__"),
      undefined,
      name,
    );
  }
});

Deno.test("lock files of several megabytes are read to their end, whatever is in them", () => {
  const integrity = `sha512-${"A".repeat(86)}==`;
  const many = (line: (index: number) => string) =>
    Array.from({ length: 20_000 }, (_, i) => line(i));
  const texts: [file: string, text: string][] = [
    [
      "package-lock.json",
      `{"lockfileVersion":3,"packages":{\n${
        many((i) =>
          `"node_modules/x${i}": {"version":"1.0.0","resolved":"https://registry.npmjs.org/x/-/x.tgz",` +
          `"integrity":"${integrity}","dependencies":{"@a/b":"^1.0.0","y":"1"},"engines":{"node":">=18"}}`
        ).join(",\n")
      },\n"node_modules/@a/b": {"version":"1.0.0","integrity":"${integrity}"}}}`,
    ],
    [
      "pnpm-lock.yaml",
      `lockfileVersion: '9.0'\n\npackages:\n\n${
        many((i) => `  x${i}@1.0.0:\n    resolution: {integrity: ${integrity}}\n`).join("\n")
      }\n  '@a/b@1.0.0':\n    resolution: {integrity: ${integrity}}\n`,
    ],
    [
      "yarn.lock",
      `${
        many((i) => `"x${i}@^1.0.0":\n  version "1.0.0"\n  integrity ${integrity}\n`).join("\n")
      }\n` +
      `"@a/b@^1.0.0":\n  version "1.0.0"\n  integrity ${integrity}\n`,
    ],
    [
      "bun.lock",
      `{"workspaces":{${
        many((i) => `"m${i}":{"dependencies":{"@a/b":"^1.0.0"}},`).join("\n")
      }},\n` +
      `"packages":{${many((i) => `"x${i}":["x${i}@1.0.0","",{},"${integrity}"],`).join("\n")}\n` +
      `"@a/b": ["@a/b@1.0.0", "", {}, "${integrity}"],}}`,
    ],
  ];
  for (const [file, text] of texts) {
    assert.ok(text.length > 2_000_000, `${file}: ${text.length}`);
    assert.deepEqual(find(file, text), { version: "1.0.0", integrity }, file);
  }
  // What no package manager writes: the longest runs of what each reader looks for.
  const units = [
    '"@a/b": [',
    '"node_modules/@a/b": {',
    "'@a/b':\n",
    '"@a/b@^1, ',
    "\n",
    ":",
    '\\"',
  ];
  for (const { open } of LOCK_FILES) {
    for (const unit of units) {
      assert.equal(open(unit.repeat(1_000_000 / unit.length))("@a/b")?.version, undefined, unit);
    }
  }
});
