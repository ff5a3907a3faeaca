import assert from "node:assert/strict";
import { idOf, type Line, readLines } from "../../src/mcp/framing.ts";

async function* stream(...chunks: string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield await Promise.resolve(new TextEncoder().encode(chunk));
}

async function linesOf(chunks: string[], most?: number): Promise<Line[]> {
  return await Array.fromAsync(readLines(stream(...chunks), most));
}

Deno.test("lines are the same however the bytes are cut", async () => {
  const text = '{"a":"é😀"}\n\n{"b":1}\r\nthe last one';
  const bytes = new TextEncoder().encode(text);
  async function* single(): AsyncGenerator<Uint8Array> {
    for (const byte of bytes) yield await Promise.resolve(new Uint8Array([byte]));
  }
  const wanted = text.split("\n").map((line) => ({ text: line }));
  assert.deepEqual(await linesOf([text]), wanted);
  assert.deepEqual(await Array.fromAsync(readLines(single())), wanted);
});

Deno.test("of a line that is too long the two ends are kept, and the next line is read", async () => {
  const long = `{"id":7,${"x".repeat(5000)}}`;
  for (const chunks of [[`${long}\nnext\n`], [...long].concat(["\n", "next"])]) {
    const [first, second] = await linesOf(chunks, 1000);
    assert.deepEqual(second, { text: "next" });
    const { head, tail } = first as { head: string; tail: string };
    assert.ok(long.startsWith(head) && long.endsWith(tail) && tail.length === 512);
  }
});

Deno.test("the id of a message that is too long is found where clients write it, and nowhere else", () => {
  const filler = "x".repeat(10);
  assert.equal(idOf({ head: '{"jsonrpc":"2.0","id":7,"method":"a', tail: filler }), 7);
  assert.equal(idOf({ head: '{"id":"a b", "method":', tail: filler }), "a b");
  assert.equal(idOf({ head: '{"method":"a"', tail: '"}},"jsonrpc":"2.0","id":9}' }), 9);
  assert.equal(idOf({ head: '{"method":"a"', tail: '"}},"id":"z","jsonrpc":"2.0"}' }), "z");
  assert.equal(idOf({ head: '{"params":{"id":1,', tail: '"id":5}}' }), null);
});
