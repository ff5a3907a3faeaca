/** A writer on the same machine who swaps a folder for a link, as fast as the system lets it. */

/** Swaps until it is ended. */
export function swapForLink(folder: string, outside: string): { end(): void } {
  const program = `
    const folder = ${JSON.stringify(folder)};
    Deno.symlinkSync(${JSON.stringify(outside)}, folder + ".link");
    for (;;) {
      Deno.renameSync(folder, folder + ".kept");
      Deno.renameSync(folder + ".link", folder);
      Deno.renameSync(folder, folder + ".link");
      Deno.renameSync(folder + ".kept", folder);
    }`;
  const racer = new Worker(`data:text/javascript,${encodeURIComponent(program)}`, {
    type: "module",
  });
  return { end: () => racer.terminate() };
}
