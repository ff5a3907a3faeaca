import assert from "node:assert/strict";
import { resources } from "../../../plugins/ralph/resources.ts";
import { RefraktError } from "../../../src/errors.ts";
import { contextOf, inLab, putSpec } from "./support.ts";

Deno.test("resources return the status and the documents, by exact names", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "design" }, "- [ ] 1.1 A\n");
    lab.write("secret.md", "SECRET");
    const context = contextOf(lab);
    const [specs, file] = resources;
    assert.deepEqual([specs!.uri, file!.uri], ["ralph://specs", "ralph://spec/{name}/{file}"]);
    const { text: _text, message: _message, ...status } = await lab.call("ralph_status");
    assert.deepEqual(await specs!.read({}, context), { data: status });
    const read = async (name: string, wanted: string) =>
      await file!.read({ name, file: wanted }, context);
    assert.deepEqual(await read("auth", "tasks.md"), {
      text: "- [ ] 1.1 A\n",
      mimeType: "text/markdown",
    });
    const fails = async (name: string, wanted: string, code: string) =>
      await assert.rejects(
        async () => await read(name, wanted),
        (error) => error instanceof RefraktError && error.code === code && error.hint !== undefined,
      );
    await fails("auth", "design.md", "NOT_FOUND");
    for (const wanted of ["../../secret.md", "..", "", "secret.md", "/etc/passwd"]) {
      await fails("auth", wanted, "NOT_FOUND");
    }
    for (const name of ["..", "../..", "", "Auth"]) await fails(name, "tasks.md", "SPEC_NOT_FOUND");
    assert.deepEqual(await file!.complete!("name", "a", context, {}), ["auth"]);
    assert.deepEqual(await file!.complete!("file", "ta", context, {}), ["tasks.md"]);
  }));
