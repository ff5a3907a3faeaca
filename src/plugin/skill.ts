/**
 * Skills: instructions for an agent in the format of [Agent Skills](https://agentskills.io), a folder
 * with a `SKILL.md`.
 */

import type { Resource } from "./resource.ts";

/** A skill. */
export interface Skill {
  /** The name of the folder, in kebab case. */
  readonly name: string;
  /** What it does and when to use it; models select skills by this. */
  readonly description: string;
  /** The instructions, in Markdown. */
  readonly body: string;
  /** Offered only if the project has these. */
  readonly requires?: readonly string[];
}

/** Marks a `SKILL.md` written by `setup`; `setup --remove` deletes no other. */
export const SKILL_SOURCE = "jsr:@refrakt/mcp";

/** How to run the tools without an MCP client. */
const oneShot = (deno: string) =>
  `## Without the MCP server

The same tools run as one-shot commands, with the arguments as JSON:

\`\`\`sh
${deno} run --no-config --no-prompt --allow-read=. --allow-write=plan,specs --allow-run=git \\
  ${SKILL_SOURCE} call <tool> '<arguments>'
\`\`\`

\`list tools\` in place of \`call\` prints the tools of this project, \`list tools <tool>\` the
arguments of one.
`;

/** @param deno How Deno is started. */
export function skillFile({ name, description, body }: Skill, deno = "deno"): string {
  return `---
name: ${name}
description: ${JSON.stringify(description)}
metadata:
  source: ${SKILL_SOURCE}
---

${body.trim()}

${oneShot(deno)}`;
}

/** @param deno How Deno is started, asked when the skill is read. */
export function skillResource(skill: Skill, deno: () => string): Resource {
  return {
    uri: `skill://${skill.name}/SKILL.md`,
    name: skill.name,
    // The heading of its instructions.
    title: /^# (.+)$/m.exec(skill.body)?.[1] ?? skill.name,
    description: skill.description,
    mimeType: "text/markdown",
    requires: skill.requires ?? [],
    fixed: true,
    read: () => ({ text: skillFile(skill, deno()) }),
  };
}
