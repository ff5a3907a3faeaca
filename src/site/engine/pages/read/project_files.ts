/** How the packages read project files: `ProjectFiles` of `@refrakt-md/types`. */

import { resolve } from "node:path";
import { withoutMark } from "../../../../io/decode.ts";
import { resolveInside } from "../../../../io/paths.ts";
import { readInside } from "../../../../io/read.ts";
import { noteRead } from "../../../../io/reads.ts";

/** Paths are relative to the project. */
export interface ProjectFiles {
  /** Returns `null` if the file does not exist. */
  read(path: string): string | null;
  list(path: string): string[];
  exists(path: string): boolean;
}

/** Files outside the project and unreadable files count as missing. */
function orElse<Value>(read: () => Value, absent: Value): Value {
  try {
    return read();
  } catch {
    return absent;
  }
}

export function projectFiles(cwd: string): ProjectFiles {
  return {
    read(path) {
      noteRead(resolve(cwd, path));
      return orElse(() => withoutMark(readInside(cwd, path, "text")), null);
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
