import assert from "node:assert/strict";
import {
  CLIENTS,
  cursorLink,
  shellLine,
  snippetOf,
  vscodeLink,
} from "../../src/cli/client_configs.ts";

const launch = { command: "deno", args: ["run", "--allow-read=${workspaceFolder}", "it's"] };

Deno.test("shellLine() quotes what a shell would read otherwise", async () => {
  const line = shellLine({ command: "printf", args: ["%s\n", "a b", "it's", "$HOME", "--x=y,z"] });
  const { stdout } = await new Deno.Command("sh", { args: ["-c", line] }).output();
  assert.equal(new TextDecoder().decode(stdout), "a b\nit's\n$HOME\n--x=y,z\n");
});

Deno.test("the install links hold the launch, and nothing that ends a URL early", () => {
  const cursor = new URL(cursorLink(launch));
  assert.equal(cursor.searchParams.get("name"), "refrakt");
  assert.deepEqual(JSON.parse(atob(cursor.searchParams.get("config")!)), launch);
  const link = vscodeLink(launch);
  assert.deepEqual(JSON.parse(decodeURIComponent(link.split("?")[1]!)), {
    name: "refrakt",
    ...launch,
  });
  assert.doesNotMatch(link, /[\s"<>]/);
});

Deno.test("every client has a name to type, a file and a snippet that holds the command", () => {
  for (const client of CLIENTS) {
    assert.match(client.name, /^[a-z-]+$/);
    assert.ok(client.file !== "" && client.note.endsWith("."), client.name);
    assert.ok(
      snippetOf(client.format, client.entry(() => launch, "/home/ada")).includes('"deno"'),
      client.name,
    );
  }
});
