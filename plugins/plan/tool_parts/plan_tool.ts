/** Declares plan tools: each takes `dir`, works on that plan, and says what could not be read. */

import * as z from "zod";
import { writtenFiles } from "../../../src/io/journal.ts";
import { refusalToError } from "../../../src/io/permissions.ts";
import type { ContentResult, TextResult } from "../../../src/plugin/result.ts";
import { defineTool, type Tool, type ToolDefinition } from "../../../src/plugin/tool.ts";
import { openPlan, type PlanView } from "../queries/access.ts";
import { unreadableIn } from "../store/problems.ts";
import { existingPlan, type PlanPlace, possiblePlan } from "../store/place.ts";
import { checkoutOf } from "../queries/elsewhere.ts";
import { unlisted } from "./fields.ts";
import type { Vocabulary } from "../upstream/vocabulary.ts";

/** Declares a tool for the vocabulary of a version of the package. */
type PlanTool = (vocabulary: Vocabulary) => Tool;

interface PlanToolDefinition<Fields extends z.ZodRawShape, Place, Output extends z.ZodObject>
  extends Omit<ToolDefinition<z.ZodObject>, "input" | "output" | "run"> {
  /** The arguments besides `dir`; of a version, if they list its values. */
  readonly input: Fields | ((vocabulary: Vocabulary) => Fields);
  readonly output: Output;
  /** Whether it may run where there is no plan yet. */
  readonly isForNew?: boolean;
  /** Whether its answer already names the files that could not be read. */
  readonly saysUnreadable?: boolean;
  /** The fields of an answer may be undefined, which JSON leaves out. */
  run(input: z.infer<z.ZodObject<Fields>>, place: Place): Answer<Output> | Promise<Answer<Output>>;
}

type Answer<Output extends z.ZodObject> = z.infer<Output> | TextResult | ContentResult;

/** Declares a tool that reads the plan. */
export function readTool<Fields extends z.ZodRawShape, Output extends z.ZodObject>(
  definition: PlanToolDefinition<Fields, PlanView, Output>,
): PlanTool {
  return planTool(definition, { readOnlyHint: true, openWorldHint: false }, openPlan);
}

/** Declares a tool that writes, and reads the plan itself when it holds the lock. */
export function writeTool<Fields extends z.ZodRawShape, Output extends z.ZodObject>(
  definition: PlanToolDefinition<Fields, PlanPlace, Output>,
): PlanTool {
  const annotations = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };
  return planTool(definition, annotations, (place) => place);
}

/** Declares a tool, by default for projects with a plan; a call may still name another plan by `dir`. */
function planTool<Place, Output extends z.ZodObject>(
  { input, output, annotations, isForNew, saysUnreadable, run, ...declared }: PlanToolDefinition<
    z.ZodRawShape,
    Place,
    Output
  >,
  usual: NonNullable<Tool["annotations"]>,
  open: (place: PlanPlace) => Place | Promise<Place>,
): PlanTool {
  const placeOf = isForNew ? possiblePlan : existingPlan;
  return (vocabulary) =>
    defineTool({
      listed: { with: ["plan"] },
      ...declared,
      annotations: { ...usual, ...annotations },
      writes: usual.readOnlyHint ? false : "plan",
      input: z.strictObject({
        // To save space, plan_list alone lists it.
        dir: unlisted(z.string()),
        ...typeof input === "function" ? input(vocabulary) : input,
      }),
      output: usual.readOnlyHint ? output : output.extend({ checkout: z.string().optional() }),
      run: async ({ dir, ...args }, context) => {
        const place = await placeOf(context, dir);
        try {
          const answer = await run(args, await open(place));
          if (saysUnreadable) return answer;
          // The first answer that has written something names the checkout, if there are several.
          const checkout = writtenFiles().length === 0 ? undefined : await checkoutOf(place);
          return { ...Object(answer), checkout, unreadable: unreadableIn(place.store) };
        } catch (error) {
          // Where a permission is missing for the plan, the error names its folder.
          if (place.signal.aborted) throw error;
          throw refusalToError(error, place.cwd, place.dir) ?? error;
        }
      },
    });
}
