/**
 * The lower bound of a warm call that checks every file: one `lstat` of each, in a loop.
 * `bench/plan.ts` runs it with the server's permissions, because each access is checked
 * against them.
 */

const ROUNDS = 9;

const files = [...markdown(`${Deno.cwd()}/plan`)];
const taken: number[] = [];
// The first loop is compiled.
for (let round = 0; round <= ROUNDS; round++) {
  const started = performance.now();
  for (const file of files) Deno.lstatSync(file);
  if (round > 0) taken.push(performance.now() - started);
}
const median = taken.sort((a, b) => a - b)[ROUNDS >> 1]!;
Deno.stdout.writeSync(new TextEncoder().encode(median.toFixed(1)));

function* markdown(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* markdown(path);
    else if (name.endsWith(".md")) yield path;
  }
}
