/** Files open for reading, for exact comparisons and bounded reads. */

import { nodeModule } from "./node_module.ts";

/** An open file; `using` closes it. */
export class OpenFile implements Disposable {
  readonly #fd: number;

  /**
   * Opens a file without waiting for the writer of a FIFO or following a link put there meanwhile.
   *
   * @param real A real path.
   */
  constructor(real: string) {
    const { constants, openSync } = nodeModule("node:fs");
    const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
    this.#fd = openSync(real, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  }

  /** The status, with times in nanoseconds. */
  status() {
    return nodeModule("node:fs").fstatSync(this.#fd, { bigint: true });
  }

  /** Identifies the file and its content; its ctime changes with links and renames. */
  state(): string {
    const { mtimeNs, size, ino } = this.status();
    return `${mtimeNs}:${size}:${ino}`;
  }

  /**
   * Reads from the beginning, and beyond the expected size: files grow, and some report none.
   *
   * @returns `null` above the limit.
   */
  read(size: number, limit: number): Uint8Array<ArrayBuffer> | null {
    const { readSync } = nodeModule("node:fs");
    let bytes = new Uint8Array(Math.min(size, limit) + 1);
    let filled = 0;
    for (;;) {
      const count = readSync(this.#fd, bytes, filled, bytes.length - filled, filled);
      if (count === 0) return bytes.subarray(0, filled);
      filled += count;
      if (filled > limit) return null;
      if (filled === bytes.length) {
        const larger = new Uint8Array(Math.min(bytes.length * 2, limit + 1));
        larger.set(bytes);
        bytes = larger;
      }
    }
  }

  /** Reads the last bytes. */
  readEnd(length: number): Uint8Array {
    const { fstatSync, readSync } = nodeModule("node:fs");
    const bytes = new Uint8Array(length);
    const start = Math.max(0, fstatSync(this.#fd).size - length);
    return bytes.subarray(0, readSync(this.#fd, bytes, 0, length, start));
  }

  [Symbol.dispose](): void {
    nodeModule("node:fs").closeSync(this.#fd);
  }
}
