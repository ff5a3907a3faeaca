/** The plan's tables for `refrakt.query`. */

import type { Table } from "../../../src/tools/tables.ts";
import type { PlanPlugin } from "../store/loaded.ts";
import { criteriaTable, linesTable, refsTable, sectionsTable } from "./contents.ts";
import { attributesTable, elsewhereTable, entitiesTable } from "./entities.ts";
import { commitEntitiesTable, commitsTable, durationsTable, eventsTable } from "./history.ts";

export function planTables(plugin: PlanPlugin): Table[] {
  return [
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
  ].map((declare) => declare(plugin));
}
