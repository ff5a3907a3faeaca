/**
 * The WebAssembly binary of SQLite, from npm. Packages on JSR cannot import bytes: the build
 * replaces this module with one that contains them.
 */

/** Not a literal at the import, because publishing rejects such imports. */
const BINARY = "@sqlite.org/sqlite-wasm/sqlite3.wasm";

/** Returns the binary. */
export async function sqliteBinary(): Promise<Uint8Array<ArrayBuffer>> {
  const { default: bytes } = await import(BINARY, { with: { type: "bytes" } });
  return bytes;
}
