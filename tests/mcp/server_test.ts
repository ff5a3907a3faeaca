import assert from "node:assert/strict";
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
