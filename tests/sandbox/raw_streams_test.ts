import assert from "node:assert/strict";
import { runProcess } from "../support/process.ts";

/** Runs a program with the functions of the module, and gives what it wrote. */
async function run(code: string) {
  const url = (name: string) => JSON.stringify(new URL(`../../src/${name}`, import.meta.url).href);
  const program =
    `import fs from "node:fs"; import net from "node:net"; import process from "node:process";
    import { closeStandardStreams, refuseRawStreams, ttyModule } from ${
      url("sandbox/raw_streams.ts")
    };
    import { reserveStdio } from ${url("io/pipes.ts")};
    const attempt = (name, work) => {
      try { work(); tried.push([name, "done"]); } catch (error) { tried.push([name, error.code ?? error.name]); }
    };
    const tried = [];
    const finish = (write) => write(new TextEncoder().encode(JSON.stringify(tried)));
    ${code}`;
  return await runProcess(
    Deno.execPath(),
    ["eval", "--no-config", "--ext=js", program],
    Deno.cwd(),
    "",
  );
}

const WAYS = `
  const tty = ttyModule();
  attempt("Socket", () => new net.Socket({ fd: 1 }));
  attempt("WriteStream", () => new tty.WriteStream(1));
  attempt("default", () => new tty.default.ReadStream(0));
  attempt("binding", () => process.binding("tty_wrap"));
  attempt("internal", () => Deno[Deno.internal].core.print("", false));
`;

Deno.test("streams are not made of the protocol's descriptors, and the runtime's print is gone", async () => {
  const { code, stdout, stderr } = await run(`
    const { write } = reserveStdio();
    refuseRawStreams();
    ${WAYS}
    await finish(write);
  `);
  assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), [
    ["Socket", "PERMISSION_DENIED"],
    ["WriteStream", "PERMISSION_DENIED"],
    ["default", "PERMISSION_DENIED"],
    ["binding", "PERMISSION_DENIED"],
    ["internal", "TypeError"],
  ]);
});

Deno.test("a program that keeps its streams may use them as before", async () => {
  const { stdout } = await run(`
    const write = Deno.stdout.write.bind(Deno.stdout);
    refuseRawStreams();
    ${WAYS}
    await finish(write);
    process.exit(0);
  `);
  const outcomes = new Map<string, string>(JSON.parse(stdout));
  for (const name of ["Socket", "binding", "internal"]) assert.equal(outcomes.get(name), "done");
  assert.notEqual(outcomes.get("WriteStream"), "PERMISSION_DENIED");
});

Deno.test("closed standard streams lead nowhere, and closing them twice is no error", async () => {
  const { code, stdout } = await run(`
    closeStandardStreams();
    closeStandardStreams();
    let refused = 0;
    for (const fd of [1, 2]) try { fs.writeSync(fd, "noise"); } catch { refused++; }
    process.exitCode = refused;
  `);
  assert.deepEqual([code, stdout], [2, ""]);
});
