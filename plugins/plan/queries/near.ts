/** Ranks entities by the words of a text (SQLite's bm25), in titles, headings and text. */

import { nodeModule } from "../../../src/io/node_module.ts";
import { turnTaker } from "../../../src/io/turns.ts";
import type { Entity } from "../entity/entity.ts";
import type { PlanView } from "./access.ts";
import { readBodies } from "./search.ts";

/** A title counts most, a heading more than text; forms of one English word are the same. */
const TABLE = "create virtual table texts using fts5(title, headings, body, tokenize = porter)";
const RANKED = "select rowid from texts where texts match ? order by bm25(texts, 8, 4, 1)";

/** Words that say nothing about a subject. */
const COMMON = new Set(
  ("a an and are as at be by for from has have how in into is it its not of on or our that the " +
    "their this to was we what when which with").split(" "),
);

/** Returns the items that have words of a text, the nearest first. */
export async function nearest(
  plan: PlanView,
  items: readonly Entity[],
  text: string,
): Promise<Entity[]> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const wanted = words.filter((word) => !COMMON.has(word)).map((word) => `"${word}"`);
  if (wanted.length === 0) return [];
  const bodies = await readBodies(plan);
  const { DatabaseSync } = nodeModule("node:sqlite");
  const db = new DatabaseSync(":memory:");
  try {
    db.exec(TABLE);
    const insert = db.prepare(
      "insert into texts (rowid, title, headings, body) values (?, ?, ?, ?)",
    );
    const turn = turnTaker(plan.signal);
    for (const [at, item] of items.entries()) {
      const body = bodies.get(item)?.text ?? "";
      insert.run(at, item.title, (body.match(/^#{1,6} .*$/gm) ?? []).join("\n"), body);
      await turn();
    }
    return db.prepare(RANKED).all(wanted.join(" OR ")).map(({ rowid }) => items[Number(rowid)]!);
  } finally {
    db.close();
  }
}
