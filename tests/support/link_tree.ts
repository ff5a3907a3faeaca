/** Copies of the lab's packages that share its files: far quicker than real ones. */

import { join } from "node:path";

/** What nothing loads: source maps and types. */
const UNUSED = /\.(?:map|d\.[cm]?ts)$/;

/** Gives the files of a folder a second name each. */
export function linkTree(from: string, to: string, wanted: (name: string) => boolean): void {
  Deno.mkdirSync(to, { recursive: true });
  for (const entry of Deno.readDirSync(from)) {
    if (!wanted(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory) linkTree(source, target, () => true);
    else if (entry.isFile && !UNUSED.test(entry.name)) linkOrCopy(source, target);
  }
}

/** Replaces a file that another folder may share: it is not written to. */
export function replaceFile(path: string, text: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // It is a new one.
  }
  Deno.writeTextFileSync(path, text);
}

/** Gives a first-party package another version, and asks for its siblings at the same one. */
export function renumber(path: string, version: string): void {
  const manifest = JSON.parse(Deno.readTextFileSync(path));
  const dependencies = Object.keys(manifest.dependencies ?? {}).map((name) => [
    name,
    name.startsWith("@refrakt-md/") ? version : manifest.dependencies[name],
  ]);
  replaceFile(
    path,
    JSON.stringify({ ...manifest, version, dependencies: Object.fromEntries(dependencies) }),
  );
}

function linkOrCopy(from: string, to: string): void {
  try {
    Deno.linkSync(from, to);
  } catch {
    // Another file system.
    Deno.copyFileSync(from, to);
  }
}
