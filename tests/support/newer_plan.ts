/**
 * A made-up newer version of the plan plugin, in a local registry that hands on
 * everything else: new statuses, new attributes, a new migration that asks git.
 */

import { join } from "node:path";
import { lab } from "./lab.ts";
import { runProcess } from "./process.ts";
import { integrityOf, registryOf, tarballOf } from "./registry.ts";

const NAME = "@refrakt-md/plan";

/** The made-up version. */
export const NEWER_VERSION = "0.29.0";

/** What is different in it: a file, what stands there, what stands there instead. */
const CHANGES: readonly (readonly [string, string | RegExp, string])[] = [
  [
    "dist/commands/enums.js",
    "'superseded', 'deprecated'],\n    work",
    "'superseded', 'deprecated', 'implemented', 'shipped'],\n    work",
  ],
  [
    "dist/commands/enums.js",
    "'blocked', 'pending']",
    "'blocked', 'pending', 'cancelled', 'superseded']",
  ],
  [
    "dist/commands/enums.js",
    "'milestone', 'source', 'tags'],\n    spec",
    "'milestone', 'source', 'tags', 'pr', 'supersedes', 'released-in'],\n    spec",
  ],
  [
    "dist/mcp-bindings.js",
    "assignee: { type: 'string' },\n        milestone: { type: 'string' },\n        check",
    "assignee: { type: 'string' },\n        milestone: { type: 'string' },\n        pr: { type: 'string' },\n        supersedes: { type: 'string' },\n        'released-in': { type: 'string' },\n        check",
  ],
  [
    "dist/mcp-bindings.js",
    "'severity', 'assignee', 'milestone']) {",
    "'severity', 'assignee', 'milestone', 'pr', 'supersedes', 'released-in']) {",
  ],
  ["dist/mcp-bindings.js", "enum: ['filenames'],", "enum: ['filenames', 'pr-attrs'],"],
  [
    "dist/mcp-bindings.js",
    "    if (o.subcommand !== 'filenames') {",
    "    if (o.subcommand === 'pr-attrs') return runMigratePrAttrs({ dir: resolveDir(o, ctx), apply: Boolean(o.apply) });\n    if (o.subcommand !== 'filenames') {",
  ],
  [
    "dist/mcp-bindings.js",
    "import { runMigrateFilenames }",
    "import { runMigratePrAttrs } from './commands/migrate-pr.js';\nimport { runMigrateFilenames }",
  ],
];

const MIGRATE_PR = `
import { execFileSync } from 'child_process';
import { readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import { scanPlanFiles } from '../scanner.js';
export function runMigratePrAttrs({ dir, apply }) {
  const url = execFileSync('git', ['remote', 'get-url', 'origin'], { cwd: dir, encoding: 'utf8' }).trim();
  const repository = /([\\w.-]+\\/[\\w.-]+?)(?:\\.git)?$/.exec(url)[1];
  const planned = [];
  for (const entity of scanPlanFiles(dir)) {
    const number = /#(\\d+)/.exec(entity.resolution?.pr ?? '')?.[1];
    if (number === undefined || entity.attributes.pr) continue;
    const pr = repository + '#' + number;
    planned.push({ id: entity.attributes.id, pr });
    if (!apply) continue;
    const path = join(dir, entity.file);
    writeFileSync(path, readFileSync(path, 'utf8').replace(/ %\\}/, ' pr="' + pr + '" %}'));
  }
  return { mode: apply ? 'apply' : 'dry-run', planned };
}
`;

/** A running registry. */
export interface NewerRegistry {
  /** The environment for a child that uses it. */
  readonly env: Record<string, string>;
  /** Stops it, and removes what the runtime has cached of it. */
  stop(): Promise<void>;
}

/** Serves the made-up version beside the real ones; other packages of the scope are handed on. */
export async function startNewerRegistry(): Promise<NewerRegistry> {
  const upstream = (await runProcess("npm", ["config", "get", "registry"], ".")).stdout.trim();
  const files = await newerFiles();
  const tarball = await tarballOf(files);
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const path = decodeURIComponent(new URL(request.url).pathname).slice(1);
      if (path.endsWith(`/plan-${NEWER_VERSION}.tgz`)) return new Response(tarball as BodyInit);
      if (path.endsWith(".tgz")) return await fetch(`${upstream}${path}`);
      const response = await fetch(`${upstream}${path.replace("/", "%2f")}`);
      if (path !== NAME || !response.ok) return response;
      const packument = await response.json();
      packument.versions[NEWER_VERSION] = {
        ...JSON.parse(files["package.json"]!),
        dist: {
          tarball: `${origin}/${NAME}/-/plan-${NEWER_VERSION}.tgz`,
          integrity: integrityOf(tarball),
        },
      };
      return Response.json(packument);
    },
  );
  const origin = `http://127.0.0.1:${(server.addr as Deno.NetAddr).port}`;
  return await registryOf(server, "@refrakt-md", origin);
}

/** The files of the made-up version, by path. */
async function newerFiles(): Promise<Record<string, string>> {
  const root = join(await lab(), "node_modules", NAME);
  const files: Record<string, string> = {};
  const walk = async (way: string) => {
    for await (const { name, isDirectory } of Deno.readDir(join(root, way))) {
      const path = way === "" ? name : `${way}/${name}`;
      if (isDirectory && name !== "node_modules") await walk(path);
      else if (/\.(?:js|json)$/.test(name)) {
        files[path] = await Deno.readTextFile(join(root, path));
      }
    }
  };
  await walk("");
  for (const [path, before, after] of CHANGES) {
    const text = files[path]!;
    const changed = text.replace(before, () => after);
    if (changed === text) throw new Error(`${path} has no ${before}`);
    files[path] = changed;
  }
  files["dist/commands/migrate-pr.js"] = MIGRATE_PR;
  const manifest = JSON.parse(files["package.json"]!);
  files["package.json"] = JSON.stringify({ ...manifest, version: NEWER_VERSION });
  return files;
}
