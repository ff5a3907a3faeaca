import assert from "node:assert/strict";
import { PLAN_BOARD_URI, PREVIEW_URI } from "../../../plugins/board/mod.ts";
import { buildView, VIEWS as BUILT } from "../../../.ci/views.ts";
import { PLAN_BOARD } from "../../../plugins/board/plan_board.ts";
import { PREVIEW } from "../../../plugins/board/preview.ts";
import { copyExample } from "../../support/run.ts";
import { ROOT, withServer } from "../../support/server.ts";

const VIEWS = {
  extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } },
};

for (const name of ["board", "preview"] as const) {
  const document = name === "board" ? PLAN_BOARD : PREVIEW;

  Deno.test(`the built ${name} is what its source says`, async () => {
    assert.equal(
      await buildView(name),
      Deno.readTextFileSync(`${ROOT}${BUILT[name].out}`),
      "run deno task views",
    );
  });

  Deno.test(`the ${name} needs no network, and is small`, async () => {
    assert.doesNotMatch(document, /<link|<img|@import|url\(|\bfetch\(|XMLHttpRequest|WebSocket/);
    for (const { name: file } of Deno.readDirSync(`${ROOT}plugins/board/view`)) {
      assert.doesNotMatch(
        Deno.readTextFileSync(`${ROOT}plugins/board/view/${file}`),
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write/,
        file,
      );
    }
    const zipped = new Response(
      new Response(document).body!.pipeThrough(new CompressionStream("gzip")),
    );
    assert.ok((await zipped.arrayBuffer()).byteLength < 30_000);
  });
}

Deno.test("views are listed to hosts that announce them, and to nobody else", async () => {
  const cwd = copyExample("plan");
  for (const capabilities of [VIEWS, {}]) {
    const announced = capabilities === VIEWS;
    await withServer(cwd, async ({ client, ok, read }) => {
      const { tools } = await client.listTools();
      const board = tools.find(({ name }: { name: string }) => name === "plan.board");
      assert.deepEqual(
        board?._meta?.["ui"],
        announced ? { resourceUri: PLAN_BOARD_URI } : undefined,
      );
      const { resources } = await client.listResources();
      const uris = resources.map(({ uri }: { uri: string }) => uri);
      assert.equal(uris.includes(PLAN_BOARD_URI), announced);
      assert.equal(await read(PLAN_BOARD_URI), PLAN_BOARD);
      const { total, columns, stamp } = await ok("plan.board");
      assert.equal(
        columns.reduce((sum: number, { count }: { count: number }) => sum + count, 0),
        total,
      );
      assert.match(stamp, /^[0-9a-f]{16}$/);
    }, { capabilities });
  }
});

Deno.test("the preview names its view to hosts that show views, once the project has a site", async () => {
  for (const capabilities of [VIEWS, {}]) {
    await withServer(copyExample("site"), async ({ client, read }) => {
      const { tools } = await client.listTools();
      const preview = tools.find(({ name }: { name: string }) => name === "refrakt.preview");
      assert.deepEqual(
        preview?._meta?.["ui"],
        capabilities === VIEWS ? { resourceUri: PREVIEW_URI } : undefined,
      );
      assert.equal(await read(PREVIEW_URI), PREVIEW);
    }, { capabilities });
  }
});
