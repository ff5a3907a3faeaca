import assert from "node:assert/strict";
import { fitted } from "../../../../plugins/board/view/widths.ts";

Deno.test("a phone is as wide as a phone, and narrower where there is less room", () => {
  assert.deepEqual(fitted("phone", { width: 900, height: 600 }), {
    width: 375,
    height: 600,
    scale: 1,
    shown: 375,
  });
  const small = fitted("phone", { width: 300, height: 480 });
  assert.deepEqual([small.width, small.shown, small.scale, small.height], [375, 300, 0.8, 600]);
});

Deno.test("a desktop takes all the room, and is made smaller to fit", () => {
  assert.deepEqual(fitted("desktop", { width: 640, height: 400 }), {
    width: 1280,
    height: 800,
    scale: 0.5,
    shown: 640,
  });
  assert.equal(fitted("desktop", { width: 1600, height: 400 }).width, 1600);
});
