import assert from "node:assert/strict";
import { join } from "node:path";
import { detected } from "../support/detected.ts";
import { installPackages } from "../support/installed.ts";
import { publish } from "../support/published.ts";
import { configFor, SCOPE } from "../support/registry.ts";
import { exists, makeProject, SMALL_PLAN } from "../support/project.ts";
import { ISOLATED } from "../support/run.ts";
import { withServer } from "../support/server.ts";

const PERMISSIONS = ["--no-prompt", "--allow-read=.", "--allow-write=plan,specs"];

/** A plugin that numbers its Workers. */
const PLUGIN = `
const worker = crypto.randomUUID();
let calls = 0;
const count = () => ({ worker, calls: ++calls });
const write = (path) => { Deno.writeTextFileSync(path, worker); return count(); };
const values = ["ada", "alan"];
const complete = (argument, value, context, others) =>
  values.filter((name) => name.startsWith(value)).map((name) => [argument, name, others.other ?? ""].join(":"));
export default {
  namespace: "made",
  commands: [
    { name: "count", description: "Counts.", mcpHandler: count },
    { name: "again", description: "Counts.", mcpHandler: count },
    { name: "inplan", description: "Writes.", writes: ["plan"], mcpHandler: () => write("plan/a.md") },
    { name: "inspecs", description: "Writes.", writes: ["specs"], mcpHandler: () => write("specs/a.md") },
    { name: "elsewhere", description: "Writes.", writes: ["plan"], mcpHandler: () => write("specs/b.md") },
    { name: "told", description: "Is told.", mcpHandler: (input, { cwd, planDir }) => ({ cwd, planDir, input }) },
    { name: "argv", description: "Prints.", handler: (args) => console.log(JSON.stringify(args)) },
    { name: "oops", description: "Fails.", mcpHandler: () => {
      throw Object.assign(new Error("Not so"), { errorCode: "VALIDATION_ERROR", hint: "Otherwise." }); } },
  ],
  resources: [{
    uri: "refrakt://made/note/{name}", name: "note", title: "A note", description: "One.",
    mimeType: "text/plain", complete, read: ({ name }) => ({ text: "About " + name }),
  }],
  prompts: [{
    name: "made_talk", title: "Talk", description: "One.", arguments: [{ name: "who" }, { name: "other" }],
    complete, render: ({ who }) => [{ role: "assistant", content: "Talk to " + who }],
  }],
};
`;

Deno.test("an isolated plugin works completely, with a Worker for each set of writable folders", async (t) => {
  await using server = await publish();
  const cwd = makeProject({
    ...SMALL_PLAN,
    "package.json": JSON.stringify({ dependencies: { [`${SCOPE}/made`]: "^2.0.0" } }),
    "refrakt.config.json": configFor("made"),
    "specs/keep.md": "",
  });
  installPackages(cwd, [{ name: "made", plugin: PLUGIN, version: "2.1.0" }]);
  await withServer(cwd, async ({ ok, call, read, client }) => {
    await t.step("the report has the version loaded in the Worker", async () => {
      const { plugins } = await detected(ok);
      const made = plugins.find(({ namespace }: { namespace: string }) => namespace === "made");
      assert.deepEqual([made.packageName, made.packageVersion], [`${SCOPE}/made`, "2.1.0"]);
      assert.equal(made.origin, "node_modules");
    });
    await t.step(
      "commands that write nothing share a Worker, others have their own",
      async () => {
        const [first, second] = [await ok("made.count"), await ok("made.again")];
        assert.deepEqual([second.worker, second.calls], [first.worker, first.calls + 1]);
        const [plan, specs] = [await ok("made.inplan"), await ok("made.inspecs")];
        assert.equal(new Set([first.worker, plan.worker, specs.worker]).size, 3);
        assert.equal(Deno.readTextFileSync(join(cwd, "plan/a.md")), plan.worker);
        const refused = await call("made.elsewhere");
        assert.equal(refused.errorCode, "PERMISSION_DENIED");
        assert.match(refused.hint!, /declares in "writes"/);
        assert.ok(!exists(join(cwd, "specs/b.md")));
      },
    );
    await t.step(
      "a handler is told of the project, and its error keeps code and hint",
      async () => {
        assert.deepEqual(await ok("made.told", { a: [1] }), {
          cwd,
          planDir: join(cwd, "plan"),
          input: { a: [1] },
        });
        assert.deepEqual(await ok("made.argv", { args: ["a", "--b"] }), { items: ["a", "--b"] });
        const failed = await call("made.oops");
        assert.deepEqual([failed.errorCode, failed.hint], [
          "VALIDATION_ERROR",
          `Plugin ${SCOPE}/made says: "Otherwise."`,
        ]);
      },
    );
    await t.step("resources are read, prompts rendered and arguments completed", async () => {
      assert.equal(await read("refrakt://made/note/x%20y"), "About x y");
      const { messages } = await client.getPrompt({
        name: "made_talk",
        arguments: { who: "Ada" },
      });
      assert.deepEqual(messages[0], {
        role: "assistant",
        content: { type: "text", text: "Talk to Ada" },
      });
      const complete = async (ref: Record<string, string>, name: string) =>
        (await client.complete({
          ref: ref as never,
          argument: { name, value: "al" },
          context: { arguments: { other: "o" } },
        })).completion.values;
      assert.deepEqual(await complete({ type: "ref/prompt", name: "made_talk" }, "who"), [
        "who:alan:o",
      ]);
      assert.deepEqual(
        await complete({ type: "ref/resource", uri: "refrakt://made/note/{name}" }, "name"),
        ["name:alan:o"],
      );
    });
  }, server.isolated([], PERMISSIONS));
});

Deno.test("a package without commands is neither a plugin nor a problem, also in a Worker", async () => {
  const cwd = makeProject({
    ...SMALL_PLAN,
    "package.json": JSON.stringify({ dependencies: { "@refrakt-md/marketing": "^0.25.0" } }),
    "refrakt.config.json": JSON.stringify({
      plugins: ["@refrakt-md/marketing"],
      site: { contentDir: "content", plugins: ["@refrakt-md/marketing"] },
    }),
    "content/index.md": "# Start\n",
  });
  await withServer(cwd, async ({ ok }) => {
    const { warnings, plugins } = await detected(ok);
    assert.deepEqual(warnings, []);
    assert.ok(
      !plugins.some(({ packageName }: { packageName: string }) => /market/.test(packageName)),
    );
  }, { grants: ISOLATED, args: ["--isolate"] });
});
