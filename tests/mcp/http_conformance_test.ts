/** The official conformance suites over HTTP, against our server with their fixtures. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { createServer } from "../../mod.ts";
import { forTheSuite } from "../support/conformance.ts";
import { LAB } from "../support/lab.ts";
import { runProcess } from "../support/process.ts";
import { copyExample } from "../support/run.ts";

const SUITE = "@modelcontextprotocol/conformance";

const TASKS = "tasks are an extension that this server does not have";

/** A suite, and what of it applies. */
interface Target {
  /** What it is, in words. */
  readonly name: string;
  /** The version of the suite. */
  readonly version: string;
  /** Its flags. */
  readonly flags: readonly string[];
  /** The minimum number of scenarios. */
  readonly least: number;
  /** Scenarios that do not apply, and why; each must fail. */
  readonly excluded: Readonly<Record<string, string>>;
}

const TARGETS: readonly Target[] = [
  {
    name: "the newest stable suite, with its fixtures",
    version: "0.1.16",
    flags: [],
    least: 30,
    excluded: {},
  },
  {
    name: "what revision 2026-07-28 requires, with its fixtures",
    version: "0.2.0-alpha.12",
    flags: ["--requirements", "2026-07-28"],
    least: 37,
    excluded: {
      "tasks-lifecycle": TASKS,
      "tasks-capability-negotiation": TASKS,
      "tasks-wire-fields": TASKS,
      "tasks-request-state-removal": TASKS,
      "tasks-mrtr-input": TASKS,
      "tasks-request-headers": TASKS,
      "tasks-dispatch-and-envelope": TASKS,
      "tasks-required-task-error": TASKS,
      "tasks-mrtr-composition": TASKS,
      "json-schema-2020-12": "pending in the suite; combinators at the root are not listed, " +
        "because clients refuse them, and enforced all the same",
      "http-custom-header-server-validation":
        "pending in the suite; no tool maps arguments to headers",
    },
  },
];

/** Installs a version of the suite once; `undefined` without a registry. */
async function suite(version: string): Promise<{ dir: string; program: string } | undefined> {
  const dir = join(LAB, `conformance-${version}`);
  const program = join(dir, "node_modules", SUITE, "dist/index.js");
  try {
    await Deno.stat(program);
  } catch {
    await Deno.mkdir(dir, { recursive: true });
    await Deno.writeTextFile(
      join(dir, "package.json"),
      JSON.stringify({ private: true, dependencies: { [SUITE]: version } }),
    );
    const flags = ["--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"];
    const { code } = await runProcess("npm", ["install", ...flags], dir);
    if (code !== 0) return undefined;
  }
  return { dir, program };
}

/** Serves the suite's fixtures while the test runs. */
async function serving(test: (url: string) => Promise<void>): Promise<void> {
  const server = await createServer({
    cwd: copyExample("site-and-plan"),
    contributors: [forTheSuite],
  });
  const http = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, server.fetch);
  try {
    await test(`http://127.0.0.1:${http.addr.port}/mcp`);
  } finally {
    await server.close();
    await http.shutdown();
  }
}

for (const target of TARGETS) {
  Deno.test(`the official conformance suite passes: ${target.name}`, async (t) => {
    const { version, flags, least, excluded } = target;
    const installed = await suite(version);
    if (installed === undefined) {
      await t.step({
        name: "the suite (skipped: npm cannot install it here)",
        ignore: true,
        fn: () => {},
      });
      return;
    }
    await serving(async (url) => {
      const { stdout } = await runProcess(Deno.execPath(), [
        "run",
        "-A",
        "--node-modules-dir=manual",
        installed.program,
        "server",
        "--url",
        url,
        ...flags,
      ], installed.dir);
      const results = [...stdout.matchAll(/^([✓✗]) ([\w-]+): (\d+) passed, (\d+) failed/gm)];
      assert.ok(results.length >= least, stdout.slice(-2000));
      const failed = results.filter(([, mark]) => mark === "✗").map(([, , name]) => name!);
      const summary = stdout.slice(stdout.indexOf("=== SUMMARY"));
      assert.deepEqual(failed.sort(), Object.keys(excluded).sort(), summary);
    });
  });
}
