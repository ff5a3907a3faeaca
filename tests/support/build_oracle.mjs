/**
 * Builds a site as `create-refrakt`'s HTML build does it, with the real packages under Node,
 * and prints the content of every page as HTML. What the server says it leaves out is left
 * out here: the layout, the highlighter, the dates from git.
 *
 * Run: `node build_oracle.mjs <folder with the packages> [site]`, in the project.
 */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [, , from, site] = process.argv;
const require = createRequire(`${from}/package.json`);
const load = (name) => import(pathToFileURL(require.resolve(name)).href);

const { createRefraktLoader } = await load("@refrakt-md/content");
const { renderToHtml } = await load("@refrakt-md/transform");
const { serializeTree } = await load("@refrakt-md/runes");
const loader = createRefraktLoader({ configPath: "refrakt.config.json", site });
const [{ pages }, transform] = [await loader.getSite(), await loader.getTransform()];
const built = pages.map(({ route, renderable }) => [
  route.url,
  renderToHtml(transform(serializeTree(renderable)), { pretty: false }),
]);
process.stdout.write(JSON.stringify(Object.fromEntries(built)));
