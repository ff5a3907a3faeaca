/** Drives a browser. It is no import of deno.json: only tests and pictures download it. */

export * from "npm:playwright-core@1.65.1";
