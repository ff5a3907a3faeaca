/**
 * The pages that a site's `entityRoutes` make of entities: their addresses, which links to
 * the entities take. What stands on them is not built.
 *
 * @module
 */

import { asObject, textOf } from "../../../io/json.ts";
import type { BuiltPage, PipelineHooks, RunesModule } from "../shapes.ts";
import type { SiteContext } from "../site.ts";

/** An entity as the registry of the build has it. */
interface Entity {
  readonly id: string;
  readonly type: string;
  sourceUrl?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** A page that is made of an entity. */
interface ContributedPage {
  readonly url: string;
  readonly title?: string;
}

/** What a hook that contributes pages gets. */
interface Contribution {
  readonly registry: { getAll(type: string): Entity[] };
}

/** The hooks that give entities the addresses of their pages. */
export function entityRouteHooks({ site, upstream: { runes } }: SiteContext): PipelineHooks {
  const { entityRoutes } = site.raw;
  const routes = Array.isArray(entityRoutes) ? entityRoutes.map(asObject) : [];
  return {
    contributePages: ({ registry }: Contribution): ContributedPage[] =>
      routes.filter(isRoute).flatMap((route) =>
        route.type.split(",").flatMap((type) => registry.getAll(type.trim()))
          .filter(chosenBy(runes, route["filter"]))
          .map((entity) => {
            const fields = { id: entity.id, type: entity.type, ...entity.data };
            const url = filled(route.url, fields, encodePath);
            const title = textOf(route["title"]);
            entity.sourceUrl = url;
            return {
              url,
              ...(title === undefined ? {} : { title: filled(title, fields, String) }),
            };
          })
      ),
  };
}

/** A contributed page as the passes see it: without what stands on it. */
export function contributedPage(
  { upstream: { markdoc, runes } }: SiteContext,
  { url, title }: ContributedPage,
): BuiltPage {
  return {
    route: { url: url.startsWith("/") ? url : `/${url}`, filePath: `<${url}>`, draft: false },
    frontmatter: title === undefined ? {} : { title },
    content: "",
    renderable: markdoc.transform(markdoc.parse(""), { tags: {}, nodes: runes.nodes }),
    headings: [],
    layout: { chain: [], regions: new Map() },
    seo: {},
  };
}

/** Whether a route can make pages: the build ignores one with two templates. */
function isRoute(
  route: Record<string, unknown>,
): route is Record<string, unknown> & { type: string; url: string } {
  return typeof route["type"] === "string" && typeof route["url"] === "string" &&
    !(route["render"] && route["render-template"]);
}

function chosenBy(runes: RunesModule, filter: unknown): (entity: Entity) => boolean {
  const { parseFieldMatch, matchesFieldMatch } = runes;
  if (typeof filter !== "string" || filter === "") return () => true;
  if (parseFieldMatch === undefined || matchesFieldMatch === undefined) return () => true;
  const parsed = parseFieldMatch(filter);
  return (entity) => matchesFieldMatch(entity, parsed);
}

/** Puts the fields of an entity into a pattern such as `/work/{id}/`. */
function filled(
  pattern: string,
  fields: Readonly<Record<string, unknown>>,
  written: (value: string) => string,
): string {
  return pattern.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return value === undefined || value === null ? "" : written(String(value));
  });
}

function encodePath(value: string): string {
  return value.split("/").map(encodeURIComponent).join("/");
}
