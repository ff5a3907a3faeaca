import assert from "node:assert/strict";
import { inLab } from "./support.ts";

Deno.test("related specs are found by the words of their goals", () =>
  inLab(async (lab) => {
    await lab.call("ralph_start", { goal: "OAuth login tokens session storage refresh" });
    await lab.call("ralph_start", { goal: "Paint the invoices blue" });
    await lab.call("ralph_start", {
      goal: "Refresh OAuth tokens in session storage after login",
      name: "mine",
    });
    const instructions = await lab.text("ralph_research");
    assert.match(
      instructions,
      /oauth-login-tokens-session \(High, 6 shared words\)/,
    );
    assert.ok(!instructions.includes("invoices"));
  }));
