/** `plan_init`: creates a plan, and writes nothing outside its folder. */

import { validationError } from "../entity/values.ts";
import { quotedName, word } from "../../../src/plain_text.ts";
import { basename, join } from "node:path";
import * as z from "zod";
import { RefraktError } from "../../../src/errors.ts";
import { statIfExists } from "../../../src/io/files.ts";
import { isInside, shownPath } from "../../../src/io/paths.ts";
import { mayWriteTo } from "../../../src/io/permissions.ts";
import { createFile } from "../../../src/io/shared_files.ts";
import { withInterceptor } from "../../../src/packages/stand_in_call.ts";
import { configError } from "../../../src/plugin/config.ts";
import { renamedHint, requireNoPlanAround } from "../store/plan_folder.ts";
import { withScan } from "../upstream/scans.ts";
import { takenId } from "../entity/entity.ts";
import { type PlanPlace, withPlanLock } from "../store/place.ts";
import { instructionsText } from "../tool_parts/plan_instructions.ts";
import { writeTool } from "../tool_parts/plan_tool.ts";

/** The examples of a new plan. The plugin skips examples whose id exists. */
const EXAMPLES = ["SPEC-001", "WORK-001", "ADR-001", "v0.1.0"].map((id) => takenId(id, `${id}.md`));

export const initTool = writeTool({
  name: "plan_init",
  title: "Initialise the plan",
  description:
    "Creates the plan's folder with instructions and examples. An existing plan keeps its files.",
  annotations: { idempotentHint: true },
  listed: { with: ["new plan"] },
  isForNew: true,
  input: {},
  output: z.object({
    dir: z.string(),
    created: z.array(z.string()),
    alreadyEstablished: z.boolean(),
    hint: z.string(),
  }),
  run: (_input, place) => withPlanLock(place, () => initPlan(place)),
});

async function initPlan({ plugin, context, signal, cwd, dir, store }: PlanPlace) {
  const { configProblem, planDir, renamedPlan } = context.project;
  if (configProblem !== undefined) throw configError(configProblem);
  requireNoPlanAround(cwd, dir);
  if (renamedPlan !== undefined && dir === planDir) {
    throw planExists(renamedPlan, shownPath(cwd, dir));
  }
  const planPath = shownPath(cwd, dir);
  if (!mayWriteTo(dir)) {
    throw new RefraktError("PERMISSION_DENIED", `No permission to write ${quotedName(planPath)}`, {
      hint: `Start the server with ${word(`--allow-write=${planPath}`)}.`,
      data: { flag: `--allow-write=${planPath}` },
    });
  }
  const isThere = statIfExists(dir)?.isDirectory === true;
  const alreadyEstablished = isThere && (await store.read(signal)).entities.length > 0;
  const none = { noPackageJson: true, noHooks: true, noMcp: true, noWrapper: true, noConfig: true };
  const { folder } = store;
  const result = await withInterceptor(
    {
      folder,
      write: (path, text) => {
        // An established plan gets no examples. The plugin's instructions describe its Node server.
        if (alreadyEstablished || !isInside(dir, path)) return;
        if (["INSTRUCTIONS.md", ".plan-cache.json"].includes(basename(path))) return;
        createFile(folder, path, text);
      },
    },
    () =>
      withScan(
        () => alreadyEstablished ? [...store.last().entities, ...EXAMPLES] : [],
        () =>
          plugin.run<{ created?: string[] }>("init", {
            agent: "none",
            dir,
            projectRoot: cwd,
            ...none,
          }, context),
      ),
  );
  const guide = join(dir, "INSTRUCTIONS.md");
  const setup = context.project.shell.setup();
  const instructions = instructionsText(planPath, plugin.vocabulary, setup);
  const isNew = createFile(folder, guide, instructions);
  const created = (result.created ?? []).filter((path) => path !== guide && exists(path));
  return {
    dir: planPath,
    created: created.concat(isNew ? guide : [])
      .map((path) => shownPath(cwd, path) + (/[\\/]$/.test(path) ? "/" : "")),
    alreadyEstablished,
    hint: "To configure a client and AGENTS.md for this project, the user runs in a terminal: " +
      setup,
  };
}

/** A second plan beside the renamed one would take its place unnoticed. */
function planExists(renamed: string, dir: string): RefraktError {
  const message = `The folder ${quotedName(renamed)} already holds a plan`;
  return validationError(message, `To serve that one, ${renamedHint(renamed, dir)}`);
}

function exists(path: string): boolean {
  return statIfExists(path.replace(/[\\/]$/, "")) !== null;
}
