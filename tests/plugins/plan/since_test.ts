import assert from "node:assert/strict";
import { parseTime } from "../../../plugins/plan/queries/times.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const read = (text: string, name = "since") => new Date(parseTime(text, name, NOW)).toISOString();

Deno.test("a span counts back from now in every notation", () => {
  for (const text of ["14d", "14 days", "2w", "2 weeks", "2 WEEKS ago"]) {
    assert.equal(read(text), "2026-03-17T12:00:00.000Z", text);
  }
  assert.equal(read("1y"), "2025-03-31T12:00:00.000Z");
  assert.equal(read("2 months ago"), "2026-01-31T12:00:00.000Z");
});

Deno.test("a date means its beginning in since and its end in until", () => {
  assert.equal(read("yesterday"), "2026-03-30T00:00:00.000Z");
  assert.equal(read("today", "until"), "2026-03-31T23:59:59.999Z");
  assert.equal(read("2026-01-31"), "2026-01-31T00:00:00.000Z");
  assert.equal(read("2026-01-31", "until"), "2026-01-31T23:59:59.999Z");
  assert.equal(read("2026-01-31 10:00Z", "until"), "2026-01-31T10:00:00.000Z");
});

Deno.test("anything else is an error that lists valid forms", () => {
  for (const text of ["", "soon", "5 fortnights", "2026-13-40", "--output=x", "1d; ls"]) {
    assert.throws(() => read(text), { code: "INVALID_ARGS", hint: /2 weeks/ }, text);
  }
});
