import assert from "node:assert/strict";
import { lineIn, requireForCmd, shellLine, shellWord } from "../../src/host/shell.ts";
import { NOT_UNIX, testUnless } from "../support/skip.ts";

testUnless(NOT_UNIX, "shellLine() quotes arguments that a shell would interpret", async () => {
  const line = shellLine({ command: "printf", args: ["%s\n", "a b", "it's", "$HOME", "--x=y,z"] });
  const { stdout } = await new Deno.Command("sh", { args: ["-c", line] }).output();
  assert.equal(new TextDecoder().decode(stdout), "a b\nit's\n$HOME\n--x=y,z\n");
});

Deno.test("commands for Windows work in PowerShell and in cmd, or differ where they must", () => {
  const both = (word: string, quoted: string) => {
    for (const shell of ["PowerShell", "cmd"] as const) {
      assert.equal(shellWord(word, shell), quoted);
    }
  };
  both("jsr:@refrakt/mcp", "jsr:@refrakt/mcp");
  both("C:\\deno\\deno.exe", "C:\\deno\\deno.exe");
  both("--allow-read=.", "--allow-read=.");
  both("--allow-write=plan,specs", '"--allow-write=plan,specs"');
  both("--allow-read=C:\\R&D", '"--allow-read=C:\\R&D"');
  both("C:\\100% it's (x86)\\", '"C:\\100% it\'s (x86)\\\\"');
  both("@refrakt/mcp", '"@refrakt/mcp"');
  both("", '""');
  assert.equal(shellWord("${workspaceFolder}", "PowerShell"), "'${workspaceFolder}'");
  assert.equal(shellWord("${workspaceFolder}", "cmd"), '"${workspaceFolder}"');
  const launch = { command: "deno", args: ["-V"] };
  assert.equal(lineIn("a b;c", launch, "PowerShell"), 'cd "a b;c"; deno -V');
  assert.equal(lineIn("-a b;c", launch, "posix"), "cd './-a b;c' && deno -V");
  const json = JSON.stringify({ cwd: "C:\\it's", name: "x" });
  assert.equal(shellWord(json, "PowerShell"), `'{\\"cwd\\":\\"C:\\\\it''s\\",\\"name\\":\\"x\\"}'`);
  // Typographic quotes are quotes in PowerShell.
  assert.equal(shellWord("C:\\x”; calc; “y", "PowerShell"), "'C:\\x”; calc; “y'");
  assert.equal(shellWord("$x’; calc; ‘y", "PowerShell"), "'$x’’; calc; ‘‘y'");
  const split = JSON.stringify({ cwd: "C:\\R&calc&D" });
  assert.throws(() => shellWord(split, "cmd"), { code: "VALIDATION_ERROR" });
  assert.equal(shellWord(json, "cmd"), `"{\\"cwd\\":\\"C:\\\\it's\\",\\"name\\":\\"x\\"}"`);
});

Deno.test("npx through cmd is refused for paths that its script would split", () => {
  const launch = (path: string) => ({
    command: "cmd",
    args: ["/c", "npx", `--allow-read=${path}`],
  });
  const unsafe = "R&calc&D,%TEMP%,R & %TEMP%,a^b,a|b,a>b,a<b,a(b),a!b!,a\u00A0&b".split(",");
  for (const path of unsafe.map((name) => `C:\\${name}`)) {
    assert.throws(() => requireForCmd(launch(path)), { code: "VALIDATION_ERROR" }, path);
  }
  for (const path of [".", "C:\\R&D and more", "${workspaceFolder}", "C:\\Program Files (x86)"]) {
    requireForCmd(launch(path));
  }
  requireForCmd({ ...launch("C:\\R&D"), command: "deno" });
});
