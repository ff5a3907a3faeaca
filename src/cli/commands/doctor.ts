/**
 * `doctor`: is everything there that the server needs in this project?
 *
 * @module
 */

import { join } from "node:path";
import { messageOf } from "../../errors.ts";
import { runGit } from "../../sandbox/git.ts";
import { mayRead, mayRunGit, mayWrite } from "../../sandbox/permissions.ts";
import { writeStdout } from "../../sandbox/pipes.ts";
import { callTool } from "../../surface/call.ts";
import type { CallContext } from "../../surface/context.ts";
import type { RefraktWorkspace } from "../../workspace/mod.ts";
import { columns } from "../columns.ts";
import { launchFor, neededGrants } from "../grants.ts";
import { terminalContext } from "./context.ts";
import type { Command } from "./types.ts";

/** One finding. */
interface Finding {
  /** How it is: fine, worth a look, or wrong. */
  status: "ok" | "warning" | "problem";
  /** What was looked at. */
  topic: string;
  /** What was found. */
  message: string;
  /** What to do about it. */
  hint?: string;
}

const MARKS = { ok: "ok  ", warning: "warn", problem: "FAIL" };

/** The command. */
export const doctor: Command = {
  name: "doctor",
  usage: "doctor",
  help: "Say what is detected, which grants are missing, whether git and the plan are sane",
  mostArgs: 0,
  run: async ({ workspace, flags }) => {
    const context = terminalContext(workspace);
    const findings = [
      ...await detected(workspace),
      ...grants(workspace),
      ...await git(context),
      ...await plan(workspace, context),
    ];
    const launch = launchFor(workspace.project());
    const healthy = findings.every((finding) => finding.status !== "problem");
    if (flags.values["json"]) {
      const detection = await workspace.detection();
      writeStdout(`${JSON.stringify({ healthy, findings, launch, detection }, null, 2)}\n`);
    } else {
      writeStdout(columns(findings.map(({ status, topic, message, hint }) => [
        `${MARKS[status]}  ${topic}`,
        hint === undefined ? message : `${message}. ${hint}`,
      ])));
      writeStdout(
        `\nA client in this project starts the server with:\n\n  ${
          [launch.command, ...launch.args].join(" ")
        }\n\nSee config <client> for the whole snippet.\n`,
      );
    }
    return healthy ? 0 : 1;
  },
};

async function detected(workspace: RefraktWorkspace): Promise<Finding[]> {
  const report = await workspace.detection();
  const { plan, site, versions, plugins } = report;
  return [
    { status: "ok", topic: "project", message: report.cwd },
    { status: "ok", topic: "server", message: `${versions.server} on Deno ${versions.deno}` },
    ...(versions.carried === undefined ? [] : [{
      status: "ok" as const,
      topic: "binary",
      message: `carries ${
        Object.entries(versions.carried).map((entry) => entry.join(" ")).join(", ")
      }`,
    }]),
    plan === null ? { status: "ok", topic: "plan", message: "none; plan.init creates one" } : {
      status: "ok",
      topic: "plan",
      message: `${plan.dir}/ with ${count(plan.fileCount, "entity", "entities")}`,
    },
    {
      status: "ok",
      topic: "sites",
      message: site === null ? "none declared" : site.sites.join(", "),
    },
    ...plugins.map(({ packageName, packageVersion, versionFrom, commands }): Finding => ({
      status: "ok",
      topic: "plugin",
      message: `${packageName} ${packageVersion} (${versionFrom}), ${
        count(commands.length, "command")
      }`,
    })),
    ...report.warnings.map(({ message, hint }): Finding => ({
      status: "warning",
      topic: "warning",
      message,
      ...(hint === undefined ? {} : { hint }),
    })),
  ];
}

function grants(workspace: RefraktWorkspace): Finding[] {
  const project = workspace.project();
  const needed = neededGrants(project);
  const finding = (granted: boolean, flag: string, purpose: string): Finding =>
    granted ? { status: "ok", topic: "grant", message: `${flag}: ${purpose}` } : {
      status: "warning",
      topic: "grant",
      message: `${flag} is missing: no ${purpose}`,
      hint: Deno.build.standalone
        ? "The grants of a binary are fixed; the command below has them all."
        : "Add it to the deno run command.",
    };
  return [
    ...needed.read.map((path) => finding(mayRead(project.cwd), `--allow-read=${path}`, "reading")),
    ...needed.write.map((path) =>
      finding(
        mayWrite(join(project.cwd, path)),
        `--allow-write=${path}`,
        path === "specs" || path === ".gitignore" ? "Ralph specs" : "changes of the plan",
      )
    ),
    ...needed.run.map((program) =>
      finding(mayRunGit(), `--allow-run=${program}`, "history of the plan")
    ),
  ];
}

async function git(context: CallContext): Promise<Finding[]> {
  if (!mayRunGit()) return [];
  const { cwd } = context.project;
  try {
    const version = await runGit(["version"], { cwd, signal: context.signal });
    const inside = await runGit(["rev-parse", "--is-inside-work-tree"], {
      cwd,
      signal: context.signal,
    });
    const name = new TextDecoder().decode(version.stdout).trim();
    return [
      inside.code === 0 ? { status: "ok", topic: "git", message: name } : {
        status: "warning",
        topic: "git",
        message: `${name}, but this is not a repository`,
        hint: "plan.history needs one: git init",
      },
    ];
  } catch (error) {
    return [{ status: "problem", topic: "git", message: messageOf(error) }];
  }
}

async function plan(workspace: RefraktWorkspace, context: CallContext): Promise<Finding[]> {
  if (context.project.plan === null) return [];
  const tool = (await workspace.surface()).findTool("plan.validate");
  if (tool === undefined) {
    return [{ status: "problem", topic: "plan", message: "The plan plugin is not loaded" }];
  }
  try {
    const { counts } = await callTool(tool, {}, context) as {
      counts: { errors: number; warnings: number };
    };
    const message = `${count(counts.errors, "error")}, ${
      count(counts.warnings, "warning")
    } in its structure`;
    return [
      counts.errors === 0 ? { status: "ok", topic: "plan", message } : {
        status: "warning",
        topic: "plan",
        message,
        hint: "See them with: call plan.validate",
      },
    ];
  } catch (error) {
    return [{ status: "problem", topic: "plan", message: messageOf(error) }];
  }
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
