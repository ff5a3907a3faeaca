// deno-lint-ignore-file no-console -- what is printed is what is tested
import assert from "node:assert/strict";
import process from "node:process";
import { runAsCall } from "../../src/sandbox/call.ts";
import { replaceConsole, replaceStreams } from "../../src/sandbox/standard_streams.ts";
import { runProcess } from "../support/process.ts";

const original = console.log;
replaceConsole();
replaceStreams();

const bytes = (text: string) => new TextEncoder().encode(text);

/** What a call printed. */
const printed = async (work: () => unknown) => {
  const { stdout, stderr } = await runAsCall("/project", work);
  return [stdout, stderr];
};

Deno.test("what a call prints is its own, by the console, by Node's streams and by Deno's", async () => {
  assert.notEqual(console.log, original);
  assert.deepEqual(
    await printed(() => {
      console.log("log %d", 1, { a: 1 });
      console.info("info");
      console.table([1]);
      console.error("error");
      console.warn("warn");
      console.assert(true, "not said");
      console.assert(false, "said");
      console.clear();
    }),
    ["log 1 { a: 1 }\ninfo\n[ 1 ]\n", "error\nwarn\nAssertion failed: said\n"],
  );
  assert.deepEqual(
    await printed(async () => {
      process.stdout.write("a");
      process.stdout.write(bytes("é"));
      process.stderr.write("x");
      process.stdout.end("end");
      process.stdout.destroy();
      process.stdout.write("!");
      Deno.stdout.writeSync(bytes("1"));
      await Deno.stdout.write(bytes("2"));
      const writer = Deno.stdout.writable.getWriter();
      await writer.write(bytes("3"));
      await writer.close();
      Deno.stdout.close();
      await new Promise((resolve) => process.stdout.write("4", () => resolve(0)));
    }),
    ["aéend!1234", "x"],
  );
});

/** Runs a program that has replaced its streams. */
const run = (code: string, input?: string) => {
  const url = (name: string) => JSON.stringify(new URL(`../../src/${name}`, import.meta.url).href);
  const program = `import process from "node:process";
    import { replaceConsole, replaceStreams } from ${url("sandbox/standard_streams.ts")};
    import { reserveStdio } from ${url("io/pipes.ts")};
    replaceConsole();
    replaceStreams();
    ${code}`;
  return runProcess(
    Deno.execPath(),
    ["eval", "--no-config", "--ext=ts", program],
    Deno.cwd(),
    input,
  );
};

Deno.test("outside of calls a program prints as it always did", async () => {
  const { stdout, stderr } = await run(
    `console.log("log"); console.error("error"); process.stdout.write("raw\\n");
     console.log(await new Response(Deno.stdin.readable).text());`,
    "its input",
  );
  assert.deepEqual([stdout, stderr], ["log\nraw\nits input\n", "error\n"]);
});

Deno.test("where stdout is the protocol's, prints go to stderr, and the input has ended", async () => {
  const { code, stdout, stderr } = await run(
    `const { write } = reserveStdio();
     console.log("log");
     process.stdout.write("raw\\n");
     Deno.stdout.writeSync(new TextEncoder().encode("deno\\n"));
     Object.getPrototypeOf(process.stdout).write.call(process.stdout, "prototype\\n");
     const read = [];
     for await (const chunk of process.stdin) read.push(chunk);
     read.push(Deno.stdin.readSync(new Uint8Array(10)), await Deno.stdin.read(new Uint8Array(10)));
     console.log(JSON.stringify(read));
     await write(new TextEncoder().encode("message\\n"));`,
    "from the client",
  );
  assert.deepEqual([code, stdout], [0, "message\n"]);
  assert.deepEqual(stderr.split("\n").sort(), [
    "",
    "[null,null]",
    "deno",
    "log",
    "prototype",
    "raw",
  ]);
});
