/** Hard-linked copies of the lab's packages: much faster than real copies. */

import { join } from "node:path";

/** Source maps and types are never loaded. */
const UNUSED = /\.(?:map|d\.[cm]?ts)$/;

/** Hard-links the files of a folder into another. */
export function linkTree(from: string, to: string, wanted: (name: string) => boolean): void {
  Deno.mkdirSync(to, { recursive: true });
  for (const entry of Deno.readDirSync(from)) {
    if (!wanted(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory) linkTree(source, target, () => true);
    else if (entry.isFile && !UNUSED.test(entry.name)) linkOrCopy(source, target);
  }
}

/** Replaces a file without writing to it, because another folder may share it. */
export function replaceFile(path: string, text: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // A new file.
  }
  Deno.writeTextFileSync(path, text);
}

/** Changes the version of a first-party package and of its dependencies on siblings. */
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
