// What the build of a site makes of its pages: run in the project's folder, prints JSON.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(`${process.cwd()}/_`);
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const [{ createRefraktLoader }, { renderToHtml }, { serializeTree }] = await Promise.all(
  ["content", "transform", "runes"].map((name) => load(`@refrakt-md/${name}`)),
);
const loader = createRefraktLoader({ configPath: "./refrakt.config.json", site: process.argv[2] });
const site = await loader.getSite();
const transform = await loader.getTransform();
const pages = site.pages.filter(({ route }) => !route.filePath.startsWith("<")).map((page) => [
  page.route.filePath,
  renderToHtml(transform(serializeTree(page.renderable)), { pretty: false }),
]);
const messages = site.pipelineWarnings.filter(({ severity }) => severity !== "info")
  .map(({ url, message }) => ({ url, message }));
process.stdout.write(JSON.stringify({ pages: Object.fromEntries(pages), messages }));
