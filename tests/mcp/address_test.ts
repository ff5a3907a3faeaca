import assert from "node:assert/strict";
import { isLoopback } from "../../src/mcp/address.ts";

Deno.test("only this machine's own addresses count as such", () => {
  const own = ["localhost", "LOCALHOST", "127.0.0.1", "127.1.2.3", "::1"];
  const open = [
    "0.0.0.0",
    "::",
    "",
    "127.0.0.1.example",
    "localhost.example",
    "1127.0.0.1",
    "127.0.0",
    "::10",
  ];
  for (const hostname of own) assert.ok(isLoopback({ hostname, port: 0 }), hostname);
  for (const hostname of open) assert.ok(!isLoopback({ hostname, port: 0 }), hostname);
});
