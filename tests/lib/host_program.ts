// deno-lint-ignore-file no-console -- the console is what it is about
/**
 * A program that uses its streams and its environment, or fails, in a way that its first argument names;
 * with a project and the module of the library as further arguments, it embeds a server first.
 */

import process from "node:process";

const [how, cwd, library] = Deno.args;
if (cwd !== undefined) {
  const { createServer } = await import(library!);
  const server = await createServer({ cwd });
  await server.callTool("plan_next");
}

async function useStreams(): Promise<void> {
  console.log("%s is %d", "one", 1, { a: [1, 2] });
  console.group("group");
  console.log("inside");
  console.groupEnd();
  console.table([{ a: 1 }]);
  console.dir({ deep: { deeper: { deepest: 1 } } });
  console.count("counted");
  console.error("an error");
  process.stdout.write("written\n");
  process.stderr.write("to stderr\n");
  Deno.stdout.writeSync(new TextEncoder().encode("by Deno\n"));
  await new Blob(["streamed\n"]).stream().pipeTo(Deno.stdout.writable, { preventClose: true });

  // What the program imports only now writes where it wants and runs programs.
  const { readFileSync, rmSync, writeFileSync } = await import("node:fs");
  const { writeFile } = await import("node:fs/promises");
  const { execFileSync } = await import("node:child_process");
  const file = `${Deno.makeTempDirSync()}/of-the-host.txt`;
  writeFileSync(file, "sync");
  console.log(readFileSync(file, "utf8"));
  await writeFile(file, "async");
  console.log(readFileSync(file, "utf8"));
  rmSync(file);
  Deno.removeSync(file.replace("/of-the-host.txt", ""));
  console.log(execFileSync("git", ["--version"]).length > 0);

  process.env["HOST_SET"] = "yes";
  console.log(Deno.env.get("HOST_SET"), "HOST_SET" in process.env);
  console.log({ ...process.env }["HOST_SET"], Object.keys(process.env).includes("HOST_SET"));
  delete process.env["HOST_SET"];
  console.log(process.env["HOST_SET"], Deno.env.get("HOST_SET"));
  // Node's compatibility layer of Deno and Zod add these.
  const theirs = ["nodeBootstrap", "__zod_globalConfig", "__zod_globalRegistry"];
  for (const name of Object.getOwnPropertyNames(globalThis).sort()) {
    if (!theirs.includes(name)) console.log(name, typeof Reflect.get(globalThis, name));
  }
  console.log(Object.keys(Deno).sort().join(" "));
  console.log(await new Response(Deno.stdin.readable).text());
  setTimeout(() => process.exit(7), 1);
}

class Mine extends Error {}

const ways: Record<string, () => unknown> = {
  "uses its streams": useStreams,
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
await ways[how!]!();
