/** Drives a browser. Not in deno.json: only tests and screenshots download it. */

export * from "npm:playwright-core@1.65.1";
