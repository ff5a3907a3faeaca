/** The detection report after all loading has finished. */

import type { Session } from "./server.ts";

interface Report {
  warnings: { code: string }[];
  sites: { packages?: unknown; problem?: string }[] | null;
}

/** Polls until every plugin is loaded and every site was tried. */
export async function detected(ok: Session["ok"]): Promise<Awaited<ReturnType<Session["ok"]>>> {
  for (;;) {
    const report: Report = await ok("refrakt_detect");
    const isLoading = report.warnings.some(({ code }) => code === "PLUGINS_LOADING") ||
      report.sites?.some(({ packages, problem }) =>
        packages === undefined && problem === undefined
      );
    if (!isLoading) return report;
  }
}
