import assert from "node:assert/strict";
import { EVIL, HIDDEN, hostileTexts } from "../support/hostile_text.ts";
import { refrakt } from "../support/run.ts";
import { withServer } from "../support/server.ts";
import { NOT_UNIX, testUnless } from "../support/skip.ts";

/** Fields with raw data, which other calls take unchanged. */
const DATA = /\.(?:structuredContent|data|name|status|milestone)$/;

/** The texts of an answer with their paths. */
function* textsOf(value: unknown, place = ""): Generator<[string, string]> {
  if (DATA.test(place)) return;
  if (typeof value === "string") yield [place, value];
  else if (typeof value === "object" && value !== null) {
    for (const [key, part] of Object.entries(value)) {
      yield [`${place} (name)`, key];
      yield* textsOf(part, `${place}.${key}`);
    }
  }
}

function assertPlain(what: string, value: unknown) {
  const hidden = [...textsOf(value)].filter(([, text]) => HIDDEN.test(text));
  assert.deepEqual(hidden, [], what);
}

testUnless(
  NOT_UNIX,
  "text of the repository reaches clients and terminals without hidden characters",
  async (test) => {
    const cwd = hostileTexts();
    const args = ["--plugin", "ralph"];
    await test.step("in lists, errors, warnings, snippets and notifications", async () => {
      await withServer(cwd, async ({ call, ok, client }) => {
        const logs: unknown[] = [];
        client.fallbackNotificationHandler = (message: unknown) => {
          logs.push(message);
          return Promise.resolve();
        };
        await client.setLoggingLevel("debug");
        assertPlain("tools", await client.listTools());
        assertPlain("resources", await client.listResources());
        assertPlain("prompts", await client.listPrompts());
        assertPlain("instructions", client.getInstructions());
        assertPlain("detect", (await ok("refrakt.detect")).warnings);
        const found = await ok("plan.list", { text: "needle" });
        assert.equal(found.items.length, 1);
        assertPlain("plan.list", found.items[0]);
        assertPlain("ralph_status", await call("ralph_status", {}));
        for (const name of ["ralph_check", "ralph_implement", "ralph_phase", "ralph_switch"]) {
          assertPlain(name, await call(name, { spec_name: "made", name: `evil${EVIL}` }));
          assertPlain(name, await call(name, { spec_name: "made" }));
          assertPlain(name, await call(name, { name: `evil${EVIL}` }));
        }
        for (
          const [name, input] of [
            ["plan.get", { id: EVIL }],
            ["plan.update", { id: "WORK-010", status: EVIL }],
            ["plan.list", { status: EVIL }],
            ["plan.validate", {}],
            ["plan.status", {}],
            ["plan.next", {}],
            ["refrakt.inspect", { rune: `r${EVIL}` }],
            ["refrakt.check", {}],
            ["refrakt.check", { path: EVIL }],
            ["refrakt.render", { path: EVIL }],
            ["refrakt.validate", {}],
            ["refrakt.reference", { rune: "hint", site: EVIL }],
            [`tool${EVIL}`, {}],
          ] as const
        ) assertPlain(name, await call(name, input).catch((error) => ({ error: error.message })));
        const uri = `refrakt://plan/work/${encodeURIComponent(EVIL)}`;
        assertPlain(
          "read",
          await client.readResource({ uri }).catch((error: Error) => error.message),
        );
        assertPlain("notifications", logs);
      }, { args });
    });
    await test.step("in the output of one-shot commands", async () => {
      for (const command of [["doctor", "--json"], ["check"], ["list"]]) {
        const { stdout, stderr } = await refrakt(cwd, [...command, ...args]);
        assertPlain(command.join(" "), [stdout, stderr]);
      }
    });
  },
);
