/** The official conformance suites over HTTP, against our server with their fixtures. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { createServer } from "../../mod.ts";
import { FIXTURES } from "../support/conformance.ts";
import { LAB, npmFolder } from "../support/lab.ts";
import { runProcess } from "../support/process.ts";
import { copyExample } from "../support/run.ts";

const SUITE = "@modelcontextprotocol/conformance";

/** The scenarios of logs for clients, subscriptions and questions to clients, which it does not have. */
const LEGACY =
  "logging-set-level tools-call-with-logging resources-subscribe resources-unsubscribe " +
  "tools-call-sampling tools-call-elicitation elicitation-sep1034-defaults " +
  "elicitation-sep1330-enums";
const QUESTIONS =
  ("basic-elicitation basic-list-roots basic-sampling capability-check multi-round " +
    "multiple-input-requests non-tool-request request-state result-type tampered-state").split(" ");
/** An extension that it does not have. */
const TASKS = ("lifecycle capability-negotiation wire-fields request-state-removal mrtr-input " +
  "request-headers dispatch-and-envelope required-task-error mrtr-composition").split(" ");

/** Suites, the fewest scenarios that each has, and those that do not apply and must fail. */
const TARGETS = [
  {
    name: "the newest stable suite, with its fixtures",
    version: "0.1.16",
    flags: [],
    least: 30,
    excluded: LEGACY.split(" "),
  },
  {
    name: "what revision 2026-07-28 requires, with its fixtures",
    version: "0.2.0-alpha.12",
    flags: ["--requirements", "2026-07-28"],
    least: 37,
    excluded: [
      ...TASKS.map((name) => `tasks-${name}`),
      ...QUESTIONS.map((name) => `input-required-result-${name}`),
      // Two of its 28 checks call a tool that asks the client's model.
      "server-stateless",
      // Pending in the suite: combinators at the root are not listed, because clients refuse them,
      // and enforced all the same; and no tool maps arguments to headers.
      "json-schema-2020-12",
      "http-custom-header-server-validation",
    ],
  },
];

for (const { name, version, flags, least, excluded } of TARGETS) {
  Deno.test(`the official conformance suite passes: ${name}`, async () => {
    const folder = await npmFolder(join(LAB, `conformance-${version}`), { [SUITE]: version });
    const server = await createServer({ cwd: copyExample("site-and-plan"), plugins: [FIXTURES] });
    const http = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, server.fetch);
    try {
      const program = join(folder, "node_modules", SUITE, "dist/index.js");
      const url = `http://127.0.0.1:${http.addr.port}/mcp`;
      const args = ["run", "-A", "--node-modules-dir=manual", program, "server", "--url", url];
      const { stdout } = await runProcess(Deno.execPath(), [...args, ...flags], folder);
      const results = [...stdout.matchAll(/^([✓✗]) ([\w-]+): (\d+) passed, (\d+) failed/gm)];
      assert.ok(results.length >= least, stdout.slice(-2000));
      const failed = results.filter(([, mark]) => mark === "✗").map(([, , name]) => name!);
      const summary = stdout.slice(stdout.indexOf("=== SUMMARY"));
      assert.deepEqual(failed.sort(), excluded.toSorted(), summary);
    } finally {
      await server.close();
      await http.shutdown();
    }
  });
}
