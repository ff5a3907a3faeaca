/**
 * Builds sites as `create-refrakt`'s HTML build does it, with the real packages under Node,
 * and prints the content of every page as HTML, one object a site. What the server says it
 * leaves out is left out here: the layout, the highlighter, the dates from git.
 *
 * Run: `node build_oracle.mjs <folder with the packages> <project>[#site]…`.
 */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [, , from, ...projects] = process.argv;
const require = createRequire(`${from}/package.json`);
const load = (name) => import(pathToFileURL(require.resolve(name)).href);

const { createRefraktLoader } = await load("@refrakt-md/content");
const { renderToHtml } = await load("@refrakt-md/transform");
const { serializeTree } = await load("@refrakt-md/runes");

const results = [];
for (const project of projects) {
  const [folder, site] = project.split("#");
  process.chdir(folder);
  const loader = createRefraktLoader({ configPath: "refrakt.config.json", site });
  const [{ pages }, transform] = [await loader.getSite(), await loader.getTransform()];
  const built = pages.map(({ route, renderable }) => [
    route.url,
    renderToHtml(transform(serializeTree(renderable)), { pretty: false }),
  ]);
  results.push(Object.fromEntries(built));
}
process.stdout.write(JSON.stringify(results));
