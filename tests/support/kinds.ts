/** One small project of each kind, as `create-refrakt` lays them out. */

import type { Files } from "./project.ts";
import { SMALL_PLAN } from "./project.ts";

const json = (value: unknown) => JSON.stringify(value, null, 2);

const PEERS = { "@refrakt-md/runes": "~0.25.1", "@refrakt-md/transform": "~0.25.1" };

const RUNE = `import { createContentModelSchema } from "@refrakt-md/runes";
export const shout = createContentModelSchema({
  attributes: {},
  contentModel: { type: "sequence", fields: [{ name: "body", match: "any", optional: true, greedy: true }] },
  transform: () => null,
});
`;

const PAGES: Files = {
  "content/index.md": "---\ntitle: Home\n---\n\n# Home\n",
  "refrakt.config.json": json({
    site: { contentDir: "content", theme: "@refrakt-md/lumina", target: "html" },
  }),
};

/** The files of each kind, and whether its packages are installed. */
export const KINDS: Readonly<Record<string, { readonly files: Files; readonly bare?: true }>> = {
  "bare site": { files: { ...PAGES, "package.json": json({ private: true }) }, bare: true },
  site: { files: { ...PAGES, "package.json": json({ private: true, dependencies: PEERS }) } },
  plan: {
    files: {
      ...SMALL_PLAN,
      "package.json": json({ private: true, devDependencies: { "@refrakt-md/plan": "~0.25.1" } }),
    },
  },
  theme: {
    files: {
      "package.json": json({
        name: "my-theme",
        version: "0.1.0",
        type: "module",
        exports: { ".": "./index.css", "./transform": { default: "./dist/config.js" } },
        peerDependencies: PEERS,
      }),
      "manifest.json": json({ name: "my-theme", designTokens: "./base.css", layouts: {} }),
      "index.css": "@import './base.css';\n",
      "base.css": ".rf-hint { color: red }\n",
      "src/config.ts": `import { baseConfig } from "@refrakt-md/runes";
import { mergeThemeConfig } from "@refrakt-md/transform";
export const themeConfig = mergeThemeConfig(baseConfig, { prefix: "mine" });
`,
    },
  },
  plugin: {
    files: {
      "package.json": json({
        name: "my-runes",
        version: "0.1.0",
        type: "module",
        main: "dist/index.js",
        peerDependencies: PEERS,
      }),
      "src/index.ts": `import { shout } from "./tags/shout.js";
const fixture = "{% shout %}\\nHey\\n{% /shout %}";
export default {
  name: "my-runes",
  version: "0.1.0",
  runes: { shout: { transform: shout, description: "Louder", fixture } },
};
`,
      "src/tags/shout.ts": RUNE,
    },
  },
  "preset pack": {
    files: {
      "package.json": json({ name: "my-presets", version: "0.1.0", exports: {} }),
      "presets.json": json({ name: "my-presets", presets: [] }),
    },
  },
  template: {
    files: {
      "template.json": json({ kind: "site", site: { theme: "@refrakt-md/lumina" } }),
      "content/index.md": "# Home\n",
    },
  },
  library: { files: { "package.json": json({ name: "lib", main: "index.js" }) } },
};
