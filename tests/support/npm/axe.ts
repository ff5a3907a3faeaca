/** Checks a page for accessibility. It is no import of deno.json: only tests download it. */

export { default } from "npm:axe-core@4.14.1";
