import assert from "node:assert/strict";
import { join } from "node:path";
import {
  isInside,
  namedPath,
  nameProblem,
  resolveInside,
  serveAs,
  shownPath,
} from "../../src/io/paths.ts";
import { refusalToError } from "../../src/io/permissions.ts";
import { makeProject } from "../support/project.ts";
import { NOT_UNIX, testUnless } from "../support/skip.ts";

const IS_WINDOWS = Deno.build.os === "windows";

Deno.test("named() shows a path below the innermost folder that has another name", () => {
  const inner = join("/real", "inner");
  const folders = [["/all", "/real"], ["/one", inner], ["/two", join("/real", "other")]] as const;
  for (const [name, real] of folders) serveAs(name, real);
  try {
    assert.equal(namedPath(join(inner, "a.md")), join("/one", "a.md"));
    assert.equal(namedPath(join("/real", "a.md")), join("/all", "a.md"));
    assert.equal(namedPath(join("/else", "a.md")), join("/else", "a.md"));
  } finally {
    for (const [, real] of folders) serveAs(real, real);
  }
});

Deno.test("isInside() compares paths as the system does", () => {
  const [root, inside, outside] = IS_WINDOWS
    ? [
      "C:\\Ada\\site",
      ["C:\\Ada\\site\\a.md", "c:\\ADA\\Site\\plan", "C:/Ada/site/plan", "C:\\Ada\\site\\..plan"],
      ["C:\\Ada\\site-2", "C:\\Ada", "D:\\Ada\\site\\plan", "\\\\server\\share\\site"],
    ]
    : [
      "/home/ada/site",
      ["/home/ada/site/plan/a.md", "/home/ada/site/..plan"],
      ["/home/ada/site-2", "/home/ada", "/home/ada/site\\..\\.."],
    ];
  for (const path of [root, ...inside]) assert.ok(isInside(root, path), path);
  for (const path of outside) assert.ok(!isInside(root, path), path);
  assert.ok(isInside(IS_WINDOWS ? "C:\\" : "/", IS_WINDOWS ? "C:\\anything" : "/anything"));
});

Deno.test("shownPath() uses slashes, and a permission error names the folder to allow", () => {
  const root = IS_WINDOWS ? "C:\\p" : "/p";
  assert.equal(shownPath(root, join(root, "plan/work/a.md")), "plan/work/a.md");
  assert.equal(shownPath(root, root), ".");
  const elsewhere = IS_WINDOWS ? "D:\\x\\a.md" : "/etc/hosts";
  const flag = (access: string, target: string, folder?: string) => {
    const message = `Requires ${access} access to "${target}", run again with the flag`;
    return refusalToError(new Deno.errors.NotCapable(message), root, folder)?.data?.["flag"];
  };
  assert.equal(flag("write", join(root, "plan/work/a.md")), "--allow-write=plan");
  const deep = join(root, "docs/plan");
  assert.equal(flag("write", join(deep, "work/a.md"), deep), "--allow-write=docs/plan");
  assert.equal(flag("write", join(root, ".gitignore")), "--allow-write=.gitignore");
  const skill = join(root, ".claude/skills/a/b.md");
  assert.equal(flag("write", skill), "--allow-write=.claude/skills/a");
  assert.equal(flag("read", root), "--allow-read=.");
  assert.equal(flag("read", elsewhere), `--allow-read=${elsewhere}`);
});

testUnless(
  NOT_UNIX,
  "a path out of the project is refused, by name and by link, and named from there",
  () => {
    const root = makeProject({ "in/a.md": "a" });
    Deno.symlinkSync("/etc", `${root}/out`);
    Deno.symlinkSync("nowhere", `${root}/dangling`);
    Deno.symlinkSync("in", `${root}/link`);
    const cases = [
      ["out", /project: "out"$/],
      ["out/new.md", /project: "out\/new\.md"$/],
      ["dangling", /Broken link: "dangling"$/],
    ] as const;
    for (const [path, message] of cases) {
      for (const given of [path, `${root}/${path}`]) {
        assert.throws(() => resolveInside(root, given), { code: "PERMISSION_DENIED", message });
      }
    }
    for (const path of ["..", "in/../..", "/etc/hostname", `${root}/../x`, `${root}x`]) {
      assert.throws(() => resolveInside(root, path), { code: "PERMISSION_DENIED" }, path);
    }
    for (const path of ["a\0b", "a/".repeat(2049)]) {
      assert.throws(() => resolveInside(root, path), { code: "INVALID_ARGS" });
    }
    assert.equal(resolveInside(root, "link/a.md"), `${root}/in/a.md`);
    assert.equal(resolveInside(root, "in/new/b.md"), `${root}/in/new/b.md`);
  },
);

Deno.test("other spellings of a path mean the same file", () => {
  const [apart, composed] = ["u\u0308ber.md", "\u00fcber.md"];
  const root = makeProject({ [`docs/${apart}`]: "a", "docs/b.md": "b" });
  for (const given of [composed, apart]) {
    assert.equal(resolveInside(root, `docs/${given}`), join(root, "docs", apart));
    assert.equal(resolveInside(root, join(root, "docs", given)), join(root, "docs", apart));
  }
  assert.equal(resolveInside(root, "docs\\b.md"), join(root, "docs", "b.md"));
  assert.equal(resolveInside(root, "docs\\new\\c.md"), join(root, "docs/new/c.md"));
  assert.throws(() => resolveInside(root, "..\\..\\b.md"), {
    code: "PERMISSION_DENIED",
    message: /"\.\.\\\\\.\.\\\\b\.md"$/,
  });
  for (const given of ["\\\\server\\share\\a.md", "\\\\wsl$\\Debian\\a.md"]) {
    assert.throws(() => resolveInside(root, given), { code: "PERMISSION_DENIED" });
  }
});

Deno.test("a name that the system does not allow is an argument to mend", () => {
  const windows = "CON plan/aux.md a\\NUL.txt com1 LPT9.a.b a:b a?.md a.".split(" ").concat("a ");
  for (const path of windows) {
    assert.match(nameProblem(path, "windows")!, /Windows does not allow: "/, path);
    assert.equal(nameProblem(path, "linux"), undefined, path);
  }
  for (const path of "C:\\p\\a.md c:/p ..\\a ./.a/b console.md com10 auxiliary".split(" ")) {
    assert.equal(nameProblem(path, "windows"), undefined, path);
  }
  assert.match(nameProblem(`a/${"ä".repeat(128)}`, "linux")!, /more than 255 bytes: "ä{20}…"/);
  assert.equal(nameProblem("ä".repeat(128), "windows"), undefined);
  assert.throws(() => resolveInside(makeProject(), `a/${"b".repeat(256)}`), {
    code: "INVALID_ARGS",
  });
});
