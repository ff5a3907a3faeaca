/** Loads the site engine at the first call, so that lists do not wait for its modules. */

export async function siteEngine() {
  return (await import("./mod.ts")).engine;
}

export type SiteEngine = Awaited<ReturnType<typeof siteEngine>>;

/** What a check of pages finds. */
export type Findings = Awaited<ReturnType<SiteEngine["checkPages"]>>;
