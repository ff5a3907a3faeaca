/**
 * What the engine can be asked: the name, input and result of every method. All of it
 * is plain JSON data, so that the engine may run in a Worker.
 *
 * @module
 */

import type { Audit, AuditInput } from "./audit_styles.ts";
import type { Checked, CheckInput } from "./check_pages.ts";
import type { SiteDiagnosis } from "./diagnose.ts";
import type { Reference, ReferenceInput } from "./describe_runes.ts";
import type { InspectInput } from "./inspect_rune.ts";
import type { PackageSourceInput, PackageValidation } from "./lint_package.ts";
import type { RuneList } from "./list_runes.ts";
import type { ContractInput } from "./structure_contract.ts";
import type { Preview, PreviewInput } from "./preview.ts";
import type { FoundPages, PageQuery } from "./query_pages.ts";
import type { RenderedPage, RenderInput } from "./render_page.ts";
import type { StructureContract } from "./shapes.ts";
import type { WithWarnings } from "./site.ts";
import type { ThemeValidation, ValidateInput } from "./validate_theme.ts";

/** The site that a method is about; it may be left out where the project has one. */
export interface OfSite {
  /** The name of the site. */
  readonly site?: string | undefined;
}

/** A method that answers with data that has no type of its own here. */
type Facts = Record<string, unknown>;

/** The methods by name. */
export interface Methods {
  /** Assembles every site of the project, so that the first question finds it ready. */
  warm: { input: Record<string, never>; result: null };
  /** Every name that a rune of the site goes by. */
  runeNames: { input: OfSite; result: readonly string[] };
  /** The runes of a site. */
  listRunes: { input: OfSite & { readonly variants: boolean }; result: RuneList & WithWarnings };
  /** A rune's example, rendered. */
  inspectRune: { input: OfSite & InspectInput; result: Facts };
  /** What a page becomes. */
  renderPage: { input: OfSite & RenderInput; result: RenderedPage };
  /** A page or a rune as the theme shows it. */
  preview: { input: OfSite & PreviewInput; result: Preview };
  /** What is wrong with the pages of a site. */
  checkPages: { input: OfSite & CheckInput; result: Checked };
  /** The pages of a site by what they use, lack and lead to. */
  queryPages: { input: OfSite & PageQuery; result: FoundPages };
  /** The structure contract of a site, and what could not be loaded. */
  contract: {
    input: OfSite & ContractInput;
    result: StructureContract & WithWarnings;
  };
  /** How runes are written. */
  describeRunes: { input: OfSite & ReferenceInput; result: Reference };
  /** Which selectors the theme styles. */
  auditStyles: { input: OfSite & AuditInput; result: Audit };
  /** Whether theme configuration and manifest are well formed. */
  validateTheme: { input: OfSite & ValidateInput; result: ThemeValidation };
  /** Whether a rune package is ready to be published. */
  lintPackage: { input: PackageSourceInput; result: PackageValidation };
  /** What a site is made of, and what of it cannot be loaded. */
  diagnose: { input: OfSite; result: SiteDiagnosis };
  /** The translatable texts of a site's runes. */
  i18nKeys: { input: OfSite; result: Facts };
}

/** The name of a method. */
export type MethodName = keyof Methods;

/** What a method takes. */
export type InputOf<Name extends MethodName> = Methods[Name]["input"];

/** What a method answers. */
export type ResultOf<Name extends MethodName> = Methods[Name]["result"];
