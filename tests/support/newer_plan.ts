/**
 * Made-up newer versions of the plan plugin, in a local registry that hands on everything
 * else: one with new statuses, new attributes and a new migration that asks git, and one
 * in which everything is otherwise that the server relies on beyond the contract.
 */

import { join } from "node:path";
import { lab } from "./lab.ts";
import { runProcess } from "./process.ts";
import { integrityOf, registryOf, tarballOf } from "./registry.ts";

const NAME = "@refrakt-md/plan";

/** The made-up version with more of everything. */
export const NEWER_VERSION = "0.29.0";

/** The made-up version with other private paths, exports, messages and exit codes. */
export const OTHER_VERSION = "0.30.0";

/** What is different in a file: its path, what stands there, what stands there instead. */
export type Change = readonly [path: string, before: string | RegExp, after: string];

/** What is different in it. */
export const NEWER: readonly Change[] = [
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

/** What is moved, renamed, or done and said in another way. */
const OTHER: readonly Change[] = [
  ...["validate", "create", "update"].map((name): Change => [
    `dist/commands/${name}.js`,
    "'./enums.js'",
    "'./values.js'",
  ]),
  ["dist/commands/enums.js", /^/, "throw new Error('moved to values.js');\n"],
  ...["next", "update"].map((name): Change => [
    `dist/commands/${name}.js`,
    "'../scanner.js'",
    "'../scan.js'",
  ]),
  ["dist/commands/update.js", "{ readFileSync, writeFileSync }", "{ readFileSync, promises }"],
  ["dist/commands/update.js", "export function runUpdate", "export async function runUpdate"],
  [
    "dist/commands/update.js",
    "        writeFileSync(absPath,",
    "        await promises.writeFile(`${absPath}.new`,",
  ],
  ["dist/commands/update.js", "EXIT_NOT_FOUND = 2", "EXIT_NOT_FOUND = 44"],
  ["dist/diff.js", "export function diffCriteria(", "export function criteriaDiff("],
  [
    "dist/history.js",
    /diffAttributes, diffCriteria,/g,
    "diffAttributes, criteriaDiff as diffCriteria,",
  ],
];

/** The module of its new migration, `dist/commands/migrate-pr.js`. */
export const MIGRATE_PR = `
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

/** Serves the made-up versions beside the real ones; other packages of the scope are handed on. */
export async function startNewerRegistry(): Promise<NewerRegistry> {
  const upstream = (await runProcess("npm", ["config", "get", "registry"], ".")).stdout.trim();
  const made = new Map<string, { manifest: Record<string, unknown>; tarball: Uint8Array }>();
  for (const version of [NEWER_VERSION, OTHER_VERSION]) {
    const files = await filesOf(version);
    made.set(version, {
      manifest: JSON.parse(files["package.json"]!),
      tarball: await tarballOf(files),
    });
  }
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const path = decodeURIComponent(new URL(request.url).pathname).slice(1);
      const own = made.get(/\/plan-([\d.]+)\.tgz$/.exec(path)?.[1] ?? "");
      if (own !== undefined) return new Response(own.tarball as BodyInit);
      if (path.endsWith(".tgz")) return await fetch(`${upstream}${path}`);
      const response = await fetch(`${upstream}${path.replace("/", "%2f")}`);
      if (path !== NAME || !response.ok) return response;
      const packument = await response.json();
      for (const [version, { manifest, tarball }] of made) {
        packument.versions[version] = {
          ...manifest,
          dist: {
            tarball: `${origin}/${NAME}/-/plan-${version}.tgz`,
            integrity: integrityOf(tarball),
          },
        };
      }
      return Response.json(packument);
    },
  );
  const origin = `http://127.0.0.1:${(server.addr as Deno.NetAddr).port}`;
  return await registryOf(server, "@refrakt-md", origin);
}

/** The files of a made-up version, by path. */
async function filesOf(version: string): Promise<Record<string, string>> {
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
  files["dist/commands/migrate-pr.js"] = MIGRATE_PR;
  files["dist/commands/values.js"] = files["dist/commands/enums.js"]!;
  files["dist/scan.js"] = "export * from './scanner.js';";
  for (const [path, before, after] of version === NEWER_VERSION ? NEWER : OTHER) {
    const text = files[path]!;
    const changed = text.replace(before, () => after);
    if (changed === text) throw new Error(`${path} has no ${before}`);
    files[path] = changed;
  }
  const manifest = JSON.parse(files["package.json"]!);
  files["package.json"] = JSON.stringify({ ...manifest, version });
  return files;
}
