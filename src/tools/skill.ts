/**
 * A skill is a set of instructions for an agent, in the format of
 * [Agent Skills](https://agentskills.io): a folder with a `SKILL.md`.
 *
 * @module
 */

import type { Resource } from "./resource.ts";
import type { Requirement } from "./tool.ts";

/** A skill as a contributor declares it. */
export interface Skill {
  /** The name of the folder: lower case, words divided by hyphens. */
  readonly name: string;
  /** What it is for, and when to use it: a model decides by this sentence. */
  readonly description: string;
  /** The instructions, in Markdown. */
  readonly body: string;
  /** Offered only where the project has these. */
  readonly requires?: readonly Requirement[];
}

/** Marks a `SKILL.md` that `setup` wrote, so that `setup --remove` deletes no other. */
export const SKILL_SOURCE = "jsr:@refrakt/mcp";

/** How an agent without this server runs the same tools. */
const ONE_SHOT = `## Without the MCP server

The same tools run as one-shot commands, with the arguments as JSON:

\`\`\`sh
deno run --no-config --no-prompt --allow-read=. --allow-write=plan,specs --allow-run=git \\
  ${SKILL_SOURCE} call <tool> '<arguments>'
\`\`\`

\`list tools\` in place of \`call\` prints the tools of this project, \`list tools <tool>\` the
arguments of one.
`;

/** The text of the skill's `SKILL.md`. */
export function skillFile({ name, description, body }: Skill): string {
  return `---
name: ${name}
description: ${JSON.stringify(description)}
metadata:
  source: ${SKILL_SOURCE}
---

${body.trim()}

${ONE_SHOT}`;
}

/** The address that the skill's `SKILL.md` is served at. */
export function skillUri({ name }: Pick<Skill, "name">): string {
  return `skill://${name}/SKILL.md`;
}

/** The resource that serves the skill's `SKILL.md`. */
export function skillResource(skill: Skill): Resource {
  return {
    uri: skillUri(skill),
    name: skill.name,
    title: skill.name,
    description: skill.description,
    mimeType: "text/markdown",
    ...(skill.requires === undefined ? {} : { requires: skill.requires }),
    fixed: true,
    read: () => ({ text: skillFile(skill) }),
  };
}
