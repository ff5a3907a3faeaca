/** Property-based tests, reproducible by seed. Not in deno.json: only tests download it. */

export { default } from "npm:fast-check@4.10.2";
