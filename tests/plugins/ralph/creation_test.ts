import assert from "node:assert/strict";
import { createSpec } from "../../../plugins/ralph/creation.ts";
import { inLab } from "./support.ts";

const signal = new AbortController().signal;

Deno.test("a folder is made with state, progress and pointer, beside one of that name in other letters", () =>
  inLab(async (lab) => {
    lab.write("specs/Auth/notes.md", "mine");
    const view = await createSpec(lab.cwd, signal, "auth", { phase: "research", goal: "Log in" });
    assert.equal(view.spec.name, "auth-2");
    assert.deepEqual(lab.names("specs/auth-2"), [".progress.md", ".ralph-state.json"]);
    assert.equal(lab.read("specs/.current-spec"), "auth-2");
    assert.equal(view.goal, "Log in");
    assert.equal(lab.read("specs/Auth/notes.md"), "mine");
  }));

Deno.test("where the pointer cannot be written, the folder is gone again", () =>
  inLab(async (lab) => {
    lab.write("specs/.current-spec/x", "a folder in its place");
    await assert.rejects(
      createSpec(lab.cwd, signal, "auth", { phase: "research", goal: "Log in" }),
      {
        code: "FILE_OPERATION_FAILED",
      },
    );
    assert.equal(lab.exists("specs/auth"), false);
  }));
