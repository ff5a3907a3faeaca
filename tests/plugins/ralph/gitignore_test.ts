import assert from "node:assert/strict";
import { inLab } from "./support.ts";

Deno.test("ralph_start adds missing lines to .gitignore in a git work tree", async () => {
  await inLab(async (lab) => {
    await lab.call("ralph_start", { name: "a" });
    assert.ok(!lab.exists(".gitignore"), "no git, no .gitignore");
  });
  await inLab(async (lab) => {
    lab.write(".gitignore", "node_modules\r\nspecs/.current-spec");
    assert.match(await lab.text("ralph_start", { name: "a" }), /Files: .*, \.gitignore\n/);
    const text = "node_modules\r\nspecs/.current-spec\r\n" +
      "**/.ralph-state.json*\r\n**/.progress-task-*.md\r\nspecs/**/.*.tmp\r\n";
    assert.equal(lab.read(".gitignore"), text);
    assert.doesNotMatch(await lab.text("ralph_start", { name: "b" }), /\.gitignore/);
    assert.equal(lab.read(".gitignore"), text);
  }, { git: true });
  await inLab(async (lab) => {
    lab.write("precious.txt", "keep");
    Deno.symlinkSync("precious.txt", `${lab.cwd}/.gitignore`);
    const data = await lab.call("ralph_start", { name: "a" });
    assert.equal(data["warnings"].length, 1);
    assert.equal(lab.read("precious.txt"), "keep");
  }, { git: true });
});

Deno.test("git ignores state and temporary files, but not the documents", () =>
  inLab(async (lab) => {
    const git = (...args: string[]) =>
      new TextDecoder().decode(new Deno.Command("git", { args, cwd: lab.cwd }).outputSync().stdout);
    Deno.removeSync(`${lab.cwd}/.git`, { recursive: true });
    git("init", "-q");
    await lab.call("ralph_start", { name: "a" });
    // Temporary files of a killed process.
    for (const file of ["tasks.md", ".progress.md", ".ralph-state.json"]) {
      lab.write(`specs/a/.${file}.1a2b3c4d.tmp`, "x");
    }
    lab.write("specs/..current-spec.1a2b3c4d.tmp", "x");
    lab.write("specs/a/research.md", "x");
    assert.deepEqual(
      git("status", "--porcelain", "-uall").trim().split("\n"),
      ["?? .gitignore", "?? specs/a/.progress.md", "?? specs/a/research.md"],
    );
  }, { git: true }));
