import assert from "node:assert/strict";
import Markdoc from "@markdoc/markdoc";
import { codeOf, namedIn } from "../../../../src/site/engine/pages/markdoc_findings.ts";

const CONFIG = {
  tags: {
    rune: {
      attributes: {
        kind: { type: String, matches: ["a", "b"] },
        size: { type: Number },
        needed: { required: true },
      },
    },
    inline: { inline: true, selfClosing: true },
  },
  functions: { sum: { parameters: { 0: { type: Number, required: true } } } },
  variables: { known: 1 },
  validation: { validateFunctions: true },
};

Deno.test("Markdoc names what a finding is about in its message", () => {
  const cases: [source: string, code: string, name: string | undefined][] = [
    ["{% nothing /%}", "rune-unknown", "nothing"],
    ["{% rune needed=1 %}", "rune-unclosed", "rune"],
    ["{% rune needed=1 other=1 /%}", "attribute-unknown", "other"],
    ['{% rune needed=1 kind="c" /%}', "attribute-value", "kind"],
    ['{% rune needed=1 size="c" /%}', "attribute-type", "size"],
    ["{% rune /%}", "attribute-missing", "needed"],
    ["{% $unknown %}", "variable-unknown", "unknown"],
    ["{% rune needed=unknown() /%}", "function-unknown", "unknown"],
    ["{% rune needed=sum(a=1) /%}", "function-unknown", "a"],
    ['{% partial file="x.md" /%}', "attribute-value", "file"],
  ];
  const found = cases.map(([source]) => {
    const [finding] = Markdoc.validate(Markdoc.parse(source), CONFIG);
    return [source, codeOf(finding!.error), namedIn(finding!.error)];
  });
  assert.deepEqual(found, cases);
});
