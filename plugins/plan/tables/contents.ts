/** Tables from the plan's files: criteria, sections, references, lines. */

import { join } from "node:path";
import { shownPath } from "../../../src/io/paths.ts";
import { readInside } from "../../../src/io/read.ts";
import { linesIn } from "../../../src/markdoc/lines.ts";
import type { Row } from "../../../src/plugin/context.ts";
import type { Entity } from "../entity/entity.ts";
import { contentOf, type Document, plainOf, read, type Section } from "../entity/document.ts";
import { type PlanView, referenceLines, sourceText } from "../queries/access.ts";
import { pointersFrom } from "../store/plan.ts";
import { planTable } from "./read_plan.ts";

export const criteriaTable = planTable({
  name: "criteria",
  columns: {
    id: "the entity",
    n: "number within the entity, from 1; plan_update takes it",
    text: "whole, on one line",
    checked: "1: ticked",
    section: "the heading above it",
    line: "in the file",
  },
  numbers: ["n", "checked", "line"],
  keys: ["id"],
}, (plan) => ({ parts: () => tableParts(plan, criterionRows) }));

function criterionRows({ entity, lines }: Document, id: string): Row[] {
  return (entity?.criteria ?? []).map(({ number, checked, text, start, section }) => ({
    id,
    n: number,
    text,
    checked: Number(checked),
    section: headingOf(entity?.sections[section]),
    line: lines.lineAt(start) + 1,
  }));
}

function headingOf(section: Section | undefined): string | null {
  return section === undefined || section.level === 0 ? null : section.name;
}

export const sectionsTable = planTable({
  name: "sections",
  columns: {
    id: "the entity",
    heading: "as plan_get names it; null for the text below the title",
    level: "1 or 2; 0 for the text below the title",
    line: "of the heading, in the file",
    text: "below the heading, to the next heading of these levels",
  },
  numbers: ["level", "line"],
  keys: ["id"],
}, (plan) => ({ parts: () => tableParts(plan, sectionRows) }));

function sectionRows(document: Document, id: string): Row[] {
  const sections = document.entity?.sections ?? [];
  return sections.filter(({ level, content: { start, end } }) => level > 0 || start < end)
    .map((section) => ({
      id,
      heading: headingOf(section),
      level: section.level,
      line: document.lines.lineAt((section.level === 0 ? section.content : section).start) + 1,
      text: contentOf(document, section.content),
    }));
}

/** One part a file, so that an edit reads one file again. */
function tableParts(plan: PlanView, rowsOf: (document: Document, id: string) => Row[]) {
  return plan.entities.map((item) => ({
    key: item.source,
    rows: () => rowsOf(read(sourceText(plan, item)), item.id),
  }));
}

export const refsTable = planTable({
  name: "refs",
  columns: {
    id: "the entity with the reference",
    to_id: "the entity that it points to, even if that does not exist",
    kind: "depends, blocks, source or mentions: the first that applies",
    line: "of the reference, in the file of id",
  },
  numbers: ["line"],
  keys: ["id", "to_id"],
}, (plan) => ({ rows: () => plan.entities.values().flatMap((item) => refRows(plan, item)) }));

function refRows(plan: PlanView, item: Entity): Row[] {
  const kinds = pointersFrom(plan.find, item);
  if (kinds.size === 0) return [];
  const lineOf = referenceLines(plan, item);
  return [...kinds].map(([to_id, kind]) => ({
    id: item.id,
    to_id,
    kind,
    line: lineOf(to_id, kind),
  }));
}

export const linesTable = planTable({
  name: "lines",
  columns: {
    path: "of the plan file or page, relative to the project",
    n: "from 1",
    text: "",
    in_code: "1: in a code block",
    site: "null for files of the plan",
  },
  numbers: ["n", "in_code"],
  keys: ["path,n"],
}, ({ cwd, dir, files }) => ({
  parts: () =>
    files.filter(({ unreadable }) => unreadable === undefined)
      .map((file) => ({ key: file, rows: () => lineRows(cwd, join(dir, file.file)) })),
}));

function lineRows(cwd: string, file: string): Row[] {
  const path = shownPath(cwd, file);
  return linesIn(plainOf(readInside(cwd, file, "plan")))
    .map((line, at) => ({ path, n: at + 1, ...line, in_code: Number(line.in_code) }));
}
