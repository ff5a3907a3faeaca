/** Tests of the hints about notation of other site generators. */

import assert from "node:assert/strict";
import { coreSite } from "./projects.ts";
import { listedFindings } from "./tools.ts";

/** Returns the findings about a page, as `line code message`. */
async function findings(page: string): Promise<string[]> {
  const all = await listedFindings(coreSite({}, { "content/a.md": page }));
  return all.map((each) => each.replace(/^(\S+) content\/a\.md:(\d+):\d+/, "$2 $1"));
}

const FOREIGN = `# T

:::tip
Words.
:::

!!! note "Title"
    Words.

??? info
    Words.

> [!NOTE]
> Words.

<details><summary>More</summary>
</details>

<Tabs>
  <TabItem value="a">A</TabItem>
</Tabs>

import Tabs from "@theme/Tabs";

[[toc]]

## Own id {#own}

Words.[^1]

[^1]: A note of words.

Words
{: .red}

{{< ref "x" >}} and {{% include "y" %}}

{{% note %}}
Words.
{{% /note %}}

{{% list path=/a filter='b' %}}

A :material-home: icon and <kbd>K</kbd>.

<!-- A comment -->
`;

Deno.test("notation of another generator is one hint for each kind, at its first line", async () => {
  const found = (await findings(FOREIGN)).map((each) => each.replace(/ is shown as text.*/, ""));
  assert.deepEqual(found, [
    "3 notation-foreign A block between :::",
    "7 notation-foreign An admonition with !!! or ???",
    "13 notation-foreign An alert such as [!NOTE]",
    "16 notation-foreign <details>",
    "19 notation-foreign A component",
    "23 notation-foreign An import or export of MDX",
    "25 notation-foreign A table of contents such as [[toc]]",
    "27 notation-foreign An id such as {#id} in a heading",
    "29 notation-foreign A footnote such as [^1]",
    "34 notation-foreign A class or an id such as {: .name}",
    "36 notation-foreign A shortcode of Hugo",
    "44 notation-foreign HTML",
    "44 notation-foreign An icon such as :material-name:",
    "46 notation-foreign A comment such as <!-- … -->",
  ]);
  const [first] = await findings(FOREIGN);
  assert.match(first!, /on 2 lines: write \{% hint type="note" %\}/);
  assert.deepEqual(
    (await findings("+++\ntitle = 1\n+++\n\n# T\n")).map((each) => each.slice(0, 46)),
    ["1 notation-foreign Front matter between +++ is"],
  );
});

Deno.test("code, escapes and text that looks alike are no foreign notation", async () => {
  const fence = "```md\n" + FOREIGN + "```\n";
  assert.deepEqual(await findings(`# T\n\n${fence}`), []);
  assert.deepEqual(
    await findings(`# T

<T> is a type, and so is <String>.

!!! is no title, and ??? What is it

import the package from "npm" to use it.

export const is a keyword, export default values too.

&lt;div&gt; and &lt;Tabs&gt; are written, [^abc] is a pattern, {#a, #b} is a set.

| A         | B        |
| --------- | -------- |
| :::tip    | !!! note |
| [[toc]]   | <T>      |

\`A\` ::: is code.

\`:::tip\` and \`<Tabs>\` and \`[^1]\` are code; \\[!NOTE] is not.

A \`Promise<Response>\`, Array<Item>, a < b > c, <name> and run <command> are words.

> Important: [not an alert](/a), [x]

Import tax from 3 %. Import cars from "Germany". 1:2:3 and a:::b, {x} and {a: 1}.

{% sandbox %}
<div class="a"><b>Raw</b></div>
{% /sandbox %}
`),
    [],
  );
});

Deno.test("a notation over lines, or that Markdoc cannot read, is one hint", async () => {
  const found = await findings(`# T

<Badge
  text="New"
/>

import {
  A,
} from "x";

{{% notice tip %}}

{{% list
  path=/a
%}}

[A](https://example.com){target="_blank"}

{% hint %}
{{% ref x y %}} {% icon name="star" /%}
{% /hint %}
`);
  assert.match(found[2]!, /on 3 lines/);
  assert.deepEqual(found.map((each) => each.replace(/ is shown as text.*/, "")), [
    "3 notation-foreign A component",
    "7 notation-foreign An import or export of MDX",
    "11 notation-foreign A shortcode of Hugo",
    "17 notation-foreign A class or an id such as {: .name}",
  ]);
});

Deno.test("pages with one kind of notation are one entry of a long list", async () => {
  const pages = Array.from({ length: 5 }, (_, at) => [
    `content/p${at}.md`,
    `# T\n${"\n:::tip\nWords\n:::\n".repeat(at + 1)}`,
  ]);
  const [found = "", ...more] = await listedFindings(coreSite({}, Object.fromEntries(pages)));
  assert.deepEqual(more, []);
  assert.match(found, /^notation-foreign 5 × A block between ::: is shown as text: .* and 2 more$/);
});

Deno.test("Vue's elements and attributes are another generator's notation", async () => {
  const elements = ['<component :is="x" />', '<div v-if="x">', '<p @click="go">', "<slot />"];
  for (const text of elements) assert.equal((await findings(`# T\n\n${text}\n`)).length, 1, text);
  for (const text of ["`<component :is>`", "A <slot and a < b", "if a <b : c = 1 then"]) {
    assert.deepEqual(await findings(`# T\n\n${text}\n`), [], text);
  }
});
