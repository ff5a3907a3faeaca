import assert from "node:assert/strict";
import { PLAN_BOARD_URI } from "../../../plugins/board/plugin.ts";
import { buildView, VIEWS as BUILT } from "../../../.ci/views.ts";
import { PLAN_BOARD } from "../../../plugins/board/plan_board.ts";
import { FRAME, PREVIEW } from "../../../plugins/board/preview.ts";
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
    assert.doesNotMatch(FRAME, /\bfetch\(|XMLHttpRequest|WebSocket/);
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
    assert.ok(document.length <= 75_000, `${document.length} bytes`);
    assert.ok(byteLength <= 28_500, `${byteLength} bytes gzipped`);
  });
}

Deno.test("the board is listed only to hosts that show views, in both eras, and others may use it", () =>
  withClients({ cwd: copyExample("site-and-plan") }, async (connect) => {
    for (const era of ERAS) {
      for (const capabilities of [VIEWS, {}]) {
        const isAnnounced = capabilities === VIEWS;
        await connect(async (client) => {
          const { tools } = await client.listTools();
          const { resources } = await client.listResources();
          const views = resources.filter(({ uri }) => uri.startsWith("ui:")).map(({ uri }) => uri);
          assert.deepEqual(views, isAnnounced ? [PLAN_BOARD_URI] : [], era);
          const listed = tools.filter(({ _meta }) => _meta?.["ui"] !== undefined);
          assert.deepEqual(
            listed.map(({ name, _meta }) => [name, _meta!["ui"]]),
            isAnnounced ? [["plan_board", { resourceUri: PLAN_BOARD_URI }]] : [],
          );
          const { contents: [content] } = await client.readResource({ uri: PLAN_BOARD_URI });
          assert.equal((content as { text: string }).text, PLAN_BOARD);
        }, { era, capabilities });
      }
    }
  }));
