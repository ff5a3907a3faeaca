/** A whole Chromium for Linux. It is no import of deno.json: only tests and pictures download it. */

export { default } from "npm:@sparticuz/chromium@147.0.0";
