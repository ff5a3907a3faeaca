/**
 * Two sets of hooks that `@refrakt-md/content` does not export: pages created from entities by
 * `entityRoutes`, and entities created from pages with a `type`.
 */

import { asObject, textOf } from "../../../../io/json.ts";
import type {
  BuiltPage,
  ContributedPage,
  PipelineHooks,
  RunesModule,
} from "../../upstream/shapes.ts";
import type { SiteContext } from "../../upstream/site.ts";

interface Entity {
  readonly id: string;
  readonly type: string;
  sourceUrl?: string | undefined;
  readonly data?: Readonly<Record<string, unknown>>;
}

interface Registry {
  getAll(type: string): Entity[];
  getById(type: string, id: string): Entity | undefined;
  register(entity: Entity): void;
}

interface Complaints {
  warn(message: string, url?: string): void;
  error(message: string, url?: string): void;
}

export function entityRouteHooks(
  { site, upstream: { runes } }: SiteContext,
  template: (name: string) => string | undefined,
): PipelineHooks {
  const { entityRoutes } = site.raw;
  const routes = Array.isArray(entityRoutes) ? entityRoutes.map(asObject) : [];
  return {
    contributePages: (context: Complaints & { readonly registry: Registry }): ContributedPage[] =>
      routes.flatMap((route) => {
        const content = contentOf(route, template, context);
        const [types, pattern] = [textOf(route["type"]), textOf(route["url"])];
        if (content === undefined || types === undefined || pattern === undefined) return [];
        return types.split(",").flatMap((type) => context.registry.getAll(type.trim()))
          .filter(chosenBy(runes, route["filter"]))
          .map((entity) => pageOf(entity, route, pattern, content));
      }),
  };
}

/** The Markdoc of a route; `undefined` after an error. */
function contentOf(
  route: Readonly<Record<string, unknown>>,
  template: (name: string) => string | undefined,
  context: Complaints,
): string | undefined {
  const [inline, name] = [textOf(route["render"]), textOf(route["render-template"])];
  if (inline && name) {
    context.error(
      `entityRoutes: rule for type "${route["type"]}" sets both render and render-template`,
    );
    return undefined;
  }
  if (!name) return inline ?? "";
  const content = template(name);
  if (content === undefined) {
    context.error(`entityRoutes: render-template "${name}" could not be resolved`);
  }
  return content;
}

function pageOf(
  entity: Entity,
  route: Readonly<Record<string, unknown>>,
  pattern: string,
  content: string,
): ContributedPage {
  const fields = { id: entity.id, type: entity.type, sourceUrl: entity.sourceUrl, ...entity.data };
  const url = filled(
    pattern,
    fields,
    (value) => value.split("/").map(encodeURIComponent).join("/"),
  );
  const title = textOf(route["title"]);
  const before = entity.sourceUrl || String(entity.data?.["url"] ?? "");
  entity.sourceUrl = url;
  const frontmatter = Object.entries(asObject(route["frontmatter"])).map(([name, value]) =>
    [name, typeof value === "string" ? filled(value, fields, String) : value] as const
  );
  return {
    url,
    ...(title === undefined ? {} : { title: filled(title, fields, String) }),
    frontmatter: Object.fromEntries(frontmatter),
    content,
    variables: {
      item: {
        ...entity.data,
        id: entity.id,
        type: entity.type,
        url: before,
        data: entity.data ?? {},
      },
    },
  };
}

function chosenBy(runes: RunesModule, filter: unknown): (entity: Entity) => boolean {
  if (typeof filter !== "string" || filter === "") return () => true;
  const parsed = runes.parseFieldMatch(filter);
  return (entity) => runes.matchesFieldMatch(entity, parsed);
}

/** Fills a pattern such as `/work/{id}/` with an entity's fields. */
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

/** Registers pages with a `type` or a matching route rule as entities. */
export function pageEntityHooks({ site, upstream: { transform } }: SiteContext): PipelineHooks {
  const { routeRules = [] } = site.raw;
  return {
    register(
      pages: readonly Pick<
        BuiltPage & { url: string; title: string },
        "url" | "title" | "frontmatter"
      >[],
      registry: Registry,
      context: Complaints,
    ) {
      for (const page of pages) {
        const own = textOf(page.frontmatter["type"])?.trim();
        const type = own || transform.matchRouteEntity(page.url, routeRules);
        if (!type) continue;
        const id = textOf(page.frontmatter["id"])?.trim() || page.url;
        const data = registry.getById("page", page.url)?.data ??
          { url: page.url, title: page.title };
        const existing = registry.getById(type, id);
        if (existing !== undefined && existing.sourceUrl !== page.url) {
          context.warn(
            `Entity '${type}:${id}' already registered from '${existing.sourceUrl}'`,
            page.url,
          );
        }
        registry.register({ type, id, sourceUrl: page.url, data: { ...data } });
      }
    },
  };
}
