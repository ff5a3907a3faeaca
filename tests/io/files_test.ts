import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { removeFolder, removeIfThere, writeFileAtomic } from "../../src/io/files.ts";
import { createFile, readForChange, replaceFile } from "../../src/io/shared_files.ts";
import { writeFolder } from "../../src/io/write_folder.ts";
import { writeInFolders } from "../../src/io/write_together.ts";
import { type Files, linkTo, makeProject, readTree } from "../support/project.ts";
import { temporaryFile } from "../support/temporary.ts";

Deno.test("a file is replaced atomically, keeps its mode, and leaves no temporary file", () => {
  const cwd = makeProject({ "a.md": "old" });
  const path = join(cwd, "a.md");
  if (Deno.build.os !== "windows") Deno.chmodSync(path, 0o640);
  writeFileAtomic(writeFolder(cwd), path, "new");
  writeFileAtomic(writeFolder(cwd), join(cwd, "b.bin"), new Uint8Array([104, 105]));
  assert.deepEqual(readTree(cwd), { "a.md": "new", "b.bin": "hi" });
  if (Deno.build.os !== "windows") assert.equal(Deno.statSync(path).mode! & 0o777, 0o640);
});

Deno.test("removing a folder removes its contents but not the targets of links", () => {
  const outside = makeProject({ "gone/a.md": "outside" });
  const root = makeProject({ "gone/deep/a.md": "x", "b.md": "x" });
  removeFolder(writeFolder(root), join(root, "gone"));
  assert.deepEqual(readTree(root), { "b.md": "x" });
  linkTo(outside, join(root, "link"));
  assert.throws(() => removeFolder(writeFolder(root), join(root, "link/gone")), {
    code: "PERMISSION_DENIED",
  });
  assert.deepEqual(readTree(outside), { "gone/a.md": "outside" });
});

Deno.test("of several files in new folders, none leaves a folder if one cannot be made", () => {
  const root = makeProject({ "taken": "a file" });
  const folder = writeFolder(root);
  const file = (path: string) => ({ folder, to: join(root, path), text: "new" });
  assert.throws(() => writeInFolders([file("a/b/one.md"), file("taken/c/two.md")]));
  assert.deepEqual(readTree(root), { taken: "a file" });
  assert.deepEqual([...Deno.readDirSync(root)].map(({ name }) => name), ["taken"]);
  writeInFolders([file("a/b/one.md"), file("c/two.md")]);
  assert.deepEqual(Object.keys(readTree(root)).sort(), ["a/b/one.md", "c/two.md", "taken"]);
});

Deno.test("a file that was changed, replaced or removed meanwhile is not written", () => {
  const { writeTextFileSync, renameSync } = Deno;
  const cases: [meanwhile: (path: string, folder: string) => void, after: Files][] = [
    [(path) => writeTextFileSync(path, "OLD"), { "work/a.md": "OLD" }],
    [(path, folder) => {
      writeTextFileSync(`${folder}.md`, "OLD");
      renameSync(`${folder}.md`, path);
    }, { "work/a.md": "OLD" }],
    [(path, folder) => {
      for (const _time of [1, 2]) removeIfThere(writeFolder(folder), path);
    }, {}],
    // So does a folder that is moved away, or has become a file.
    [(_path, folder) => renameSync(folder, `${folder}-gone`), { "work-gone/a.md": "old" }],
    [(_path, folder) => {
      renameSync(folder, `${folder}-gone`);
      writeTextFileSync(folder, "");
    }, { "work-gone/a.md": "old", "work": "" }],
  ];
  for (const [meanwhile, after] of cases) {
    const root = makeProject({ "work/a.md": "old" });
    const path = join(root, "work/a.md");
    const seen = readForChange(writeFolder(root), path);
    meanwhile(path, join(root, "work"));
    assert.equal(replaceFile(seen, "new"), undefined);
    assert.deepEqual(readTree(root), after);
  }
  // Two saves within one tick of a disk's clock have the same stamps.
  const path = join(makeProject({ "a.md": "OLD" }), "a.md");
  const bytes = new TextEncoder().encode("old");
  const stamped = { ...readForChange(writeFolder(dirname(path)), path), bytes };
  assert.equal(replaceFile(stamped, "new"), undefined);
});

