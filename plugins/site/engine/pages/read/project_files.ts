/** How the packages read project files: `ProjectFiles` of `@refrakt-md/types`. */

import { resolve } from "node:path";
import { orElse } from "../../../../../src/errors.ts";
import { withoutMark } from "../../../../../src/io/decode.ts";
import { resolveInside } from "../../../../../src/io/paths.ts";
import { readInside } from "../../../../../src/io/read.ts";
import { noteRead } from "../../../../../src/io/reads.ts";
import type { Upstream } from "../../upstream/upstream.ts";
import { fileStamp, isUnchanged } from "../../../../../src/io/stamp.ts";

/** Paths are relative to the project. */
export interface ProjectFiles {
  /** Returns `null` if the file does not exist. */
  read(path: string): string | null;
  list(path: string): string[];
  exists(path: string): boolean;
}

interface KeptText {
  readonly text: string;
  readonly stamp: string;
  /** In milliseconds. */
  readonly readAt: number;
}

/** By absolute path: a build with a plan reads all its files up to three times. */
const texts = new Map<string, KeptText>();
const MOST_TEXTS = 2000;

function textOf(cwd: string, path: string): string {
  const absolute = resolve(cwd, path);
  const [stamp, readAt] = [fileStamp(absolute), Date.now()];
  const known = texts.get(absolute);
  if (known !== undefined && isUnchanged(stamp, known.stamp, known.readAt)) return known.text;
  const text = withoutMark(readInside(cwd, path, "text"));
  if (texts.size >= MOST_TEXTS) texts.clear();
  texts.set(absolute, { text, stamp, readAt });
  return text;
}

/** Files outside the project, unreadable ones, and Markdown that is too hard to parse count as missing. */
export function projectFiles(
  cwd: string,
  { requireParsable }: Pick<Upstream, "requireParsable">,
): ProjectFiles {
  return {
    read(path) {
      noteRead(resolve(cwd, path));
      return orElse(() => {
        const text = textOf(cwd, path);
        if (path.endsWith(".md")) requireParsable(text);
        return text;
      }, null);
    },
    list(path) {
      noteRead(`${resolve(cwd, path)}/`);
      return orElse(
        // Node sorts the names, which sets the order of entities.
        () =>
          [...Deno.readDirSync(resolveInside(cwd, path, "The folder"))].map((e) => e.name).sort(),
        [],
      );
    },
    exists(path) {
      noteRead(resolve(cwd, path));
      return orElse(() => Deno.statSync(resolveInside(cwd, path, "The file")) !== null, false);
    },
  };
}
