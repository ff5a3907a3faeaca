/** The tables of the plan. */

import type { Table } from "../../../src/plugin/context.ts";
import { criteriaTable, linesTable, refsTable, sectionsTable } from "./contents.ts";
import { attributesTable, elsewhereTable, entitiesTable } from "./entities.ts";
import { commitEntitiesTable, commitsTable, durationsTable, eventsTable } from "./history.ts";

export const planTables: readonly Table[] = [
  entitiesTable,
  attributesTable,
  criteriaTable,
  sectionsTable,
  refsTable,
  eventsTable,
  durationsTable,
  commitsTable,
  commitEntitiesTable,
  elsewhereTable,
  linesTable,
];
