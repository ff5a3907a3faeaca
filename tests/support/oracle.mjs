// deno-lint-ignore-file no-console
// Runs the CLI's own entry point once per command, in one process: with the command line set,
// the console captured and process.exit made harmless. Commands come as JSON on stdin; one that
// begins with --cwd is run in that folder.
import { pathToFileURL } from "node:url";

const bin = pathToFileURL(process.argv[2]).href;
const print = process.stdout.write.bind(process.stdout);
const node = process.argv[0];
let input = "";
for await (const chunk of process.stdin) input += chunk;
process.on("unhandledRejection", () => {});
process.on("uncaughtException", () => {});

const answers = [];
for (const [index, args] of JSON.parse(input).entries()) answers.push(await ask(index, args));
print(JSON.stringify(answers), () => process.reallyExit(0));

function ask(index, args) {
  return new Promise((resolve) => {
    const answer = { code: 0, stdout: "", stderr: "" };
    let timer;
    const settle = () => {
      clearTimeout(timer);
      timer = setTimeout(() => resolve(answer), 1);
    };
    const line = (values) => values.map(String).join(" ") + "\n";
    console.log = console.info = (...values) => {
      answer.stdout += line(values);
      settle();
    };
    console.error = (...values) => {
      answer.stderr += line(values);
      settle();
    };
    console.warn = (...values) => (answer.stderr += line(values));
    process.stdout.write = (text) => {
      answer.stdout += text;
      settle();
      return true;
    };
    process.exit = (code) => {
      answer.code = code ?? 0;
      settle();
      throw new Error("exit");
    };
    const [flag, cwd, ...rest] = args;
    if (flag === "--cwd") process.chdir(cwd);
    process.argv = [node, bin, ...(flag === "--cwd" ? rest : args)];
    import(`${bin}?call=${index}`).catch((error) => {
      answer.stderr += String(error);
      settle();
    });
  });
}
