/**
 * Makes Workers with permissions of their own.
 *
 * @module
 */

import { mayRead } from "../io/permissions.ts";

/** The options of Deno's own, which the types of the library do not know. */
type OptionsOfDeno = ConstructorParameters<typeof Worker>[1];

/**
 * Starts a Worker that may read the project and write the paths given. Where the process may
 * not read the project as a whole, because parts of it are denied, that is inherited as it is.
 */
export function spawnWorker(
  { url, root, write = [], name }: {
    readonly url: URL;
    readonly name: string;
    readonly root: string;
    readonly write?: readonly string[];
  },
): Worker {
  const start = (read: string[] | "inherit") => {
    const permissions = {
      read,
      write: write.length === 0 ? false : [...write],
      run: false,
      net: false,
      env: false,
      sys: false,
      ffi: false,
      import: false,
    };
    const options = { type: "module", name, deno: { permissions } };
    return new Worker(url, options as OptionsOfDeno);
  };
  if (!mayRead(root)) return start("inherit");
  try {
    return start([root]);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return start("inherit");
    throw error;
  }
}
