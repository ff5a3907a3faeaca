/// <reference lib="dom" />
/** The plan board in an MCP Apps host, by the official bridge: its size, messages and colours. */

import assert from "node:assert/strict";
import { copyExample } from "../../support/run.ts";
import { isAccessible } from "../../support/views/axe.ts";
import { withBrowser } from "../../support/views/browser.ts";
import { becomes, comesTrue, hasText } from "../../support/views/expect.ts";

/** The colours of a host, a dark blue. */
const COLOURS = ["#1e2a38", "#263445", "#dfe6ee", "#7d8b9b", "#3b4b5e", "#5c7fa8"];

const NAMES = [
  ...["background-primary", "background-secondary", "text-primary", "text-secondary"],
  ...["border-primary", "text-info"],
];

interface Recorded {
  messages: string[];
  contexts: { content: { text: string }[]; structuredContent: { filter: { open?: string } } }[];
  heights: number[];
}

Deno.test("the board keeps to its host's size and colours, and talks to its agent", async (t) => {
  await withBrowser(copyExample("plan"), async (open) => {
    const variables = Object.fromEntries(
      NAMES.map((name, at) => [`--color-${name}`, COLOURS[at]!]),
    );
    const { page, view } = await open({
      theme: "dark",
      height: 900,
      ready: "#now .offer",
      host: {
        styles: { variables },
        displayMode: "inline",
        availableDisplayModes: ["inline", "fullscreen"],
        containerDimensions: { maxHeight: 600 },
      },
    });
    const record = () => page.evaluate("record") as Promise<Recorded>;
    const button = (name: string) => view.getByRole("button", { name, exact: true });
    const height = () => page.locator("iframe").evaluate((one) => one.clientHeight);

    await t.step("it has the host's height at most, whatever it shows", async () => {
      await button("Board").click();
      await button("Show all").click();
      await view.locator('.card[data-type="milestone"]').first().waitFor();
      await becomes(height, 600);
      const { heights } = await record();
      assert.ok(heights.length > 0 && heights.every((one) => one <= 600), String(heights));
    });

    await t.step("its cards have the host's colours", async () => {
      await button("Board").click();
      const card = view.locator('.card[data-id="WORK-002"]');
      const colours = (one: Element) => {
        const { backgroundColor, color } = getComputedStyle(one);
        return [backgroundColor, color];
      };
      const rgb = (hex: string) =>
        `rgb(${hex.match(/\w\w/g)!.map((part) => parseInt(part, 16)).join(", ")})`;
      const [background, , text] = COLOURS;
      assert.deepEqual(await card.evaluate(colours), [rgb(background!), rgb(text!)]);
      await card.click();
      await hasText(view.locator("#entity h3"), "Acceptance criteria");
      await isAccessible(page.frames()[1]!);
    });
    await t.step("the model learns which entity is open, and when it is closed", async () => {
      await comesTrue(record, ({ contexts }) => {
        assert.match(contexts.at(-1)!.content[0]!.text, /WORK-002 "Add the query box".*ready/);
        assert.equal(contexts.at(-1)!.structuredContent.filter.open, "WORK-002");
      });
      await button("Close").click();
      await comesTrue(
        record,
        ({ contexts }) => assert.match(contexts.at(-1)!.content[0]!.text, /Nothing is open/),
      );
    });

    await t.step("the agent is asked by a message of the conversation", async () => {
      await button("Now").click();
      await button("Ask the agent to take WORK-002").click();
      await hasText(view.locator("#notice"), "Sent to the agent: WORK-002");
      assert.match((await record()).messages.join(), /Take up WORK-002.*plan_claim/);
    });

    await t.step("it fills the screen on request, and goes back", async () => {
      await button("Full screen").click();
      await becomes(height, 900);
      await button("Full screen").click();
      await becomes(height, 600);
    });
  });
});