Deno.test("a file that cannot be written back byte for byte is rejected", () => {
  const root = makeProject({ "folder/a.md": "", "large.md": "x".repeat(2_000_000) });
  Deno.writeFileSync(join(root, "latin1.md"), new Uint8Array([0xe4]));
  linkTo(temporaryFile("a.md", ""), join(root, "out.md"));
  const codes = {
    folder: "FILE_OPERATION_FAILED",
    "large.md": "FILE_OPERATION_FAILED",
    "latin1.md": "VALIDATION_ERROR",
    "out.md": "PERMISSION_DENIED",
  };
  for (const [name, code] of Object.entries(codes)) {
    assert.throws(() => readForChange(writeFolder(root), join(root, name)), { code }, name);
  }
});

function withDeno(replaced: Partial<typeof Deno>, test: () => void): void {
  const real = Object.fromEntries(
    Object.keys(replaced).map((name) => [name, Reflect.get(Deno, name)]),
  );
  Object.assign(Deno, replaced);
  try {
    test();
  } finally {
    Object.assign(Deno, real);
  }
}

Deno.test("a rename that is refused is tried again, unless somebody saves meanwhile", () => {
  const root = makeProject({ "a.md": "old" });
  const path = join(root, "a.md");
  const rename = Deno.renameSync;
  const replace = (text: string) => replaceFile(readForChange(writeFolder(root), path), text);
  let tries = 0;
  const fail = (code: string, times: number, meanwhile = () => {}): Partial<typeof Deno> => {
    tries = 0;
    return {
      renameSync: (from, to) => {
        if (tries++ >= times) return rename(from, to);
        meanwhile();
        throw Object.assign(new Deno.errors.PermissionDenied("Access denied"), { code });
      },
    };
  };
  let before = "old";
  for (const code of ["EPERM", "EACCES", "EBUSY"]) {
    withDeno(fail(code, 3), () => assert.equal(replace(code), before));
    assert.equal(tries, 4);
    before = code;
  }
  const save = () => Deno.writeTextFileSync(path, "saved");
  withDeno(fail("EPERM", 3, save), () => assert.equal(replace("newer"), undefined));
  assert.equal(tries, 1);
  const start = performance.now();
  const writes = [() => replace("newer"), () => writeFileAtomic(writeFolder(root), path, "newer")];
  for (const write of writes) {
    withDeno(fail("EPERM", Infinity), () => {
      assert.throws(write, {
        code: "FILE_OPERATION_FAILED",
        message: /"a\.md": another program has it open/,
      });
    });
  }
  assert.ok(performance.now() - start > 2000);
  assert.deepEqual(readTree(root), { "a.md": "saved" });
});

Deno.test("a save into the old file during the rename is found once it is whole", () => {
  const { rename, wait } = { rename: Deno.renameSync, wait: Atomics.wait };
  for (const pieces of [["saved"], ["s", "av", "ed"], ["OLD"], ["old"]]) {
    const root = makeProject({ "a.md": "old" });
    const path = join(root, "a.md");
    const seen = readForChange(writeFolder(root), path);
    const editor = Deno.openSync(path, { write: true });
    const [first, ...later] = pieces.map((piece) => new TextEncoder().encode(piece));
    // It writes its next piece while we wait for the end of the text.
    Atomics.wait = () => {
      editor.writeSync(later.shift() ?? new Uint8Array());
      return "timed-out";
    };
    try {
      withDeno({
        renameSync: (from, to) => {
          editor.writeSync(first!);
          rename(from, to);
        },
      }, () => assert.equal(replaceFile(seen, "new"), pieces.join("")));
    } finally {
      Atomics.wait = wait;
      editor.close();
    }
    assert.deepEqual(readTree(root), { "a.md": "new" });
  }
});

Deno.test("a disk without hard links is recognised by any refusal of a link", () => {
  const linkSync = () => {
    throw new Error("Incorrect function. (os error 1)");
  };
  withDeno({ linkSync }, () => {
    const root = makeProject({ "a.md": "old" });
    assert.ok(createFile(writeFolder(root), join(root, "b.md"), "b"));
    assert.ok(!createFile(writeFolder(root), join(root, "b.md"), "c"));
    const seen = readForChange(writeFolder(root), join(root, "a.md"));
    assert.equal(replaceFile(seen, "new"), "old");
    assert.deepEqual(readTree(root), { "a.md": "new", "b.md": "b" });
  });
});
