/** Projects as `create-refrakt` creates them. */

import { type Files, SMALL_PLAN } from "./project.ts";

const json = (value: unknown) => JSON.stringify(value, null, 2);

/** The dependencies of each kind of site, besides its framework's packages. */
const TARGETS: Readonly<Record<string, readonly string[]>> = {
  sveltekit: ["content", "highlight", "marketing", "runes", "svelte", "sveltekit", "transform"],
  html: ["behaviors", "content", "highlight", "html", "marketing", "runes", "transform"],
  astro: ["astro", "behaviors", "content", "marketing", "runes", "transform"],
};

const THEME = "@refrakt-md/lumina";

const asking = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [`@refrakt-md/${name}`, "~0.25.1"]));

const site = (target: string, plugins: readonly string[], more: Record<string, unknown> = {}) => ({
  contentDir: "./content",
  theme: THEME,
  target: target === "sveltekit" ? "svelte" : target,
  plugins: plugins.map((name) => `@refrakt-md/${name}`),
  routeRules: [{ pattern: "**", layout: "default" }],
  ...more,
});

const LAYOUT = `{% layout %}
{% region name="header" %}
# Harbour
{% /region %}
{% region name="nav" %}
{% nav %}
## Read
- docs/tides
{% /nav %}
{% /region %}
{% /layout %}
`;

const PAGES: Files = {
  "content/_layout.md": LAYOUT,
  "content/index.md":
    '---\ntitle: Harbour\n---\n\n{% cta %}\n# The harbour\n\n- [Tides](/docs/tides)\n{% /cta %}\n\n{% hint type="note" %}\nOpen.\n{% /hint %}\n',
  "content/docs/tides.md": "---\ntitle: Tides\n---\n\n# Tides\n\n1. High\n2. Low\n",
};

function siteOf(target: string): Files {
  const dependencies = {
    ...asking([...TARGETS[target]!, "types", "lumina"]),
    "@markdoc/markdoc": "^0.4.0",
  };
  return {
    ...PAGES,
    "package.json": json({ name: target, private: true, type: "module", dependencies }),
    "refrakt.config.json": json({ sites: { main: site(target, ["marketing"]) } }),
  };
}

/** Pages of entities, and pages that list them. */
const PLAN_SITE: Files = {
  ...SMALL_PLAN,
  "package.json": json({
    private: true,
    dependencies: asking([...TARGETS["html"]!, "plan", "lumina"]),
    devDependencies: asking(["cli"]),
  }),
  "refrakt.config.json": json({
    plan: { dir: "plan" },
    sites: {
      main: site("html", ["plan"], {
        entityRoutes: [
          {
            type: "work",
            url: "/work/{id}/",
            title: "{id} — {title}",
            render: "{% expand $item.id /%}",
          },
          { type: "bug,spec", url: "/{type}s/{id}/", render: "{% expand $item.id /%}" },
          { type: "decision", url: "/decisions/{id}/", filter: "status:accepted", render: "x" },
          { type: "milestone", url: "/milestones/{name}/", title: "{name}", render: "x" },
        ],
      }),
    },
  }),
  "content/index.md": "---\ntitle: Plan\n---\n\n{% plan-progress /%}\n",
  "content/work.md":
    '---\ntitle: Work\n---\n\n{% collection type="work,bug,spec" group="status" sort="id" /%}\n\nSee {% ref "WORK-001" /%}.\n',
  "content/decisions.md": '---\ntitle: Decisions\n---\n\n{% decision-log sort="date" /%}\n',
  "content/milestones.md":
    '---\ntitle: Milestones\n---\n\n{% collection type="milestone" /%}\n\n{% collection type="page" /%}\n',
};

/** A site created from a template: two plugins, and a preset of the theme. */
const TEMPLATE_SITE: Files = {
  ...siteOf("html"),
  "package.json": json({
    private: true,
    dependencies: asking([...TARGETS["html"]!, "types", "lumina", "docs"]),
  }),
  "refrakt.config.json": json({
    sites: {
      main: site("html", ["docs", "marketing"], {
        theme: { package: THEME, presets: [`${THEME}/presets/niwaki`] },
        routeRules: [{ pattern: "**", layout: "docs" }],
      }),
    },
  }),
};

/** Projects with a site. */
export const SITE_SCAFFOLDS: Readonly<Record<string, Files>> = {
  ...Object.fromEntries(Object.keys(TARGETS).map((target) => [target, siteOf(target)])),
  "plan site": PLAN_SITE,
  "site of a template": TEMPLATE_SITE,
};
