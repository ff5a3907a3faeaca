/** The texts of a fuzz campaign: hostile ones, and names that exist in its project. */

import fc from "./npm/fast_check.ts";

const IDS = ["WORK-001", "WORK-002", "BUG-001", "SPEC-001", "ADR-001", "v1.0.0"];
const TYPES = ["work", "bug", "spec", "decision", "milestone"];
const SPECS = ["first", "second", "third", "research-done"];
const RUNES = ["hint", "tide", "grid", "steps", "icon", "mood"];
const PAGES = "/ index index.md content/index.md content/tides.md /tides content".split(" ");
const MARKDOC = [
  '{% hint type="note" %}\nA hint.\n{% /hint %}',
  '# A title\n\n{% tide high="06:12" low="12:25" /%}\n',
  "Some words.",
  "- [ ] One\n- [x] Two\n",
  "| a | b |\n|---|---|\n| 1 | 2 |\n",
  '{% ref "WORK-001" /%}',
];

/** Values by argument name, of one word each; `… names` for the keys of a record. */
const WORDS = `
author=Ada assignee=ada milestone=v1.0.0 tag=api|ui priority=high|low complexity=simple|unknown
severity=major|error|warning until=2030-01-01|1d since=14d|2026-01-01|HEAD show=cards|today|now
status=ready|draft|done|in-progress|reported|proposed|active sort=priority|priority,-modified|-status
fields=criteria|dependencies|source|modified|status|uri|Notes|title 
dir=plan|plan|plan|plan/other|pkg|plan/work check=all|1 uncheck=all|1 remove=1 command=true task=1.1|1.2
resolveFile=content/index.md|package.json value=high|ready|2026-01-01|note attributes=type|coast
topic=tides theme=base site=main code=link-broken|render-failed css=content|style.css plugin=core
file=research.md|tasks.md|state|contracts.json package=@made-up/none config=theme.json|package.json
manifest=theme.json|refrakt.config.json title=Ünïcode`;

/** Values by argument name. */
export const KNOWN_VALUES: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    WORDS.trim().split(/\s+/).map((row) => [row.split("=")[0], row.split("=")[1]!.split("|")]),
  ),
  id: IDS,
  ids: IDS,
  source: [...MARKDOC, "SPEC-001"],
  type: TYPES,
  text: ["first", "it runs", "crash"],
  title: ["Made up", "Another title"],
  check: ["It runs", "all", "1"],
  criteria: ["It works", "It is fast"],
  body: MARKDOC,
  resolve: MARKDOC,
  "attrs names": ["status", "priority", "tags", "source", "assignee", "milestone", "date"],
  "sections names": ["Notes", "description", "Approach", "Acceptance Criteria", "Resolution"],
  "append names": ["Notes", "Approach", "Acceptance Criteria"],
  "attributes names": ["type", "tone", "high", "low", "coast", "columns"],
  spec_name: SPECS,
  name: [...SPECS, ...RUNES],
  goal: ["Build a thing that measures tides", "Search in the page"],
  tasks: ["- [ ] 1.2 A part\n- [ ] 1.3 Another\n"],
  evidence: ["It passed"],
  confirm: SPECS,
  rune: RUNES,
  runes: RUNES,
  path: PAGES,
};

/** Texts with a special meaning to a file system, a parser, a shell, git or a terminal. */
export function hostileText(outside: string): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(
      ...["", ".", "..", "/", "~", "../../etc/passwd", "/etc/passwd", "plan/../../x", "plan/out"],
      ...["plan/out/secret.md", "plan/work/out.md", "work/out.md", "out", outside, "specs/out"],
      ...["content/out.md", "runes/out.js", "pkg/out.json", "file:///etc/passwd", "C:\\x", "a:b"],
      ...["WORK-001", "SPEC-001", "v1.0.0", "work", "ready", "done", "hint", "index", "main"],
      ...["a\0b", "\u202egnp", "\u001b[2J", "a\nb", "\r\n\r\n", "%00", "%2e%2e%2f", "%", "\ud800"],
      ...["-rf", "--output=x", "$(id)", "`id`", "; id", "| id", "${HOME}", "constructor"],
      ...["__proto__", "toString", "hasOwnProperty", "NaN", "1e999", "-1", "0", "null", "[]", "{}"],
      ...["{% work ", '{% work id="X" %}', "{% /work %}", "<script>", "---\na: b\n---"],
      ...["{% $x %}", "{% hint %}", "{% /hint %}", "```", "![](", "[a]: b", "{{", "}}", "|a|\n|-|"],
      ...["#".repeat(50), "{% ".repeat(200), "[ ".repeat(500), "x".repeat(5000)],
      ...["../".repeat(200), "- [ ] a\n".repeat(99), "HEAD..", "@{-1}", ":/x", "^", "0000000"],
      ...["con", "a".repeat(300), "a/".repeat(99), ".git", ".git/config", "specs/.current-spec"],
    ),
    fc.string({ maxLength: 30 }),
    fc.string({ unit: "grapheme", maxLength: 30 }),
  );
}
