import assert from "node:assert/strict";
import { DENO_MESSAGES } from "../../src/io/deno_messages.ts";
import { runProcess } from "../support/process.ts";
import { makeProject } from "../support/project.ts";
import { NOT_UNIX, testUnless } from "../support/skip.ts";

// tests/packages provokes the messages about packages, tests/cli/start_test.ts those about the server's own.

/** A program's output under a limit of the shell. */
async function printed(program: string, limit = ""): Promise<string[]> {
  const args = [Deno.execPath(), "eval", program];
  const line = `${limit} exec "$@"`;
  const { stdout } = limit === ""
    ? await runProcess(args[0]!, args.slice(1), makeProject())
    : await runProcess("sh", ["-c", line, "sh", ...args], makeProject());
  return stdout.trim().split("\n");
}

Deno.test("Deno's permission errors name the permission and its target", async () => {
  const cases: [name: string, program: string, groups: (string | undefined)[]][] = [
    ["read", 'Deno.readTextFileSync("/a b/c")', ["read", "/a b/c"]],
    ["write", 'Deno.writeTextFileSync("/d", "")', ["write", "/d"]],
    ["run", 'new Deno.Command("git").outputSync()', ["run", "git"]],
    ["net", 'Deno.listen({ hostname: "127.0.0.1", port: 1 })', ["net", "127.0.0.1:1"]],
    ["env", 'Deno.env.get("NAME")', ["env", "NAME"]],
    ["sys", "Deno.hostname()", ["sys", "hostname"]],
    ["ffi", 'Deno.dlopen("/e.so", {})', ["ffi", "/e.so"]],
  ];
  const refused = cases.map(([name, program]) =>
    `Deno.permissions.revokeSync({ name: "${name}" });
     try { ${program}; } catch ({ message }) { console.log(message); }`
  );
  const lines = await printed(refused.join("\n"));
  assert.deepEqual(
    lines.map((line) => [...DENO_MESSAGES.accessRequired.exec(line) ?? [line]].slice(1)),
    cases.map(([, , groups]) => groups),
  );
});

testUnless(
  NOT_UNIX,
  "Deno says that a file would be too large, with and without a code",
  async () => {
    const write = 'writeFileSync("x", new Uint8Array(1_000_000))';
    const program = `const fs = await import("node:fs");
    for (const write of [() => Deno.${write}, () => fs.${write}]) {
      try { write(); } catch ({ code, message }) { console.log(code ?? message); }
    }`;
    const [said, code] = await printed(program, 'trap "" XFSZ; ulimit -f 1;');
    assert.match(said!, DENO_MESSAGES.fileTooLarge);
    assert.equal(code, "EFBIG");
  },
);
