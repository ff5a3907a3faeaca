/** Reads and writes TOML as Codex does. Not in deno.json: only tests download it. */

export { parse, stringify } from "npm:smol-toml@1.9.1";
