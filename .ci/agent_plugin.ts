/**
 * Builds `dist/agent-plugin`, a marketplace with one plugin for Claude Code, Codex and Cursor:
 * the server and its skills.
 *
 *     deno task agent-plugin
 *     deno task agent-plugin --out <dir>
 */

import { dirname, join } from "node:path";
import server from "../server.json" with { type: "json" };
import { PLAN_SKILLS } from "../plugins/plan/prompts/skills.ts";
import { RALPH_SKILLS } from "../plugins/ralph/skills.ts";
import { SITE_SKILLS } from "../plugins/site/prompts.ts";
import { skillFile } from "../src/plugin/skill.ts";
import { VERSION } from "../src/version.ts";
import { ABOUT } from "./mcpb.ts";
import { jsonOf, outFolder } from "./run_deno.ts";

const NAME = "refrakt";

if (import.meta.main) {
  const out = outFolder("dist/agent-plugin");
  for (const [path, text] of Object.entries(pluginFiles())) {
    await Deno.mkdir(dirname(join(out, path)), { recursive: true });
    await Deno.writeTextFile(join(out, path), text);
  }
}

/** The files by path. The clients read the same folder, each by its own manifest. */
export function pluginFiles(): Record<string, string> {
  const manifest = { name: NAME, repository: server.repository.url, ...ABOUT };
  const marketplace = {
    name: "refrakt-mcp",
    owner: ABOUT.author,
    plugins: [{ name: NAME, source: `./${NAME}`, description: server.description }],
  };
  // Clients start a plugin's server in the project.
  const permissions = ["--allow-read=.", "--allow-write=plan", "--allow-run=git"];
  const servers = {
    mcpServers: {
      [NAME]: {
        command: "deno",
        args: ["run", "--no-config", "--no-prompt", ...permissions, `jsr:@refrakt/mcp@${VERSION}`],
      },
    },
  };
  const files: Record<string, unknown> = {
    ".claude-plugin/marketplace.json": marketplace,
    ".cursor-plugin/marketplace.json": marketplace,
    ".agents/plugins/marketplace.json": {
      name: "refrakt-mcp",
      plugins: [{ name: NAME, source: { source: "local", path: `./${NAME}` } }],
    },
    [`${NAME}/.claude-plugin/plugin.json`]: manifest,
    [`${NAME}/.codex-plugin/plugin.json`]: {
      ...manifest,
      skills: "./skills/",
      mcpServers: "./.mcp.json",
    },
    [`${NAME}/.cursor-plugin/plugin.json`]: manifest,
    [`${NAME}/.mcp.json`]: servers,
    [`${NAME}/mcp.json`]: servers,
  };
  const texts = Object.entries(files).map(([path, value]) => [path, jsonOf(value)] as const);
  const skills = [...PLAN_SKILLS, ...SITE_SKILLS, ...RALPH_SKILLS].map((skill) =>
    [`${NAME}/skills/${skill.name}/SKILL.md`, skillFile(skill)] as const
  );
  return Object.fromEntries([...texts, ...skills]);
}
