/** A plugin whose one tool imports what the test names, in every way that a package has. */

export const LOADER = "@refrakt-md/loader";

const SOURCE = `
import Module, { createRequire } from "node:module";
import process from "node:process";
const require = createRequire(import.meta.url);
const typed = (type) => (what) => import(what, { with: { type } });
const moduleOf = (source) => import("data:text/javascript," + encodeURIComponent(source));
const inside = (what) =>
  "export default (await import(" + JSON.stringify(what) + ", { with: { type: 'text' } })).default";
const answer = (worker) => new Promise((resolve, reject) => {
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = (event) => { event.preventDefault(); reject(new Error(event.message)); };
});
const ways = {
  import: (what) => import(what),
  text: typed("text"),
  json: typed("json"),
  static: (what) => moduleOf("export * from " + JSON.stringify(what)),
  data: (what) => moduleOf(inside(what)),
  blob: (what) => import(URL.createObjectURL(new Blob([inside(what)], { type: "text/javascript" }))),
  eval: (what) => new Function("what", "return import(what, { with: { type: 'text' } })")(what),
  run: (what) => new Function("return " + what)(),
  require,
  elsewhere: (what) => createRequire("/nowhere/x.js")(what),
  load: (what) => Module._load(what, null, false),
  builtin: (what) => process.getBuiltinModule("module").createRequire("/nowhere/y.js")(what),
  handler: (what) => {
    const module = new Module("/nowhere/z.js");
    Module._extensions[/\\.[^.]*$/.exec(what)[0]](module, what);
    return module.exports;
  },
  hooks: (what) => {
    Module.registerHooks({ resolve: (asked, context, next) =>
      asked === "x:y" ? { url: what, shortCircuit: true } : next(asked, context) });
    return typed("text")("x:y");
  },
  ownHooks: (what) => {
    const { constructor } = Object.getPrototypeOf(new Module("x"));
    constructor.registerHooks({ resolve: () => ({ url: what, shortCircuit: true }) });
    return typed("text")("x:z");
  },
  vm: async (what) => {
    const { Script, constants } = await import("node:vm");
    const source = "import(" + JSON.stringify(what) + ", { with: { type: 'text' } })";
    const importModuleDynamically = constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER;
    return await new Script(source, { importModuleDynamically }).runInThisContext();
  },
  worker: (what) => answer(new Worker(
    "data:text/javascript," + encodeURIComponent("postMessage(" + inside(what).slice(15) + ")"),
    { type: "module" },
  )),
  threads: async (what) => {
    const { Worker } = await import("node:worker_threads");
    return await new Promise((resolve, reject) => new Worker(
      "import(" + JSON.stringify(what) + ", { with: { type: 'text' } }).then((all) => " +
        "require('node:worker_threads').parentPort.postMessage(all.default))",
      { eval: true },
    ).on("message", resolve).on("error", reject));
  },
};
export default {
  namespace: "loader",
  commands: [{
    name: "load",
    description: "Imports a module.",
    handler: () => {},
    inputSchema: { type: "object", properties: { how: { type: "string" }, what: { type: "string" } } },
    mcpHandler: async ({ how, what }) => {
      const got = await ways[how](what);
      return { got: typeof got === "string" ? got : JSON.stringify(got) };
    },
  }],
};
`;

export function loaderPlugin(folder: string, name: string = LOADER): Record<string, string> {
  return {
    [`${folder}/package.json`]: JSON.stringify({
      name,
      version: "1.0.0",
      type: "module",
      exports: { ".": "./index.js", "./cli-plugin": "./index.js", "./own/*": "./*" },
      imports: { "#own": "./lazy.js" },
      dependencies: { good: "*" },
    }),
    [`${folder}/index.js`]: SOURCE,
    [`${folder}/lazy.js`]: "export const own = 'own lazy module';",
  };
}
