import assert from "node:assert/strict";
import { EVIL, HIDDEN, hostileTexts } from "../support/hostile_text.ts";
import { testUnless } from "../support/skip.ts";
import { NO_TERMINAL, onTerminal } from "../support/terminal.ts";

testUnless(
  NO_TERMINAL,
  "a terminal gets the program's escape sequences, never the repository's",
  async () => {
    const cwd = hostileTexts();
    const cases = [
      [["doctor"], "\x1b[31mFAIL\x1b[0m"],
      [["call", "plan.get", '{"id":"WORK-010"}'], "\x1b[1mid\x1b[0m"],
      [["call", "refrakt.inspect", JSON.stringify({ rune: `hint${EVIL}` })], "Unknown rune"],
      [["read", "refrakt://plan/work/WORK-010"], "needle"],
    ] as const;
    for (const [args, mark] of cases) {
      const { shown } = await onTerminal(cwd, args);
      assert.ok(shown.includes(mark), shown);
      // deno-lint-ignore no-control-regex -- the program's own
      const others = shown.replaceAll(/\x1b\[(?:0|1|2|31|32|33)m|\r\x1b\[K/g, "");
      assert.doesNotMatch(others.replaceAll("\r", ""), HIDDEN, args.join(" "));
    }
  },
);
