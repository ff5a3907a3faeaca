/**
 * The [Skills extension](https://modelcontextprotocol.io/extensions/skills/overview): lists the
 * project's skills. Their files are resources.
 */

import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import * as z from "zod";
import { skillFile, skillUri } from "../tools/skill.ts";
import type { Session } from "./session.ts";

export const SKILLS_EXTENSION = "io.modelcontextprotocol/skills";

/** Skills follow the project, which may change at any time. */
const UNCACHED = { ttlMs: 0, cacheScope: "private" };

export function handleSkills({ server, workspace }: Session): void {
  /** Entries with front matter, size and digest, computed by the SDK. */
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
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `No such skill: ${uri.slice(0, 200)}`,
        {
          uri,
          errorCode: "NOT_FOUND",
          hint: "skills/list returns the skills of this project.",
        },
      );
    },
  );
}
