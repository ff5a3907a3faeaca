/** Makes up test data, the same for the same seed. It is no import of deno.json: only tests download it. */

export { default } from "npm:fast-check@4.10.2";
