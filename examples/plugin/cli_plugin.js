import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The Markdown files of a folder with their numbers of words. */
export function countWords(folder) {
  return readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".md")).sort()
    .map((page) => {
      const text = readFileSync(join(folder, page), "utf8");
      return { page, words: text.match(/\p{L}+/gu)?.length ?? 0 };
    });
}

const inputSchema = {
  type: "object",
  properties: { folder: { type: "string", description: "Such as content" } },
  required: ["folder"],
  additionalProperties: false,
};

export default {
  namespace: "words",
  description: "Counts words.",
  commands: [
    {
      name: "count",
      description: "Counts the words of each page in a folder.",
      inputSchema,
      annotations: { readOnlyHint: true },
      mcpHandler: ({ folder }, { cwd }) => ({ pages: countWords(join(cwd, folder)) }),
    },
    {
      name: "save",
      description: "Writes the numbers of words to words.json.",
      inputSchema,
      writes: ["words.json"],
      mcpHandler: ({ folder }, { cwd }) => {
        writeFileSync(join(cwd, "words.json"), JSON.stringify(countWords(join(cwd, folder))));
        return { file: "words.json" };
      },
    },
  ],
};
