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

  Deno.test(`the built ${name} matches its source`, async () => {
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
    const { byteLength } = await zipped.arrayBuffer();
    const isBoard = document === PLAN_BOARD;
    assert.ok(document.length <= (isBoard ? 82_000 : 55_000), `${document.length} bytes`);
    assert.ok(byteLength <= 28_500, `${byteLength} bytes gzipped`);
  });
}

Deno.test("views are listed only to hosts that support them", async () => {
  const views = [
    ["plan", "plan.board", PLAN_BOARD_URI, PLAN_BOARD],
    ["site", "refrakt.preview", PREVIEW_URI, PREVIEW],
  ] as const;
  for (const [example, tool, uri, document] of views) {
    for (const capabilities of [VIEWS, {}]) {
      const isAnnounced = capabilities === VIEWS;
      await withServer(copyExample(example), async ({ client, read }) => {
        const { tools } = await client.listTools();
        const listed = tools.find(({ name }: { name: string }) => name === tool);
        assert.deepEqual(listed?._meta?.["ui"], isAnnounced ? { resourceUri: uri } : undefined);
        const { resources } = await client.listResources();
        assert.equal(resources.some((each: { uri: string }) => each.uri === uri), isAnnounced);
        assert.equal(await read(uri), document);
      }, { capabilities });
    }
  }
});
