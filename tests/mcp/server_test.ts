import assert from "node:assert/strict";
import { RefraktError } from "../../src/errors.ts";
import { errorMessage, requestError, resourceError } from "../../src/mcp/results.ts";
import { inProcess, withClient } from "../support/in_process.ts";
import { makeProject, SMALL_PLAN } from "../support/project.ts";

Deno.test("clients get capabilities, instructions, and errors with the code of their era and the same data", async () => {
  const cwd = makeProject(SMALL_PLAN);
  await inProcess(cwd, async ({ client, readError }) => {
    assert.equal(client.getServerVersion()!.name, "refrakt");
    assert.deepEqual(
      Object.keys(client.getServerCapabilities()!).sort(),
      "completions extensions prompts resources tools".split(" "),
    );
    assert.match(client.getInstructions()!, /plan/);
    const uri = "refrakt://no/such";
    const { code, data } = await readError(uri);
    assert.deepEqual([code, data["errorCode"]], [-32002, "NOT_FOUND"]);
    const modern = { era: "modern", cwd } as const;
    await withClient({}, (client) =>
      assert.rejects(client.readResource({ uri }), {
        code: -32602,
        data: { uri, errorCode: "NOT_FOUND", hint: data["hint"] },
      }), modern);
  });
});

Deno.test("errors are bounded, even if they quote long input", () => {
  const long = "x".repeat(9_000_000);
  const error = new RefraktError("NOT_FOUND", long, { hint: long, data: { id: long } });
  const answers = [
    errorMessage(error),
    resourceError(error, long).data,
    resourceError(error, long).message,
    requestError(error).data,
    requestError(error).message,
  ];
  for (const answer of answers) assert.ok(JSON.stringify(answer).length < 50_000);
});
