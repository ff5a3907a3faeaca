/** The process's real streams and exit, saved before packages see replacements. */

const encoder = new TextEncoder();
const realStdin = Deno.stdin;
const stdoutWrite = Deno.stdout.write.bind(Deno.stdout);
const stdoutWriteSync = Deno.stdout.writeSync.bind(Deno.stdout);
const stderrWriteSync = Deno.stderr.writeSync.bind(Deno.stderr);
const stdio = { isReserved: false };

/** Ends the process. */
export const exitProcess: (code: number) => never = Deno.exit.bind(Deno);

function writeAllSync(write: (bytes: Uint8Array) => number, text: string): void {
  const bytes = encoder.encode(text);
  let offset = 0;
  while (offset < bytes.length) offset += write(bytes.subarray(offset));
}

/** Writes to stderr. Never throws: a closed pipe must not stop the server. */
export function writeStderr(text: string): void {
  try {
    writeAllSync(stderrWriteSync, text);
  } catch {
    // stderr is closed: drop the message.
  }
}

/** Writes to stdout, for commands. Ends the process once the pipe is closed, as by `head`. */
export function writeStdout(text: string): void {
  try {
    writeAllSync(stdoutWriteSync, text);
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
    exitProcess(0);
  }
}

/**
 * Reserves stdin and stdout for the protocol: output outside a call goes to stderr from now on. An
 * embedding program keeps its own streams.
 *
 * @returns The input stream, and a function that writes output in order.
 */
export function reserveStdio(): {
  readonly input: ReadableStream<Uint8Array>;
  write(bytes: Uint8Array): Promise<void>;
} {
  stdio.isReserved = true;
  let last: Promise<void> = Promise.resolve();
  return {
    input: realStdin.readable,
    write: (bytes) => last = last.then(() => writeAll(bytes)),
  };
}

/** Whether the protocol owns the streams. */
export function isStdioReserved(): boolean {
  return stdio.isReserved;
}

async function writeAll(bytes: Uint8Array): Promise<void> {
  let offset = 0;
  while (offset < bytes.length) offset += await stdoutWrite(bytes.subarray(offset));
}
