/** `refrakt_move`: moves a page, and keeps what it links and what links to it. */

import { quotedIfSpaced, quotedName } from "../../../src/plain_text.ts";
import * as z from "zod";
import { RefraktError } from "../../../src/errors.ts";
import { defined, unlessEmpty } from "../../../src/io/json.ts";
import { shownPath } from "../../../src/io/paths.ts";
import { mayWriteTo } from "../../../src/io/permissions.ts";
import { type WriteFolder, writeFolder } from "../../../src/io/write_folder.ts";
import { type FileWrite, type NewFile, writeInFolders } from "../../../src/io/write_together.ts";
import { defineTool, type Tool } from "../../../src/plugin/tool.ts";
import { siteEngine } from "../engine/lazy.ts";
import { EDIT } from "../engine/pages/read/diagnostics.ts";
import { inSites, SITE_NAME, WARNINGS, WRITES_PAGES } from "../fields.ts";
import { pageWrites } from "../page_writes.ts";

const MOVED = z.object({
  path: z.string(),
  from: z.string(),
  moved: z.boolean(),
  url: z.string(),
  oldUrl: z.string().optional(),
  redirectsTo: z.string().optional().describe("Where the moved page redirects to"),
  changes: z.array(z.string()).describe("old → new: path:line,line path:line"),
  note: z.string().optional(),
  edits: z.array(EDIT.extend({ path: z.string() })).optional().describe(
    "What is to be written by somebody who may",
  ),
  reason: z.string().optional().describe("Why nothing was written"),
  redirect: z.string().optional().describe("The file that redirects to the page"),
  back: z.object({ path: z.string(), to: z.string() }).optional().describe(
    "The arguments that move it back: links are then as before, or mean the same",
  ),
  byHand: z.array(z.string()).optional().describe("Links that could not be changed"),
  mentions: z.array(z.string()).optional().describe("The old address in text or code: unchanged"),
  warnings: WARNINGS,
});

export const moveTool: Tool = defineTool({
  name: "refrakt_move",
  title: "Move a page",
  description: "Moves or renames a page: links, images and navigation follow.",
  input: z.strictObject({
    path: z.string().describe("The page"),
    to: z.string().describe("Its new path"),
    preview: z.boolean().optional().describe("Writes nothing"),
    redirect: z.boolean().optional().describe("Leave a page that redirects"),
    site: SITE_NAME,
  }),
  output: MOVED,
  ...WRITES_PAGES,
  run: async ({ preview = false, redirect = false, site, ...input }, call) => {
    const engine = await siteEngine();
    const move = (site: string) => engine.movePage({ ...input, site }, call);
    const { value: plannedMove }: { value: PlannedMove } = await inSites(
      call.project,
      { site, path: input.path },
      move,
    ).next();
    const { file, target, files, url, redirectsTo, left, mentions, warnings } = plannedMove;
    const isSame = url.old === url.now;
    if (redirect && isSame) {
      throw new RefraktError("INVALID_ARGS", `The page keeps its address ${quotedName(url.now)}`, {
        hint: "Omit redirect: its front matter sets the address, or only the file is renamed.",
      });
    }
    const stub = redirect ? `---\nredirect: ${quotedName(url.now)}\n---\n` : undefined;
    const blocked = [...files.map(({ path }) => path), file.path, target.path]
      .find((path) => !mayWriteTo(path));
    const isMoved = !preview && blocked === undefined;
    const isLinked = left.length > 0 ||
      files.some(({ path, edits }) => path !== file.path && edits.length > 0);
    if (isMoved) {
      writeMove(writeFolder(call.project.cwd, plannedMove.contentDir), plannedMove, stub);
    }
    const place = shownPath(call.project.cwd, blocked ?? "");
    return defined({
      path: target.displayPath,
      from: file.displayPath,
      moved: isMoved,
      url: url.now,
      oldUrl: isSame ? undefined : url.old,
      redirectsTo,
      changes: changesOf(files),
      note: isSame || isLinked
        ? undefined
        : `No page, layout or navigation links to ${quotedName(url.old)}`,
      back: isMoved ? { path: target.displayPath, to: file.displayPath } : undefined,
      edits: isMoved || preview ? undefined : editRows(files),
      reason: isMoved || preview
        ? undefined
        : `No permission to write ${quotedName(place)}: make the edits, then rename the file; ` +
          `or start the server with --allow-write=${place.split("/")[0]}`,
      redirect: stub && file.displayPath,
      byHand: unlessEmpty(placesByFile(left)),
      mentions: unlessEmpty(placesByFile(mentions)),
      warnings: unlessEmpty(warnings),
    });
  },
});

function editRows(files: PlannedMove["files"]) {
  return files.flatMap(({ displayPath: path, edits }) => edits.map((edit) => ({ path, ...edit })));
}

/** A line for each changed address, with its places. */
function changesOf(files: PlannedMove["files"]): string[] {
  const changes = Map.groupBy(
    editRows(files),
    ({ old, text }) => `${quotedIfSpaced(old ?? "")} → ${quotedIfSpaced(text)}`,
  );
  return [...changes].map(([change, edits]) => `${change}: ${placesByFile(edits).join(" ")}`);
}

/** `path:1,2` for each file. */
function placesByFile(all: readonly { readonly path: string; readonly line: number }[]): string[] {
  return [...Map.groupBy(all, ({ path }) => path)].map(([path, places]) =>
    `${quotedIfSpaced(path)}:${[...new Set(places.map(({ line }) => line))].join(",")}`
  );
}

type PlannedMove = Awaited<ReturnType<Awaited<ReturnType<typeof siteEngine>>["movePage"]>>;

/** Writes all files of a move, or none. */
function writeMove(
  folder: WriteFolder,
  { file, target, files, replaces }: PlannedMove,
  stub?: string,
) {
  const writes = pageWrites(folder, files);
  const pageWrite = writes.find(({ seen }) => seen.path === file.path)!;
  const others: (FileWrite | NewFile)[] = writes.filter((write) => write !== pageWrite);
  if (replaces !== undefined) {
    const [replaced] = pageWrites(folder, [{ path: target.path, source: replaces, text: "" }]);
    others.push({ ...replaced!, text: null });
  }
  const { seen, text } = pageWrite;
  if (stub === undefined) others.push({ ...pageWrite, to: target.path });
  else others.push({ folder, to: target.path, text: text!, mode: seen.mode }, { seen, text: stub });
  writeInFolders(others);
}
