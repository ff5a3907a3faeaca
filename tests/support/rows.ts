/** The rows of `plan_list` as objects. */

interface TableAnswer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly same?: Readonly<Record<string, unknown>>;
}

/** Each row with the values of its cells, and with what all rows have. */
// deno-lint-ignore no-explicit-any -- rows as a client sees them
export function itemsOf(answer: unknown): any[] {
  const { columns, rows, same = {} } = answer as TableAnswer;
  return rows.map((row) => {
    const cells = columns.map((name, at) => [name, row[at] ?? undefined] as const);
    return { ...Object.fromEntries(cells.filter(([, value]) => value !== undefined)), ...same };
  });
}
