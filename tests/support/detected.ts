/** The detection report as it is when nothing is being loaded any more. */

import type { Session } from "./server.ts";

/** A report, as far as it is looked at here. */
interface Report {
  warnings: { code: string }[];
  sites: { packages?: unknown; problem?: string }[] | null;
}

/** Asks until every plugin has arrived and every site was tried: a busy machine takes a while. */
export async function detected(
  ok: Session["ok"],
): Promise<Awaited<ReturnType<Session["ok"]>>> {
  for (;;) {
    const report: Report = await ok("refrakt.detect");
    const isLoading = report.warnings.some(({ code }) => code === "PLUGINS_LOADING") ||
      report.sites?.some(({ packages, problem }) =>
        packages === undefined && problem === undefined
      );
    if (!isLoading) return report;
  }
}
