/** Chromium for Linux. Not in deno.json: only tests and screenshots download it. */

export { default } from "npm:@sparticuz/chromium@147.0.0";
