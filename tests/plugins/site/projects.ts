/** Projects that the site tests share. */

import { makeProject } from "../../support/project.ts";

const SCOPE = "@refrakt-md/";
export const MARKETING = `${SCOPE}marketing`;
export const DOCS = `${SCOPE}docs`;
export const PLAN = `${SCOPE}plan`;
export const LUMINA = `${SCOPE}lumina`;

/** Without imports, so that Node can load it from anywhere. */
export const PLAIN_RUNE = `export const transform = {
  attributes: { tone: { type: String, matches: ["calm", "loud"] } },
  transform(node, config) {
    const tone = node.attributes.tone ?? "calm";
    const children = node.transformChildren(config);
    return { $$mdtype: "Tag", name: "aside", attributes: { "data-rune": "mood", "data-tone": tone }, children };
  },
};
`;

/** `config` becomes `refrakt.config.json`. */
export function project(config: unknown, files: Record<string, string> = {}): string {
  return makeProject({ "refrakt.config.json": JSON.stringify(config, null, 2), ...files });
}

/** One site with all plugins; `runes` configures aliases and local runes. */
export function singleSite(
  runes?: Record<string, unknown>,
  files: Record<string, string> = {},
): string {
  const site = { contentDir: "./content", theme: LUMINA, plugins: [MARKETING, DOCS, PLAN] };
  return project({ site: runes === undefined ? site : { ...site, runes } }, files);
}

/** A site of core runes only. */
export function coreSite(site: Record<string, unknown> = {}, files: Record<string, string> = {}) {
  return project({ site: { contentDir: "./content", ...site } }, files);
}

export function twoSites(): string {
  return project({
    sites: {
      main: { contentDir: "./main", theme: LUMINA, plugins: [MARKETING, DOCS] },
      blog: { contentDir: "./blog", theme: LUMINA, plugins: [PLAN] },
    },
  });
}
