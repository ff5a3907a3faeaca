/**
 * A program that fails in a way that its first argument names; with a project and the module of the
 * library as further arguments, it embeds a server first.
 */

const [how, cwd, library] = Deno.args;
if (cwd !== undefined) {
  const { createServer } = await import(library!);
  const server = await createServer({ cwd });
  await server.callTool("plan_next");
}

class Mine extends Error {}

const failures: Record<string, () => unknown> = {
  rejects: () => void Promise.reject(new Mine("floating")),
  "handles its own": () => {
    addEventListener("unhandledrejection", (event) => {
      event.preventDefault();
      Deno.stderr.writeSync(new TextEncoder().encode("handled\n"));
    });
    void Promise.reject(new Mine("handled"));
  },
  "is terminated": () => {
    setInterval(() => {}, 1000);
    Deno.kill(Deno.pid, "SIGTERM");
  },
  "handles a signal": () => {
    setInterval(() => {}, 1000);
    Deno.addSignalListener("SIGINT", () => Deno.exit(3));
    Deno.kill(Deno.pid, "SIGINT");
  },
};
failures[how!]!();
