/** Checks a page for accessibility. Not in deno.json: only tests download it. */

export { default } from "npm:axe-core@4.14.1";
