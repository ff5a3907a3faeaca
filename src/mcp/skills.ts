/**
 * The [Skills extension](https://modelcontextprotocol.io/extensions/skills/overview): lists the
 * skills that apply to the project. Their files are read as resources.
 *
 * @module
 */

import { ProtocolError } from "@modelcontextprotocol/server";
import { z } from "zod";
import { skillFile, skillUri } from "../tools/skill.ts";
import { CODES } from "./error_codes.ts";
import type { Session } from "./session.ts";

/** The identifier of the extension. */
export const SKILLS_EXTENSION = "io.modelcontextprotocol/skills";

/** The skills follow the project, which may change at any time. */
const UNCACHED = { ttlMs: 0, cacheScope: "private" };

/** Registers the handlers. */
export function handleSkills({ server, workspace }: Session): void {
  /** The entries with their front matter, sizes and digests, as the SDK computes them. */
  async function entries() {
    const skills = (await workspace.toolset()).listedSkills();
    if (skills.length === 0) return [];
    const { memorySkillFiles, SkillCatalog } = await import(
      "@modelcontextprotocol/server/ext/skills"
    );
    const files = skills.map((skill) =>
      [skillUri(skill).slice("skill://".length), skillFile(skill)] as const
    );
    const catalog = await SkillCatalog.load(memorySkillFiles(Object.fromEntries(files)), {
      strict: true,
    });
    return [...catalog.entries];
  }

  server.setRequestHandler(
    "skills/list",
    { params: z.looseObject({}).optional() },
    async () => ({ skills: await entries(), ...UNCACHED }),
  );
  server.setRequestHandler(
    "skills/get",
    { params: z.looseObject({ uri: z.string() }) },
    async ({ uri }) => {
      const skill = (await entries()).find((entry) => entry.uri === uri);
      if (skill !== undefined) return { skill, ...UNCACHED };
      throw new ProtocolError(CODES.invalidParams, `No such skill: ${uri.slice(0, 200)}`, {
        uri,
        errorCode: "NOT_FOUND",
        hint: "skills/list returns the skills of this project.",
      });
    },
  );
}
