import assert from "node:assert/strict";
import { join } from "node:path";
import { openProject } from "../../src/host/open_project.ts";
import { loadError } from "../../src/packages/failures.ts";
import type { PackageVersion } from "../../src/packages/package.ts";
import { DENO_MESSAGES } from "../../src/io/deno_messages.ts";
import { runProcess } from "../support/process.ts";
import { makeProject } from "../support/project.ts";
import { startRegistry } from "../support/registry.ts";

const FOUND: PackageVersion = {
  name: "@acme/plan",
  version: "1.0.0",
  from: "package.json",
  code: {
    trust: false,
    timeoutMs: 1000,
    shell: { ...openProject(makeProject()).shell, install: () => "npm install" },
  },
};

const say = (message: string) => loadError(FOUND, "cli-plugin", new Error(message));

const NONE = ["--no-config", "--no-lock", "--node-modules-dir=none", "--allow-read"];
const MANUAL = ["--no-lock", "--node-modules-dir=manual", "--allow-read"];
const HOOKS = 'import { registerHooks } from "node:module"; ' +
  "registerHooks({ resolve: (specifier, context, next) => next(specifier, context) });";

/** The registry's responses for broken packages. */
const ANSWERS: Readonly<Record<string, () => Response>> = {
  "@made-up/busy": () => new Response("", { status: 503 }),
  "@made-up/private": () => new Response("", { status: 401 }),
  "@made-up/page": () => new Response("<html>"),
  "@made-up/broken/-/broken-1.0.0.tgz": () => new Response("garbage"),
  "@made-up/far": () => {
    const dist = { tarball: "http://127.0.0.1:1/far.tgz", integrity: "sha512-AAAA" };
    const versions = { "1.0.0": { name: "@made-up/far", version: "1.0.0", dist } };
    return Response.json({ name: "@made-up/far", "dist-tags": { latest: "1.0.0" }, versions });
  },
};

const PACKAGES = [
  { name: "broken" },
  { name: "needs-broken", dependencies: { "@made-up/broken": "1.0.0" } },
  { name: "bare", plugin: 'import "zod"; export default {};' },
  { name: "unbuilt", plugin: 'import "./missing.js"; export default {};' },
];

/** Installed packages, inside the project and beside it, with a missing import. */
const INSTALLED = {
  "node_modules/@made-up/installed/package.json":
    '{ "name": "@made-up/installed", "version": "1.0.0", "type": "module", "main": "index.js" }',
  "node_modules/@made-up/installed/index.js": 'import "@made-up/absent";\n',
  "node_modules/@made-up/installed/other.js": 'import "dep";\n',
  "node_modules/dep/package.json":
    '{ "name": "dep", "version": "1.0.0", "type": "module", "main": "dist/index.js" }',
  "node_modules/dep/dist/index.js": 'import "yaml";\n',
};

/**
 * What is imported, Deno's message by its key in the table, and the resulting message, if it is about
 * the requested package, with its hint.
 */
type Case = [
  specifier: string,
  said: keyof typeof DENO_MESSAGES,
  message: RegExp,
  hint: RegExp,
  how?: { readonly flags?: readonly string[]; readonly before?: string },
];

