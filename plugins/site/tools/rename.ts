/** `refrakt_rename`: renames a rune, an attribute or a value in the pages of a site. */

import * as z from "zod";
import { defined, unlessEmpty } from "../../../src/io/json.ts";
import { shownPath } from "../../../src/io/paths.ts";
import { mayWriteTo } from "../../../src/io/permissions.ts";
import { writeFolder } from "../../../src/io/write_folder.ts";
import { writeInFolders } from "../../../src/io/write_together.ts";
import { counted } from "../../../src/plugin/counted.ts";
import { quotedName } from "../../../src/plain_text.ts";
import { defineTool, type Tool } from "../../../src/plugin/tool.ts";
import { siteEngine } from "../engine/lazy.ts";
import { SITE_NAME, WARNINGS, WRITES_PAGES } from "../fields.ts";
import { pageWrites } from "../page_writes.ts";

/** How many pages that differ, and new findings, are listed. */
const MOST_LISTED = 5;

const RENAMED = z.object({
  renamed: z.boolean(),
  uses: z.int(),
  pages: z.int(),
  names: z.record(z.string(), z.int()).describe(
    "Uses by the tag as written; of an attribute by its values, of a value by its attributes",
  ),
  equal: z.int().describe("Pages, with those that include them, whose rendered text is the same"),
  differ: z.array(z.string()).optional().describe("The others, with the first line that differs"),
  findings: z.object({ before: z.int(), after: z.int() }).describe("In these pages"),
  added: z.array(z.string()).optional().describe("New findings"),
  reason: z.string().optional().describe("Why nothing was written"),
  warnings: WARNINGS,
});

export const renameTool: Tool = defineTool({
  name: "refrakt_rename",
  title: "Rename in pages",
  description: "Renames a rune, attribute or value in the tags of pages: all or none.",
  input: z.strictObject({
    kind: z.enum(["rune", "attribute", "value"]).describe("What"),
    from: z.string().describe("A rune: its aliases too"),
    to: z.string().describe("New name"),
    rune: z.string().optional().describe("Only its tags"),
    attribute: z.string().optional().describe("Only its values"),
    path: z.string().optional().describe("A page or a folder"),
    except: z.array(z.string()).max(100).optional().describe("Not these"),
    preview: z.boolean().optional().describe("Writes nothing"),
    site: SITE_NAME,
  }),
  output: RENAMED,
  ...WRITES_PAGES,
  run: async ({ preview = false, ...input }, call) => {
    const { cwd } = call.project;
    const { files, contentDir, differ, added, unread, ...facts } = await (await siteEngine())
      .renameUses(input, call);
    const blocked = files.find(({ path }) => !mayWriteTo(path));
    const isRenamed = !preview && blocked === undefined && files.length > 0;
    if (isRenamed) writeInFolders(pageWrites(writeFolder(cwd, contentDir), files));
    const place = shownPath(cwd, blocked?.path ?? "");
    return defined({
      renamed: isRenamed,
      pages: files.length,
      ...facts,
      differ: unlessEmpty(shortened(differ)),
      added: unlessEmpty(
        shortened(added.map(({ path, line, code }) => `${path}:${line ?? 1} ${code}`)),
      ),
      reason: preview || blocked === undefined
        ? undefined
        : `No permission to write ${quotedName(place)}: start the server with ` +
          `--allow-write=${place.split("/")[0]}`,
      warnings: unlessEmpty(
        unread.map((displayPath) => `${quotedName(displayPath)} cannot be read: it was left out`),
      ),
    });
  },
});

function shortened(list: readonly string[]): string[] {
  const more = list.length - MOST_LISTED;
  return [...list.slice(0, MOST_LISTED), ...more > 0 ? [`and ${counted(more, "other")}`] : []];
}
