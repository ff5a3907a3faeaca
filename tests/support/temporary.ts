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
  for (const folder of made) {
    try {
      Deno.removeSync(folder, { recursive: true });
    } catch (error) {
      // A test may have removed or moved it.
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}
