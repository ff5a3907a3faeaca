/**
 * What the detection report says of the sites.
 *
 * @module
 */

import type { Warning } from "../project/project.ts";
import type { SitePackage } from "../site/engine/diagnose.ts";

export type { SitePackage } from "../site/engine/diagnose.ts";

/** One site, with every package that it is made of. */
export interface SiteReport {
  /** The name of the site. */
  readonly site: string;
  /** Its packages; absent as long as they are being loaded. */
  readonly packages?: readonly SitePackage[];
  /** Why nothing can be said about it. */
  readonly problem?: string;
}

/** What is known of a project's sites, and what is wrong with them. */
export interface SitesReport {
  /** The sites; `null` where the project declares none. */
  readonly sites: readonly SiteReport[] | null;
  /** One warning for each package that cannot be loaded, and for each that changed since. */
  readonly warnings: readonly Warning[];
}
