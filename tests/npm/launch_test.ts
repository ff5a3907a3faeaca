import assert from "node:assert/strict";
import { launchMode, launchWarnings } from "../../src/npm/launch.ts";
import { packageVersion } from "../../src/npm/versions.ts";
import { openProject } from "../../src/project/project.ts";
import { makeProject, writeFiles } from "../support/project.ts";

Deno.test("a project whose packages are installed is served from node_modules, another one from the registry", () => {
  const bare = openProject(
    makeProject({ "package.json": '{"devDependencies":{"@refrakt-md/plan":"^0.25.0"}}' }),
  );
  const installed = openProject(makeProject({
    "node_modules/@refrakt-md/plan/package.json": '{"name":"@refrakt-md/plan","version":"0.25.1"}',
  }));
  assert.deepEqual([launchMode(bare).fromDisk, launchMode(installed).fromDisk], [false, true]);
  assert.ok(!launchMode(bare).flags.includes("--node-modules-dir=manual"));
  assert.ok(launchMode(installed).flags.includes("--node-modules-dir=manual"));
  assert.deepEqual(launchWarnings(bare, false), []);
  assert.deepEqual(launchWarnings(installed, true), [], "a binary has no choice");
  assert.equal(launchWarnings(installed, false)[0]?.code, "LAUNCH_MODE");
});

/** What each kind of scaffold of create-refrakt asks for, beside its framework's packages. */
const SCAFFOLDS: Readonly<Record<string, readonly string[]>> = {
  sveltekit: ["content", "highlight", "marketing", "runes", "svelte", "sveltekit", "transform"],
  html: ["behaviors", "content", "highlight", "html", "marketing", "runes", "transform"],
  astro: ["astro", "behaviors", "content", "marketing", "runes", "transform"],
  nuxt: ["content", "marketing", "nuxt", "runes", "transform"],
  next: ["behaviors", "content", "marketing", "next", "runes", "transform"],
  eleventy: ["content", "eleventy", "marketing", "runes", "transform"],
};

const site = (target: string, plugin: string) => ({
  contentDir: "./content",
  theme: "@refrakt-md/lumina",
  target: target === "sveltekit" ? "svelte" : target,
  plugins: [`@refrakt-md/${plugin}`],
  routeRules: [{ pattern: "**", layout: "default" }],
});

const asking = (names: readonly string[], range: string) =>
  Object.fromEntries(names.map((name) => [`@refrakt-md/${name}`, range]));

Deno.test("scaffolds of every kind get their own versions, and flags that fit, bare and installed", () => {
  const cases: [kind: string, files: Record<string, unknown>, range: string, needed: string[]][] = [
    ...Object.entries(SCAFFOLDS).map(([target, names]): typeof cases[number] => [
      target,
      {
        "package.json": {
          dependencies: {
            ...asking([...names, "types", "lumina"], "~0.25.1"),
            "@markdoc/markdoc": "^0.4.0",
          },
        },
        "refrakt.config.json": { sites: { main: site(target, "marketing") } },
      },
      "~0.25.1",
      ["runes", "transform", "content", "lumina", "marketing"],
    ]),
    [
      "plan",
      {
        "package.json": { devDependencies: asking(["cli", "plan"], "~0.25.1") },
        "refrakt.config.json": { plan: { dir: "plan" } },
      },
      "~0.25.1",
      ["plan"],
    ],
    [
      "plan site",
      {
        "package.json": {
          dependencies: asking([...SCAFFOLDS["html"]!, "plan", "lumina"], "~0.25.1"),
          devDependencies: asking(["cli"], "~0.25.1"),
        },
        "refrakt.config.json": { plan: { dir: "plan" }, sites: { main: site("html", "plan") } },
      },
      "~0.25.1",
      ["plan", "runes", "lumina"],
    ],
    ...["theme", "plugin"].map((kind): typeof cases[number] => [
      kind,
      {
        "package.json": {
          name: `@acme/${kind}`,
          peerDependencies: asking(["runes", "transform", "types"], ">=0.25 <0.26"),
          devDependencies: asking(["runes", "transform", "types"], ">=0.25 <0.26"),
        },
      },
      ">=0.25 <0.26",
      ["runes", "transform"],
    ]),
    [
      "preset pack",
      {
        "package.json": {
          name: "@acme/presets",
          peerDependencies: asking(["types"], ">=0.25 <0.26"),
          devDependencies: asking(["cli", "types"], ">=0.25 <0.26"),
        },
      },
      ">=0.25 <0.26",
      ["cli", "types"],
    ],
    [
      "template",
      {
        "package.json": {
          devDependencies: asking(["docs", "marketing", "lumina"], ">=0.25 <0.26"),
        },
      },
      ">=0.25 <0.26",
      ["docs", "marketing"],
    ],
  ];
  for (const [kind, files, range, needed] of cases) {
    const cwd = makeProject(
      Object.fromEntries(
        Object.entries(files).map(([path, value]) => [path, JSON.stringify(value)]),
      ),
    );
    const bare = openProject(cwd);
    assert.equal(launchMode(bare).fromDisk, false, kind);
    for (const name of needed) {
      const { version, from } = packageVersion(bare, `@refrakt-md/${name}`);
      assert.deepEqual([version, from], [range, "package.json"], `${kind}: ${name}`);
    }
    for (const name of needed) {
      writeFiles(cwd, {
        [`node_modules/@refrakt-md/${name}/package.json`]: '{"version":"0.25.1"}',
      });
    }
    const installed = openProject(cwd);
    assert.equal(launchMode(installed).fromDisk, true, kind);
    for (const name of needed) {
      const { version, from } = packageVersion(installed, `@refrakt-md/${name}`);
      assert.deepEqual([version, from], ["0.25.1", "node_modules"], `${kind}: ${name}`);
    }
  }
});

Deno.test("a project that yarn keeps in archives is told why its packages come from the registry", () => {
  const files = { "package.json": '{"devDependencies":{"@refrakt-md/plan":"^0.25.0"}}' };
  const reason = (more = {}) => launchMode(openProject(makeProject({ ...files, ...more }))).reason;
  assert.match(reason(), /^The project has installed no refrakt packages: .* from the registry/);
  assert.match(reason({ ".pnp.cjs": "" }), /^Yarn's Plug'n'Play .* from the registry/);
});

Deno.test("a package that has nothing to do with refrakt does not decide where packages come from", () => {
  const project = openProject(makeProject({
    "package.json": '{"dependencies":{"left-pad":"1.0.0"}}',
    "node_modules/left-pad/package.json": '{"name":"left-pad","version":"1.0.0"}',
  }));
  assert.equal(launchMode(project).fromDisk, false);
});
