/** A tool that reads a file of the project. */

import { defineTool, RefraktError, type Tool } from "jsr:@refrakt/mcp@^0.2/plugin";

export const hoursTool: Tool = defineTool({
  name: "team_hours",
  title: "Hours",
  description: "Says how many hours a person has left this week.",
  input: {
    type: "object",
    properties: { person: { type: "string", description: "Such as ada" } },
    required: ["person"],
    additionalProperties: false,
  },
  output: { type: "object", properties: { hours: { type: "number" } }, required: ["hours"] },
  annotations: { readOnlyHint: true },
  run: async ({ person }, { project }) => {
    const hours = JSON.parse(await Deno.readTextFile(`${project.cwd}/hours.json`));
    if (Object.hasOwn(hours, person)) return { hours: hours[person] };
    throw new RefraktError("NOT_FOUND", `Nobody is called ${person}`, {
      hint: `Known are ${Object.keys(hours).join(", ")}.`,
    });
  },
});
