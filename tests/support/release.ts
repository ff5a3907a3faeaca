/** Serves the files of a release on loopback, and what its workflow does to them. */

import { join } from "node:path";
import { parse } from "./npm/yaml.ts";
import { ROOT } from "./server.ts";

/** Serves the files in a folder. */
export function serveFolder(folder: string): AsyncDisposable & { readonly url: string } {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    try {
      const { pathname } = new URL(request.url);
      const file = Deno.openSync(join(folder, pathname.replaceAll("/", "")));
      return new Response(file.readable);
    } catch {
      return new Response("Not found", { status: 404 });
    }
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** The command of the release workflow's step with a name that begins so. */
export function releaseCommand(name: string): string {
  const text = Deno.readTextFileSync(join(ROOT, ".github/workflows/release.yml"));
  const { jobs } = parse(text) as { jobs: Record<string, { steps?: Step[] }> };
  const steps = Object.values(jobs).flatMap((job) => job.steps ?? []);
  return steps.find((step) => step.name?.startsWith(name))!.run!;
}

interface Step {
  readonly name?: string;
  readonly run?: string;
}
