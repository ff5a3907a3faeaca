import assert from "node:assert/strict";
import { PLAN_BOARD_URI, PREVIEW_URI } from "../../../plugins/board/mod.ts";
import { buildView, VIEWS as BUILT } from "../../../.ci/views.ts";
import { PLAN_BOARD } from "../../../plugins/board/plan_board.ts";
import { PREVIEW } from "../../../plugins/board/preview.ts";
import { copyExample } from "../../support/run.ts";
import { ERAS, withClients } from "../../support/in_process.ts";
import { ROOT } from "../../support/server.ts";

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

Deno.test("views and their tools are listed only to hosts that show views, in both eras, and others may use them", () =>
  withClients({ cwd: copyExample("site-and-plan") }, async (connect) => {
    const views = [
      ["plan_board", PLAN_BOARD_URI, PLAN_BOARD],
      ["refrakt_preview", PREVIEW_URI, PREVIEW],
    ] as const;
    for (const era of ERAS) {
      for (const capabilities of [VIEWS, {}]) {
        const isAnnounced = capabilities === VIEWS;
        await connect(async (client) => {
          const { tools } = await client.listTools();
          const { resources } = await client.listResources();
          for (const [tool, uri, document] of views) {
            const listed = tools.find(({ name }) => name === tool);
            assert.deepEqual(listed?._meta?.["ui"], isAnnounced ? { resourceUri: uri } : undefined);
            assert.equal(resources.some((each) => each.uri === uri), isAnnounced, era);
            const { contents: [content] } = await client.readResource({ uri });
            assert.equal((content as { text: string }).text, document);
          }
          const preview = { name: "refrakt_preview", arguments: { rune: "hint" } };
          assert.equal(Object((await client.callTool(preview)).structuredContent).kind, "rune");
        }, { era, capabilities });
      }
    }
  }));
