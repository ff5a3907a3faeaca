/**
 * Upstream's own projects: its site and plan with the packed packages of 0.29.0, and a built
 * checkout of its repository.
 */

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installReal } from "./installed.ts";
import { exists } from "./project.ts";
import { runProcess } from "./process.ts";
import { temporaryFolder } from "./temporary.ts";

const PACKED = fileURLToPath(new URL("../../../shared/data/refrakt-0.29.0", import.meta.url));

export interface UpstreamProject {
  readonly root: string;
  readonly cli: string;
  /** Flags of the server in addition to those for installed packages. */
  readonly flags: readonly string[];
  /** The `origin` of its packages in `refrakt.detect`. */
  readonly origin: string;
}

/** Why there is no packed 0.29.0; `undefined` if there is. */
export const NOT_PACKED: string | undefined = exists(join(PACKED, "make-site.sh"))
  ? undefined
  : "the packages of refrakt 0.29.0 do not lie beside the checkout";

/** The built checkout that `deno task upstream` names; `undefined` without. */
export const CHECKOUT: string | undefined = Deno.env.get("REFRAKT_UPSTREAM");

/** Installs the packed packages with upstream's own site and plan, which takes npm ten seconds. */
export async function packedProject(): Promise<UpstreamProject> {
  const root = join(temporaryFolder(), "project");
  const { code, stderr } = await runProcess("bash", [join(PACKED, "make-site.sh"), root], PACKED);
  if (code !== 0) throw new Error(`make-site.sh failed: ${stderr}`);
  return {
    root,
    cli: join(root, "node_modules/@refrakt-md/cli/dist/bin.js"),
    flags: [],
    origin: "node_modules",
  };
}

/** Installs the packed packages and their dependencies into a project's `node_modules`. */
export async function installPacked(cwd: string): Promise<void> {
  await installReal(cwd);
  const scope = join(cwd, "node_modules/@refrakt-md");
  await Deno.remove(scope, { recursive: true });
  for await (const { name } of Deno.readDir(PACKED)) {
    const folder = /^refrakt-md-(.+)-0\.29\.0\.tgz$/.exec(name)?.[1];
    if (folder === undefined) continue;
    const target = join(scope, folder);
    await Deno.mkdir(target, { recursive: true });
    await runProcess("tar", ["xzf", join(PACKED, name), "--strip-components=1"], target);
  }
}

/** The built checkout. */
export function checkoutProject(): UpstreamProject {
  return {
    root: CHECKOUT!,
    cli: join(CHECKOUT!, "packages/cli/dist/bin.js"),
    flags: ["--trust", "local"],
    origin: "workspace",
  };
}
