/**
 * Runs one-shot commands of the program in one process, one after the other; see `run.ts`. It must
 * be imported before the program, which keeps the streams and the exit that it finds.
 */

const print = Deno.stdout.writeSync.bind(Deno.stdout);
const decoder = new TextDecoder();
const run: { code: number | undefined; stdout: string; stderr: string } = {
  code: undefined,
  stdout: "",
  stderr: "",
};

for (const name of ["stdout", "stderr"] as const) {
  const writeSync = (bytes: Uint8Array) => {
    run[name] += decoder.decode(bytes);
    return bytes.length;
  };
  Object.assign(Deno[name], {
    writeSync,
    write: (bytes: Uint8Array) => Promise.resolve(writeSync(bytes)),
  });
}
// The program does nothing more after it.
Deno.exit = ((code = 0) => void (run.code ??= code)) as typeof Deno.exit;

/** Reads the arguments of a command from each line of stdin, and prints what it did as a line. */
export async function serve(main: (args: readonly string[]) => Promise<void>): Promise<void> {
  let rest = "";
  for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      Object.assign(run, { code: undefined, stdout: "", stderr: "" });
      await main(JSON.parse(line));
      const bytes = new TextEncoder().encode(`${JSON.stringify(run)}\n`);
      for (let at = 0; at < bytes.length;) at += print(bytes.subarray(at));
    }
  }
}
