/** A writer on the same machine who swaps a folder for a link, as fast as the system lets it. */

/** Swaps until it is ended. */
export function swapForLink(folder: string, outside: string): { end(): void } {
  // A Worker in a loop that never waits outlives `terminate()`, and would take a processor from
  // all tests that follow: it is told to stop.
  const program = `
    const folder = ${JSON.stringify(folder)};
    onmessage = ({ data }) => {
      const isEnded = new Int32Array(data);
      Deno.symlinkSync(${JSON.stringify(outside)}, folder + ".link");
      while (Atomics.load(isEnded, 0) === 0) {
        Deno.renameSync(folder, folder + ".kept");
        Deno.renameSync(folder + ".link", folder);
        Deno.renameSync(folder, folder + ".link");
        Deno.renameSync(folder + ".kept", folder);
      }
      close();
    };`;
  const racer = new Worker(`data:text/javascript,${encodeURIComponent(program)}`, {
    type: "module",
  });
  const isEnded = new Int32Array(new SharedArrayBuffer(4));
  racer.postMessage(isEnded.buffer);
  return {
    end: () => {
      Atomics.store(isEnded, 0, 1);
      racer.terminate();
    },
  };
}
