/** Temporary folders that are removed when the test file or script has ended. */

const made: string[] = [];

/** Makes a temporary folder. The path is real. */
export function temporaryFolder(): string {
  if (made.length === 0) globalThis.addEventListener("unload", removeAll);
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "refrakt-mcp-" }));
  made.push(folder);
  return folder;
}

/** Writes a file into its own temporary folder, and returns its path. */
export function temporaryFile(name: string, text: string): string {
  const path = `${temporaryFolder()}/${name}`;
  Deno.writeTextFileSync(path, text);
  return path;
}

function removeAll(): void {
  for (const folder of made) remove(folder);
}

/** How often and how long to wait for a program that is still writing into a folder. */
const [MOST_TRIES, PAUSE_MS] = [30, 100];

function remove(folder: string): void {
  for (let tries = 1;; tries++) {
    try {
      Deno.removeSync(folder, { recursive: true });
      return;
    } catch (error) {
      // A test may have removed or moved it.
      if (error instanceof Deno.errors.NotFound) return;
      if (tries >= MOST_TRIES) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}