const CASES: readonly Case[] = [
  [
    "far",
    "archiveFailed",
    /: @made-up\/far .*: the registry cannot be reached$/,
    /^Restart the server/,
  ],
  [
    "needs-broken",
    "archiveFailed",
    /: @made-up\/broken could not be downloaded: its archive does not match its checksum$/,
    /remove @made-up\/needs-broken/,
  ],
  [
    "busy",
    "packumentFailed",
    /: @made-up\/busy could not be downloaded: the registry answered with 503$/,
    /^Check the network.* tries again by itself\.$/,
  ],
  ["private", "packumentFailed", /the registry answered with 401$/, /^Check the network.*warm/],
  ["page", "packumentFailed", /: the registry's answer is not valid$/, /^Check the network/],
  ["nowhere", "unknownPackage", /: @made-up\/nowhere is not on the npm registry$/, /only on disk/],
  [
    "bare@9",
    "unknownVersion",
    /no version of @made-up\/bare that satisfies "9" \(from package\.json\)/,
    /exists only on disk.*--trust/,
  ],
  [
    "installed@1.0.0/other.js",
    "missingImport",
    /: dep imports "yaml", which is not installed$/,
    /^Install the project again/,
    { flags: MANUAL, before: HOOKS },
  ],
  [
    "unbuilt/cli-plugin",
    "noFileFor",
    /: \S+\/missing\.js does not exist \(imported from \S+cli-plugin\.js\)$/,
    /^Build the package .* restart/,
    { before: HOOKS },
  ],
  ["bare@2", "notInNodeModules", /bare is not installed/, /npm install/, { flags: MANUAL }],
  [
    "bare@1.0.0",
    "notResolved",
    /@made-up\/bare is not installed/,
    /npm install/,
    { flags: MANUAL, before: HOOKS },
  ],
  ["bare/none", "noExport", /ERR_PACKAGE_PATH_NOT_EXPORTED/, /is built/],
];

Deno.test("Deno's import errors become a cause and a hint", async () => {
  const registry = await startRegistry(PACKAGES, { intercept: (path) => ANSWERS[path]?.() });
  const cwd = makeProject({
    "package.json":
      '{ "dependencies": { "@made-up/bare": "1.0.0", "@made-up/installed": "1.0.0" } }',
    ...INSTALLED,
  });
  const check = async ([specifier, said, message, hint, how = {}]: Case) => {
    const { flags = NONE, before = "" } = how;
    const whole = `npm:@made-up/${specifier}`;
    // Failed downloads make every later import fail too, so each runs in its own process.
    const script = `${before} const specifier = ${JSON.stringify(whole)};
      await import(specifier).catch(({ message }) => console.log(message));`;
    const file = join(cwd, `${crypto.randomUUID()}.mjs`);
    Deno.writeTextFileSync(file, script);
    const args = ["run", ...flags, file];
    const { stdout } = await runProcess(Deno.execPath(), args, cwd, undefined, registry.env);
    const sentence = stdout.trim();
    assert.match(sentence, DENO_MESSAGES[said]);
    const [, name = ""] = /^npm:(@made-up\/[\w-]+)/.exec(whole)!;
    const error = loadError({ ...FOUND, name }, "cli-plugin", new Error(sentence));
    assert.equal(error.code, "PLUGIN_LOAD_FAILED");
    assert.ok(error.message.startsWith(`Cannot load ${name}/cli-plugin@1.0.0: `));
    assert.match(error.message, message);
    assert.match(error.hint ?? "", hint);
  };
  try {
    await Promise.all(CASES.map(check));
  } finally {
    await registry.stop();
  }
});

Deno.test("an unknown failure is reported by its first line", () => {
  const error = say(`Odd\n${"at x\n".repeat(100_000)}`);
  assert.equal(error.message, "Cannot load @acme/plan/cli-plugin@1.0.0: Odd");
  assert.ok(say("x".repeat(1e6)).message.length < 500);
  const ofDeno = Object.assign(new TypeError("CANARY"), { code: "ERR_INVALID_MODULE" });
  const { message } = loadError(FOUND, "cli-plugin", ofDeno);
  assert.match(message, /: Deno could not import one of its modules$/);
});

Deno.test("a registry's URL is shown without credentials", () => {
  const cases = ["Odd: https://ada:secret@r.example/x", 'Odd "http://secret@r.example:81/@a/b"'];
  for (const said of cases) {
    const { message } = say(said);
    assert.ok(!message.includes("secret") && message.includes("r.example"), message);
  }
  assert.match(say("Odd https://r.example/@a/b@1.0.0").message, /r\.example\/@a\/b@1\.0\.0$/);
});
